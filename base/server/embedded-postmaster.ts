import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import { settings } from '#base/server/embedded-cluster.ts'
import { startAs } from '#base/server/embedded-account.ts'
import { clusterOf, type Home } from '#base/server/embedded-home.ts'
import { clearSocket, endLeftover, readPidFile } from '#base/server/embedded-pid-file.ts'
import type { Log } from '#base/server/log.ts'

export type DatabaseLog = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>

/** One running PostgreSQL. It is started again when it falls, and ends when we do. */
export class Postmaster {
  readonly #home: Home
  readonly #socket: string
  readonly #forTests: boolean
  readonly #log: DatabaseLog
  #child: ChildProcess | null = null
  #stopping = false

  constructor(home: Home, log: DatabaseLog, { socket, forTests }: { socket: string; forTests: boolean }) {
    this.#home = home
    this.#socket = socket
    this.#forTests = forTests
    this.#log = log
  }

  /** Answers when PostgreSQL takes connections. */
  async start(): Promise<void> {
    const cluster = clusterOf(this.#home.folder)
    await endLeftover(cluster, this.#log)
    clearSocket(this.#socket)
    for (let attempts = 1; ; attempts++) {
      const end = await this.#launch(cluster)
      if (end === null) return
      // The children of a PostgreSQL that was killed take a moment to notice, and hold its memory until then.
      if (this.#stopping || attempts >= 50 || !/pre-existing shared memory/.test(end))
        throw new CannotStart(`PostgreSQL did not start:\n${end}`)
      await setTimeout(200)
    }
  }

  /** Lets running statements go, writes everything to disk, and answers when PostgreSQL is gone. */
  async stop(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (!child) return
    child.ref()
    const gone = once(child, 'exit')
    child.kill('SIGINT')
    const isGone = await Promise.race([gone.then(() => true), setTimeout(30_000, false, { ref: false })])
    if (isGone) return
    // A quick end is safe too: the next start recovers from the log.
    child.kill('SIGQUIT')
    await gone
  }

  /** Null when PostgreSQL is ready, or the last words of one that ended before it was. */
  async #launch(cluster: string): Promise<string | null> {
    const command = [join(this.#home.native, 'bin/postgres'), '-D', cluster, ...settings(this.#socket, { forTests: this.#forTests })]
    const child = startAs(this.#home.account, command, this.#home.folder)
    const guard = guardOf(child)
    const words = this.#listen(child.stderr)
    child.stdout.resume()
    this.#child = child
    const end = once(child, 'close').then(() => {
      this.#child = null
      guard.release()
      return words.join('\n')
    })
    const ready = await Promise.race([end, this.#untilReady(child, cluster)])
    if (ready !== null) return ready
    letGo(child)
    void end.then(() => this.#revive())
    return null
  }

  async #untilReady(child: ChildProcess, cluster: string): Promise<null> {
    for (let waited = 0; child.exitCode === null && child.signalCode === null; waited += 20) {
      const file = readPidFile(cluster)
      if (file?.pid === child.pid && file?.isReady) return null
      if (waited % 10_000 === 9_980) this.#log.info('PostgreSQL is still on its way; after a crash it first reads its log.')
      await setTimeout(20)
    }
    return new Promise(() => {})
  }

  async #revive(): Promise<void> {
    while (!this.#stopping) {
      this.#log.error('PostgreSQL ended by itself. Starting it again.')
      try {
        return await this.start()
      } catch (error) {
        this.#log.error(error)
        await setTimeout(2_000, undefined, { ref: false })
      }
    }
  }

  #listen(stream: Readable): string[] {
    const words: string[] = []
    createInterface({ input: stream }).on('line', (line) => {
      words.push(line)
      words.splice(0, words.length - 20)
      if (/^(FATAL|PANIC):/.test(line)) this.#log.warn(`PostgreSQL: ${line}`)
      else this.#log.debug(`PostgreSQL: ${line}`)
    })
    return words
  }
}

/** A shell that holds a pipe to us. When the pipe breaks because we died, even by SIGKILL, it tells PostgreSQL to stop; a line lets it go. */
function guardOf(child: ChildProcess): { release(): void } {
  const script = `trap '' HUP INT TERM; read -r _ || kill -INT "$0"`
  const shell = spawn('/bin/sh', ['-c', script, String(child.pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' })
  shell.unref()
  return {
    release() {
      shell.stdin.on('error', () => {})
      shell.stdin.end('\n')
    },
  }
}

/** A database must not keep a program alive that has nothing else to do. */
function letGo(child: ReturnType<typeof startAs>): void {
  child.unref()
  for (const stream of [child.stdout, child.stderr]) if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}

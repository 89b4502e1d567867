import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import { commandLineSettings } from '#base/server/postgres/cluster.ts'
import { startAs } from '#base/server/postgres/account.ts'
import { clusterOf, type Home } from '#base/server/postgres/home.ts'
import { clearSocket, endLeftover, readPidFile } from '#base/server/postgres/pid-file.ts'
import type { Log } from '#base/server/log.ts'

export type DatabaseLog = Pick<Log, 'debug' | 'info' | 'warn' | 'error'>

const maxRestartDelayMs = 30_000

/** A running PostgreSQL. It is restarted when it crashes, and ends with us. */
export class Postmaster {
  readonly #home: Home
  readonly #socket: string
  readonly #forTests: boolean
  readonly #log: DatabaseLog
  readonly #lost = Promise.withResolvers<CannotStart>()
  readonly #told = new AbortController()
  #child: ChildProcess | null = null
  #following: Promise<void> = Promise.resolve()

  constructor(home: Home, log: DatabaseLog, { socket, forTests }: { socket: string; forTests: boolean }) {
    this.#home = home
    this.#socket = socket
    this.#forTests = forTests
    this.#log = log
  }

  /** Resolves when PostgreSQL has ended and cannot be restarted, with instructions for the operator. */
  get lost(): Promise<CannotStart> {
    return this.#lost.promise
  }

  /** Resolves when PostgreSQL accepts connections. */
  async start(): Promise<void> {
    const cluster = clusterOf(this.#home.folder)
    await endLeftover(cluster, this.#log)
    clearSocket(this.#socket)
    for (let attempts = 1; ; attempts++) {
      const end = this.#told.signal.aborted ? stopped : await this.#launch(cluster)
      if (end === null) return
      // The children of a killed PostgreSQL take a moment to notice, and hold its shared memory until then.
      const isPassing = end.wasKilled || /pre-existing shared memory/.test(end.output)
      if (this.#told.signal.aborted || attempts >= 50 || !isPassing) throw new CannotStart(`PostgreSQL did not start:\n${end.output}`)
      await setTimeout(200)
    }
  }

  /** Ends running statements, flushes to disk, and resolves when PostgreSQL is gone. */
  async stop(): Promise<void> {
    this.#told.abort()
    // Its process and pipes are unreferenced and would not keep ours alive.
    const waiting = setInterval(() => undefined, 60_000)
    try {
      if (this.#child) await end(this.#child)
      await this.#following
    } finally {
      clearInterval(waiting)
    }
  }

  /** Null once PostgreSQL is ready, or how it ended before. */
  async #launch(cluster: string): Promise<End | null> {
    const command = [
      join(this.#home.native, 'bin/postgres'),
      '-D',
      cluster,
      ...commandLineSettings(this.#socket, { forTests: this.#forTests }),
    ]
    const child = startAs(this.#home.account, command, this.#home.folder)
    const lines = this.#listen(child)
    child.stdout.resume()
    this.#child = child
    const ended = endOf(child, lines).finally(() => (this.#child = null))
    const ready = await Promise.race([ended, this.#untilReady(child, cluster)])
    if (ready !== null) return ready
    unrefChild(child)
    this.#following = ended.then(() => this.#revive(cluster))
    return null
  }

  async #untilReady(child: ChildProcess, cluster: string): Promise<null> {
    for (let waited = 0; child.pid && child.exitCode === null && child.signalCode === null; waited += 20) {
      const file = readPidFile(cluster)
      if (file?.pid === child.pid && file?.isReady) return null
      if (waited % 10_000 === 9_980) this.#log.info('PostgreSQL is still on its way; after a crash it first reads its log.')
      await setTimeout(20)
    }
    return new Promise(() => {})
  }

  async #revive(cluster: string): Promise<void> {
    const { signal } = this.#told
    for (let pauseMs = 2_000; ; pauseMs = Math.min(2 * pauseMs, maxRestartDelayMs)) {
      if (!existsSync(join(cluster, 'PG_VERSION'))) return this.#lost.resolve(new CannotStart(dataMissingMessage(cluster)))
      if (signal.aborted) return
      this.#log.error('PostgreSQL ended by itself. Starting it again.')
      try {
        return await this.start()
      } catch (error) {
        if (signal.aborted) return
        this.#log.error(error)
        await Promise.race([setTimeout(pauseMs, undefined, { ref: false }), once(signal, 'abort')])
      }
    }
  }

  #listen(child: ReturnType<typeof startAs>): string[] {
    const lines: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      lines.splice(0, lines.length - 20)
      if (/^(FATAL|PANIC):/.test(line)) this.#log.warn(`PostgreSQL: ${line}`)
      else this.#log.debug(`PostgreSQL: ${line}`)
      // A smart shutdown would wait for each of our connections to end, and accept no other meanwhile.
      if (/^LOG: +received smart shutdown request/.test(line)) child.kill('SIGINT')
    })
    return lines
  }
}

type End = { output: string; wasKilled: boolean }
const stopped: End = { output: 'It was told to stop.', wasKilled: false }

function endOf(child: ChildProcess, lines: readonly string[]): Promise<End> {
  const guard = deathWatch(child)
  const ended = new Promise<End>((done) => {
    child.once('error', ({ message }) => done({ output: message, wasKilled: false }))
    child.once('close', (_, signal) => done({ output: lines.join('\n') || `It ended by ${signal}.`, wasKilled: signal !== null }))
  })
  return ended.finally(() => guard.release())
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  const isGone = await Promise.race([exited.then(() => true), setTimeout(30_000, false, { ref: false })])
  if (isGone) return
  // An immediate shutdown is safe too: the next start recovers from the log.
  child.kill('SIGQUIT')
  await exited
}

function dataMissingMessage(cluster: string): string {
  return (
    `The data of PostgreSQL is no longer in ${cluster}, so the forum has ended. Bring it back before you start again, by mounting its disk or from ` +
    'a backup: without it, a start makes a new and empty forum.'
  )
}

/**
 * A shell that holds a pipe to us. When the pipe breaks because we died, even by SIGKILL, it stops PostgreSQL; a line on the pipe releases
 * it.
 */
function deathWatch(child: ChildProcess): { release(): void } {
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

/** The database must not keep a program alive that has nothing else to do. */
function unrefChild(child: ReturnType<typeof startAs>): void {
  child.unref()
  for (const stream of [child.stdout, child.stderr]) if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}

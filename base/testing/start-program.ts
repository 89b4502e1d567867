import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { until } from '#base/testing/waits.ts'

export type RunningProgram = {
  pid: number
  /** Everything it has written. */
  output(): string
  /** Resolves once it has written this, and fails if it ends before. */
  says(text: string): Promise<void>
  /** Stops it gracefully and returns its exit code. */
  stop(): Promise<number | null>
  kill(): Promise<number | null>
}

const folderOfPrograms = join(import.meta.dirname, '../../apps/server')

/** Starts a program of `apps/server` as an operator does. */
export function startProgram(file: string, words: readonly string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [join(folderOfPrograms, file), ...words], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', TEAHOUSE_SAMPLE: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const exited = once(child, 'exit').then(([code]) => code as number | null)

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    child.kill(signal)
    return exited
  }

  return {
    pid: child.pid ?? 0,
    output: () => output,
    async says(text) {
      await until(() => output.includes(text) || child.exitCode !== null)
      if (!output.includes(text)) throw new Error(`It ended: ${output}`)
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A durable PostgreSQL with an empty database, as a forum's own: the one of the test run would be refused. */
export async function durableDatabase(): Promise<{ url: string; folder: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-own-'))
  const { ownerUrl, stop } = await startEmbedded(join(folder, 'database'), quiet)
  return {
    url: ownerUrl,
    folder,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from '#base/testing/after-file.ts'
import { until } from '#base/testing/waits.ts'

/** A program of Debian in front of a forum. */
export type Part = {
  start(): Promise<void>
  /** Ends it with the signal of its service. */
  stop(): Promise<void>
  /** Reads the configuration again. */
  reload(): Promise<void>
}

type PartOptions = {
  program: string
  args: readonly string[]
  /** It listens here once it is ready. */
  port: number
  env?: Record<string, string>
  /** A signal to the process, or an action. */
  reload: NodeJS.Signals | (() => Promise<void>)
}

/** Starts the part, which ends with the test file. */
export async function startPart({ program, args, port, env = {}, reload }: PartOptions): Promise<Part> {
  let child: ChildProcess | null = null
  let output = ''

  async function start(): Promise<void> {
    const started = spawn(program, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (output = (output + String(text)).slice(-4_000)))
    child = started
    await untilIn(started, () => listens(port)).catch((error: unknown) => {
      throw new Error(`${program} did not start: ${output}`, { cause: error })
    })
  }

  async function stop(): Promise<void> {
    if (!child || hasEnded(child)) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }

  await start()
  afterFile(stop)
  return { start, stop, reload: typeof reload === 'string' ? async () => void child?.kill(reload) : reload }
}

/** A folder that programs without root's rights read, and that is gone after the test file. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-deploy-'))
  chmodSync(folder, 0o755)
  afterFile(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Polls until a condition holds, or fails at once if the process ends before. */
export async function untilIn(child: ChildProcess, isSo: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const ended = once(child, 'exit').then(() => {
    if (!isOver) throw new Error(`${child.spawnfile} ended at once`)
  })
  await Promise.race([until(async () => isOver || isSo()), ended]).finally(() => (isOver = true))
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type TestRedis = {
  url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Accepts connections, but does not answer. */ hang(): void
  resume(): void
}

/** A real Redis for one test, without persistence. It can be stopped and restarted. */
export async function startRedis(port: number): Promise<TestRedis> {
  const program = process.env['TEAHOUSE_REDIS'] ?? '/usr/bin/redis-server'
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    const started = spawn(
      program,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--databases', '10000'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    child = started
    const ready = new Promise<void>((resolve) => {
      createInterface({ input: started.stdout }).on('line', (line) => void (/Ready to accept connections/.test(line) && resolve()))
    })
    const failed = once(started, 'exit').then(() => {
      throw new Error(`${program} ended at once`)
    })
    await Promise.race([ready, failed])
    failed.catch(() => undefined)
  }

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  await start()
  return { url: `redis://127.0.0.1:${port}`, start, stop, hang: () => child?.kill('SIGSTOP'), resume: () => child?.kill('SIGCONT') }
}

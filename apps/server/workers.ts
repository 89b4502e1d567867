import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'

const defaultMaxWorkers = 4
const restartDelayMs = 1_000
const maxRestartDelayMs = 30_000
// After so many failed starts in a row with no worker left, the supervisor exits to report it to its own starter.
const maxFailedStarts = 5
const ready = 'ready'
const supervisedVariable = 'TEAHOUSE_SUPERVISED'

/** Whether this process is a worker of a supervisor. */
export const isSupervised = process.env[supervisedVariable] === '1'

/** The number of workers: as configured, or one per core beyond the first, which is left to the database. */
export function workerCount({ processes, development }: Pick<Config, 'processes' | 'development'>): number {
  if (isSupervised || development) return 1
  return processes ?? Math.max(1, Math.min(defaultMaxWorkers, availableParallelism() - 1))
}

/** Tells the supervisor that this worker answers. */
export function reportReady(): void {
  process.send?.(ready)
}

type SupervisorOptions = Pick<Config, 'port' | 'host'> & { count: number; databaseUrl: string; log: Log }

/**
 * Starts so many workers, each a whole server on this database. The kernel distributes connections to the port among them; a worker that
 * dies is restarted. Returns the function that stops them. Throws if the port is taken, or if the first worker does not come up: it has
 * printed the reason.
 */
export async function supervise({ count, databaseUrl, log, ...place }: SupervisorOptions): Promise<() => Promise<void>> {
  // Restarts nothing until the first worker answers.
  let isStopping = true
  let failedStarts = 0
  const running = new Set<ChildProcess>()
  const env = workerEnv(count, databaseUrl)

  function launch(): Promise<boolean> {
    const child = fork(process.argv[1] ?? '', [], { env })
    running.add(child)
    return new Promise((done) => {
      child.on('message', (message) => void (message === ready && done(true)))
      child.once('exit', (code, signal) => {
        running.delete(child)
        done(false)
        void restart({ process: child.pid, code, signal })
      })
    })
  }

  async function restart(which: Record<string, unknown>): Promise<void> {
    if (isStopping) return
    log.error(which, 'A process ended. Another one takes its place')
    await setTimeout(Math.min(restartDelayMs * 2 ** failedStarts, maxRestartDelayMs))
    if (isStopping) return
    failedStarts++
    if (failedStarts > maxFailedStarts && running.size === 0) {
      log.fatal('No process comes to answer any more')
      process.exit(1)
    }
    if (await launch()) failedStarts = 0
  }

  async function stop(): Promise<void> {
    isStopping = true
    const exits = [...running].map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGTERM')
    await Promise.all(exits)
  }

  await assertPortFree(place)
  // The first alone, so that its complaint is printed once.
  if (!(await launch())) throw new CannotStart('The forum was not started.')
  isStopping = false
  await Promise.all(Array.from({ length: count - 1 }, launch))
  return stop
}

function workerEnv(count: number, databaseUrl: string): NodeJS.ProcessEnv {
  const ours = {
    [supervisedVariable]: '1',
    DATABASE_URL: databaseUrl,
    TEAHOUSE_PROCESSES: String(count),
    TEAHOUSE_PARENT: String(process.pid),
  }
  return { ...process.env, ...ours }
}

// With port sharing, a second forum would silently share the port too.
async function assertPortFree({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  await new Promise((closed) => server.close(closed))
}

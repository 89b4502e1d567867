import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { WorkerMetrics } from '#apps/server/worker-metrics.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'

const defaultMaxWorkers = 4
const restartDelayMs = 1_000
const maxRestartDelayMs = 30_000
// After so many failed starts in a row with no worker left, the supervisor exits to report it to its own starter.
const maxFailedStarts = 5
const prepared = 'prepared'
const [roleVariable, embeddedVariable] = ['TEAHOUSE_WORKER', 'TEAHOUSE_EMBEDDED']

export const pagesMissing = 'The pages could not be built, so the forum does not start.'

type Role = 'first' | 'further'
/** From a worker that answers; the supervisor prints the lines once all do. */
type Ready = { lines: string[] }

/** Whether this process is a worker of a supervisor. */
export const isSupervised = process.env[roleVariable] !== undefined

/** Whether this process prepares the forum and reports to the operator: it is alone, or the first worker. */
export const isFirst = process.env[roleVariable] !== ('further' satisfies Role)

/** Whether the supervisor restarts the database at DATABASE_URL, which it started. */
export const restartsDatabase = process.env[embeddedVariable] === '1'

/** The number of workers: as configured, or one per core beyond the first, which is left to the database. */
export function workerCount({ processes, development }: Pick<Config, 'processes' | 'development'>): number {
  if (isSupervised || development) return 1
  return processes ?? Math.max(1, Math.min(defaultMaxWorkers, availableParallelism() - 1))
}

/** Reports that this process answers: to its supervisor, or to the operator. */
export function reportReady(lines: string[]): void {
  if (isSupervised) process.send?.({ lines } satisfies Ready)
  else print(lines)
}

function isReady(message: unknown): message is Ready {
  return typeof message === 'object' && message !== null && 'lines' in message
}

function print(lines: string[]): void {
  for (const line of lines) console.log(line)
}

type SupervisorOptions = Pick<Config, 'port' | 'host'> & {
  count: number
  /** Null for workers on DATABASE_URL. */
  embeddedUrl: string | null
  /** Whether the pages could be built; the first worker prepares the database meanwhile. */
  pages: Promise<boolean>
  log: Log
}

/**
 * Starts so many workers, each a whole server on this database. The kernel distributes connections to the port among them; a worker that
 * dies is restarted. Returns the function that stops them. Throws if the port is taken, or if the first worker does not come up: it has
 * printed the reason.
 */
export async function supervise({ count, embeddedUrl, pages, log, ...place }: SupervisorOptions): Promise<() => Promise<void>> {
  // Restarts nothing until the first worker answers.
  let isStopping = true
  let failedStarts = 0
  const running = new Set<ChildProcess>()

  /** Null for a worker that ended before it answered. */
  function launch(role: Role): Promise<Ready | null> {
    const child = forkWorker(role, { count, embeddedUrl })
    running.add(child)
    if (role === 'first') void pages.then((areBuilt) => reportPages(child, areBuilt))
    return new Promise((done) => {
      child.on('message', (message) => void (isReady(message) && done(message)))
      child.once('exit', (code, signal) => {
        running.delete(child)
        done(null)
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
    if (await launch('further')) failedStarts = 0
  }

  async function stop(): Promise<void> {
    isStopping = true
    const exits = [...running].map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGTERM')
    await Promise.all(exits)
  }

  await assertPortFree(place)
  // The first alone, so that its complaint is printed once.
  const first = await launch('first')
  if (!first) throw new CannotStart((await pages) ? 'The forum was not started.' : pagesMissing)
  isStopping = false
  await Promise.all(Array.from({ length: count - 1 }, () => launch('further')))
  print(first.lines)
  return stop
}

// Without pages there is nothing to wait for.
function reportPages(child: ChildProcess, areBuilt: boolean): void {
  if (!areBuilt) child.kill()
  else if (child.connected) child.send(prepared)
}

const metrics = new WorkerMetrics()

function forkWorker(role: Role, options: Pick<SupervisorOptions, 'count' | 'embeddedUrl'>): ChildProcess {
  const child = fork(process.argv[1] ?? '', [], { env: workerEnv(role, options) })
  metrics.add(child)
  return child
}

function workerEnv(role: Role, { count, embeddedUrl }: Pick<SupervisorOptions, 'count' | 'embeddedUrl'>): NodeJS.ProcessEnv {
  const ours = {
    [roleVariable]: role,
    ...(embeddedUrl !== null && { [embeddedVariable]: '1', DATABASE_URL: embeddedUrl }),
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

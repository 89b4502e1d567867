import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'

const usuallyMost = 4
const betweenStartsMs = 1_000
const longestBetweenMs = 30_000
// So many that die before they answer, one after the other, while none is left: whoever started us is told by our end.
const mostVain = 5
const ready = 'ready'
const mark = 'TEAHOUSE_SUPERVISED'

/** Whether this is one of several processes that another one has started. */
export const isSupervised = process.env[mark] === '1'

/** How many processes answer: as the operator says, or one for every core beyond the first, which is left to the database. */
export function howMany({ processes, development }: Pick<Config, 'processes' | 'development'>): number {
  if (isSupervised || development) return 1
  return processes ?? Math.max(1, Math.min(usuallyMost, availableParallelism() - 1))
}

/** Says to whoever supervises that this process answers. */
export function answers(): void {
  process.send?.(ready)
}

type Order = Pick<Config, 'port' | 'host'> & { count: number; databaseUrl: string; log: Log }

/**
 * Starts so many processes, each a whole server on this database. The system deals out among them who comes to the port, so that none of them
 * stands in the way of another; one that dies is started again. Gives how to stop them. Refuses where the port is taken, and where the
 * first of them does not come to answer: it has said why.
 */
export async function supervise({ count, databaseUrl, log, ...place }: Order): Promise<() => Promise<void>> {
  // Until the first answers, nothing is started again.
  let isStopping = true
  let vain = 0
  const running = new Set<ChildProcess>()
  const env = envOf(count, databaseUrl)

  function launch(): Promise<boolean> {
    const child = fork(process.argv[1] ?? '', [], { env })
    running.add(child)
    return new Promise((done) => {
      child.on('message', (message) => void (message === ready && done(true)))
      child.once('exit', (code, signal) => {
        running.delete(child)
        done(false)
        void again({ process: child.pid, code, signal })
      })
    })
  }

  async function again(which: Record<string, unknown>): Promise<void> {
    if (isStopping) return
    log.error(which, 'A process ended. Another one takes its place')
    await setTimeout(Math.min(betweenStartsMs * 2 ** vain, longestBetweenMs))
    if (isStopping) return
    vain++
    if (vain > mostVain && running.size === 0) {
      log.fatal('No process comes to answer any more')
      process.exit(1)
    }
    if (await launch()) vain = 0
  }

  async function stop(): Promise<void> {
    isStopping = true
    const gone = [...running].map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGTERM')
    await Promise.all(gone)
  }

  await mustBeFree(place)
  // The first alone: what it complains of is said once.
  if (!(await launch())) throw new CannotStart('The forum was not started.')
  isStopping = false
  await Promise.all(Array.from({ length: count - 1 }, launch))
  return stop
}

function envOf(count: number, databaseUrl: string): NodeJS.ProcessEnv {
  const ours = { [mark]: '1', DATABASE_URL: databaseUrl, TEAHOUSE_PROCESSES: String(count), TEAHOUSE_PARENT: String(process.pid) }
  return { ...process.env, ...ours }
}

// Those who share a port would share it with whoever else does.
async function mustBeFree({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  await new Promise((closed) => server.close(closed))
}

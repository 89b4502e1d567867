import { flushCompileCache } from 'node:module'
import { isSupervised, workerCount } from '#apps/server/workers.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readConfig } from '#base/server/config.ts'
import { openLog, type Log } from '#base/server/log.ts'
import { onShutdown } from '#base/server/shutdown-signal.ts'

try {
  const config = readConfig()
  const log = openLog(config)
  if (isSupervised) process.once('disconnect', endWithSupervisor)
  const { start } = await programFor(workerCount(config))
  const stop = await start(config, log)
  process.off('disconnect', endWithSupervisor)
  flushCompileCache()
  // A terminal signals all processes; the supervisor alone handles it and stops the others.
  onShutdown(() => void stopGracefully(stop, log), isSupervised ? ['SIGTERM'] : ['SIGINT', 'SIGTERM'])
  if (isSupervised) process.on('SIGINT', () => undefined)
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
  // The channel to the supervisor would keep the worker alive.
  if (isSupervised && process.connected) process.disconnect()
}

// A supervisor loads nothing of the forum: it would keep the memory of a server that answers nobody.
function programFor(workers: number) {
  return workers === 1 ? import('#apps/server/server.ts') : import('#apps/server/supervisor.ts')
}

/** While a worker starts. Later it notices the death of its supervisor as any program that of its starter, and stops gracefully. */
function endWithSupervisor(): never {
  process.exit(1)
}

async function stopGracefully(stop: () => Promise<void>, log: Log): Promise<void> {
  log.info('Stopping: requests finish first')
  await stop()
  process.exit()
}

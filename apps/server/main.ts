import { flushCompileCache } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { openApp } from '#apps/server/app.ts'
import { builtFrontend, developmentFrontend } from '#apps/server/frontend.ts'
import { allJobs } from '#apps/server/jobs.ts'
import { shutDown } from '#apps/server/shutdown.ts'
import { preflight } from '#apps/server/preflight.ts'
import { reportReady, workerCount, isSupervised, supervise } from '#apps/server/workers.ts'
import { pagesBuilt } from '#apps/server/pages-built.ts'
import { settingProblems, setEnvironment } from '#apps/server/setting-problems.ts'
import { openStore, type Store } from '#apps/server/store.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readConfig, type Config } from '#base/server/config.ts'
import { isUnavailable } from '#base/server/database/database.ts'
import { startJobs } from '#base/server/jobs/jobs.ts'
import { openLog, type Log } from '#base/server/log.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { keyFileOf } from '#base/server/security/sealing-key.ts'
import { setSiteAddress, absoluteUrl } from '#base/server/http/site-address.ts'
import { onShutdown } from '#base/server/shutdown-signal.ts'
import { addFirstStaff, seedNewForum } from '#database/seed.ts'

const maxStarts = 20
const retryDelayMs = 1_000
const maxShutdownMs = 15_000

try {
  const config = readConfig()
  const log = openLog(config)
  const stop = await run(config, log)
  // A terminal signals all processes; the supervisor alone handles it and stops the others.
  onShutdown(() => void stopGracefully(stop, log), isSupervised ? ['SIGTERM'] : ['SIGINT', 'SIGTERM'])
  if (isSupervised) process.on('SIGINT', () => undefined)
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Starts the forum, and again if the database goes away meanwhile and either we or our supervisor restart it. */
async function run(config: Config, log: Log): Promise<() => Promise<void>> {
  for (let starts = 1; ; starts++) {
    try {
      return await start(config, log)
    } catch (error) {
      const comesBack = !config.databaseUrl || isSupervised
      if (!isUnavailable(error) || !comesBack || starts === maxStarts) throw explain(error, config)
      log.warn({ reason: reasonOf(error) }, 'The database went away while the forum started. The start begins again')
      await setTimeout(retryDelayMs)
    }
  }
}

async function start(config: Config, log: Log): Promise<() => Promise<void>> {
  const count = workerCount(config)
  const pages = pagesBuilt()
  const store = await openStore(config, log)
  let stopAnswering = async () => undefined as void
  async function stop(): Promise<void> {
    await stopAnswering()
    await store.close()
  }
  void store.lost?.then((why) => exitAfterLoss(why, stop))
  try {
    await preflight(store.ownerUrl)
    if (!isSupervised) {
      await warnOfSettings(config, store, log)
      await seedNewForum(store.database, config, progressInTerminal())
    }
    if (!(await pages)) throw new CannotStart('The pages could not be built, so the forum does not start.')
    stopAnswering =
      count === 1 ? await serveRequests(config, store, log) : await supervise({ ...config, count, databaseUrl: store.ownerUrl, log })
    if (isSupervised) reportReady()
    else printAddresses(config, await addFirstStaff(store.database))
    flushCompileCache()
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reports settings that cannot be used. None stops the start, except a file storage that does not work. */
async function warnOfSettings(config: Config, { database }: Store, log: Log): Promise<void> {
  setEnvironment(config)
  for (const problem of await settingProblems(database.app)) log.warn(problem)
}

/** Serves requests and runs jobs, until the returned function is called. */
async function serveRequests(config: Config, { database, ownerUrl, appUrl }: Store, log: Log): Promise<() => Promise<void>> {
  const openFrontend = config.development ? developmentFrontend : builtFrontend
  const app = await openApp({ config, database, log, openFrontend })
  if (config.databaseUrl && !config.sealingKey && !isSupervised)
    log.warn(
      { key: keyFileOf(config.dataDir) },
      'The key of this forum lies in a file. Where several servers use its database, set TEAHOUSE_KEY on each',
    )
  try {
    await app.listen({ port: config.port, host: config.host, ...(isSupervised && { reusePort: true }) })
    const working = await startJobs(appUrl, allJobs({ config, ownerUrl }), { database, log, dataDir: config.dataDir })
    return async () => {
      await shutDown(app, config.drainSeconds)
      await working.stop()
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

function printAddresses(config: Config, admin: { account: string; password: string } | null): void {
  setSiteAddress(config)
  console.log(`Teahouse is ready: ${new URL(absoluteUrl('/')).origin}`)
  console.log(`Administration: ${absoluteUrl('/admin')}`)
  if (admin) console.log(`The administrator is ${admin.account}, with the password ${admin.password} (shown this once).`)
}

function explain(error: unknown, config: Config): unknown {
  if (!(error instanceof Error) || error instanceof CannotStart) return error
  if (isUnavailable(error)) return new CannotStart(databaseLostMessage(reasonOf(error), config))
  return 'code' in error ? listenError(error, config) : error
}

function listenError(error: Error & { code: unknown }, { port, host }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.`)
  if (error.code === 'EACCES') return new CannotStart(`This user may not listen on port ${port}. Set PORT to 1024 or above.`)
  if (error.code === 'EADDRNOTAVAIL')
    return new CannotStart(`HOST is ${host}, which is not an address of this machine. Leave it out, or use 0.0.0.0.`)
  return error
}

function databaseLostMessage(reason: string, { databaseUrl }: Config): string {
  return databaseUrl
    ? `The database went away while the forum started (${reason}). Start again once PostgreSQL answers.`
    : `PostgreSQL ends again and again while the forum starts (${reason}). See whether memory or room on the disk is short, and start again.`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The database cannot come back, so the process ends with a message for the operator. */
async function exitAfterLoss(why: CannotStart, stop: () => Promise<void>): Promise<void> {
  console.error(why.message)
  try {
    await Promise.race([stop(), setTimeout(maxShutdownMs)])
  } finally {
    process.exit(1)
  }
}

async function stopGracefully(stop: () => Promise<void>, log: Log): Promise<void> {
  log.info('Stopping: requests finish first')
  await stop()
  process.exit()
}

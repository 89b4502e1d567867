import { flushCompileCache } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { openApp } from '#apps/server/app.ts'
import { jobs } from '#apps/server/features.ts'
import { builtFrontend, developedFrontend } from '#apps/server/frontend.ts'
import { maintaining } from '#apps/server/maintenance.ts'
import { announcing } from '#apps/server/syndication/announce.ts'
import { shutDown } from '#apps/server/shutdown.ts'
import { preflight } from '#apps/server/preflight.ts'
import { answers, howMany, isSupervised, supervise } from '#apps/server/workers.ts'
import { pagesBuilt } from '#apps/server/pages-built.ts'
import { settingProblems, tellOfSurroundings } from '#apps/server/setting-problems.ts'
import { openStore, type Store } from '#apps/server/store.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readConfig, type Config } from '#base/server/config.ts'
import { isUnavailable } from '#base/server/database/database.ts'
import { startJobs } from '#base/server/jobs/jobs.ts'
import { openLog, type Log } from '#base/server/log.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { keyFileOf } from '#base/server/security/sealing-key.ts'
import { takeSiteAddress, wholeAddress } from '#base/server/http/site-address.ts'
import { onShutdown } from '#base/server/shutdown-signal.ts'
import { addFirstStaff, seedFirst } from '#database/seed.ts'

const mostStarts = 20
const betweenStartsMs = 1_000
const longestEndMs = 15_000

try {
  const config = readConfig()
  const log = openLog(config)
  const stop = await run(config, log)
  // A terminal signals all processes; the supervisor alone handles it and stops the others.
  onShutdown(() => void stopCalmly(stop, log), isSupervised ? ['SIGTERM'] : ['SIGINT', 'SIGTERM'])
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
      return await begin(config, log)
    } catch (error) {
      const comesBack = !config.databaseUrl || isSupervised
      if (!isUnavailable(error) || !comesBack || starts === mostStarts) throw explained(error, config)
      log.warn({ reason: reasonOf(error) }, 'The database went away while the forum started. The start begins again')
      await setTimeout(betweenStartsMs)
    }
  }
}

async function begin(config: Config, log: Log): Promise<() => Promise<void>> {
  const count = howMany(config)
  const pages = pagesBuilt()
  const store = await openStore(config, log)
  let stopAnswering = async () => undefined as void
  async function stop(): Promise<void> {
    await stopAnswering()
    await store.close()
  }
  void store.lost?.then((why) => endLost(why, stop))
  try {
    await preflight(store.ownerUrl)
    if (!isSupervised) {
      await tellOfSettings(config, store, log)
      await seedFirst(store.database, config, progressInTerminal())
    }
    if (!(await pages)) throw new CannotStart('The pages could not be built, so the forum does not start.')
    stopAnswering = count === 1 ? await answer(config, store, log) : await supervise({ ...config, count, databaseUrl: store.ownerUrl, log })
    if (isSupervised) answers()
    else tellWhere(config, await addFirstStaff(store.database))
    flushCompileCache()
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reports settings that cannot be used. None stops the start, except a file storage that does not work. */
async function tellOfSettings(config: Config, { database }: Store, log: Log): Promise<void> {
  tellOfSurroundings(config)
  for (const problem of await settingProblems(database.app)) log.warn(problem)
}

/** Serves requests and runs jobs, until the returned function is called. */
async function answer(config: Config, { database, ownerUrl, appUrl }: Store, log: Log): Promise<() => Promise<void>> {
  const openFrontend = config.development ? developedFrontend : builtFrontend
  const app = await openApp({ config, database, log, openFrontend })
  if (config.databaseUrl && !config.sealingKey && !isSupervised)
    log.warn(
      { key: keyFileOf(config.dataDir) },
      'The key of this forum lies in a file. Where several servers use its database, set TEAHOUSE_KEY on each',
    )
  try {
    await app.listen({ port: config.port, host: config.host, ...(isSupervised && { reusePort: true }) })
    const all = [...jobs, announcing(config.publicUrl), ...maintaining({ config, ownerUrl })]
    const working = await startJobs(appUrl, all, { database, log, dataDir: config.dataDir })
    return async () => {
      await shutDown(app, config.drainSeconds)
      await working.stop()
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

function tellWhere(config: Config, admin: { account: string; password: string } | null): void {
  takeSiteAddress(config)
  console.log(`Teahouse is ready: ${new URL(wholeAddress('/')).origin}`)
  console.log(`Administration: ${wholeAddress('/admin')}`)
  if (admin) console.log(`The administrator is ${admin.account}, with the password ${admin.password} (shown this once).`)
}

function explained(error: unknown, config: Config): unknown {
  if (!(error instanceof Error) || error instanceof CannotStart) return error
  if (isUnavailable(error)) return new CannotStart(wentAway(reasonOf(error), config))
  return 'code' in error ? portTaken(error, config) : error
}

function portTaken(error: Error & { code: unknown }, { port, host }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.`)
  if (error.code === 'EACCES') return new CannotStart(`This user may not listen on port ${port}. Set PORT to 1024 or above.`)
  if (error.code === 'EADDRNOTAVAIL')
    return new CannotStart(`HOST is ${host}, which is not an address of this machine. Leave it out, or use 0.0.0.0.`)
  return error
}

function wentAway(reason: string, { databaseUrl }: Config): string {
  return databaseUrl
    ? `The database went away while the forum started (${reason}). Start again once PostgreSQL answers.`
    : `PostgreSQL ends again and again while the forum starts (${reason}). See whether memory or room on the disk is short, and start again.`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The database cannot come back, so the process ends with a message for the operator. */
async function endLost(why: CannotStart, stop: () => Promise<void>): Promise<void> {
  console.error(why.message)
  try {
    await Promise.race([stop(), setTimeout(longestEndMs)])
  } finally {
    process.exit(1)
  }
}

async function stopCalmly(stop: () => Promise<void>, log: Log): Promise<void> {
  log.info('Stopping: requests finish first')
  await stop()
  process.exit()
}

import { setTimeout } from 'node:timers/promises'
import { openApp } from '#apps/server/app.ts'
import { builtFrontend, developmentFrontend } from '#apps/server/frontend.ts'
import { allJobs } from '#apps/server/jobs.ts'
import { pagesBuilt } from '#apps/server/pages-built.ts'
import { preflight } from '#apps/server/preflight.ts'
import { settingProblems, setEnvironment } from '#apps/server/setting-problems.ts'
import { shutDown } from '#apps/server/shutdown.ts'
import { exitAfterLoss, listenError } from '#apps/server/start-failures.ts'
import { openStore, type Store } from '#apps/server/store.ts'
import { isFirst, isSupervised, pagesMissing, reportReady, restartsDatabase } from '#apps/server/workers.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import type { Config } from '#base/server/config.ts'
import { isUnavailable } from '#base/server/database/database.ts'
import { absoluteUrl, isReachedFromNetwork, setSiteAddress } from '#base/server/http/site-address.ts'
import { startJobs } from '#base/server/jobs/jobs.ts'
import type { Log } from '#base/server/log.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import { keyFileOf, loadSealingKey } from '#base/server/security/sealing-key.ts'
import { addFirstStaff, seedNewForum } from '#database/seed.ts'
import { sandboxCode } from '#payment/server/sandbox-code.ts'

const maxStarts = 20
const retryDelayMs = 1_000

/**
 * Starts a server, alone or as a worker, and again if the database goes away meanwhile and either we or our supervisor restart it. The
 * returned function stops it.
 */
export async function start(config: Config, log: Log): Promise<() => Promise<void>> {
  const isOurs = !config.databaseUrl || restartsDatabase
  const pages = pagesBuilt()
  for (let starts = 1; ; starts++) {
    try {
      return await startOnce(config, pages, log)
    } catch (error) {
      const comesBack = isOurs || !isFirst
      if (!isUnavailable(error) || !comesBack || starts === maxStarts) throw explain(error, config, isOurs)
      log.warn({ reason: reasonOf(error) }, 'The database went away while the forum started. The start begins again')
      await setTimeout(retryDelayMs)
    }
  }
}

async function startOnce(config: Config, pages: Promise<boolean>, log: Log): Promise<() => Promise<void>> {
  const store = await openStore(config, log)
  let stopAnswering = async () => undefined as void
  async function stop(): Promise<void> {
    await stopAnswering()
    await store.close()
  }
  void store.lost?.then((why) => exitAfterLoss(why, stop))
  try {
    const machine = isFirst ? { ...config, isEmbedded: !config.databaseUrl || restartsDatabase } : null
    for (const warning of await preflight(store.ownerUrl, machine)) log.warn(warning)
    if (isFirst) {
      await warnOfSettings(config, store, log)
      // The sample seals what it adds.
      await loadSealingKey({ config, db: store.database.app, log })
      await seedNewForum(store.database, config, progressInTerminal())
    }
    if (!(await pages)) throw new CannotStart(pagesMissing)
    stopAnswering = await serveRequests(config, store, log)
    reportReady(isFirst ? greeting(config, await addFirstStaff(store.database)) : [])
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

function greeting(config: Config, admin: { account: string; password: string } | null): string[] {
  setSiteAddress(config)
  return [
    `Teahouse is ready: ${new URL(absoluteUrl('/')).origin}`,
    `Administration: ${absoluteUrl('/admin')}`,
    ...(isReachedFromNetwork() ? [] : [`The code for payments with the sandbox is ${sandboxCode()}.`]),
    ...(admin ? [`The administrator is ${admin.account}, with the password ${admin.password} (shown this once).`] : []),
  ]
}

function explain(error: unknown, config: Config, isOurs: boolean): unknown {
  if (!isUnavailable(error)) return listenError(error, config)
  const reason = reasonOf(error)
  return new CannotStart(
    isOurs
      ? `PostgreSQL ends again and again while the forum starts (${reason}). See whether memory or room on the disk is short, and start again.`
      : `The database went away while the forum started (${reason}). Start again once PostgreSQL answers.`,
  )
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

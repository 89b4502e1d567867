import { pagesBuilt } from '#apps/server/pages-built.ts'
import { exitAfterLoss, listenError } from '#apps/server/start-failures.ts'
import { supervise, workerCount } from '#apps/server/workers.ts'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'

/** Starts the database, unless it is at DATABASE_URL, and the workers on it. The returned function stops them. */
export async function start(config: Config, log: Log): Promise<() => Promise<void>> {
  const pages = pagesBuilt()
  const embedded = config.databaseUrl ? null : await startEmbedded(config.dataDir, log)
  let stopWorkers = async () => undefined as void
  async function stop(): Promise<void> {
    await stopWorkers()
    await embedded?.stop()
  }
  void embedded?.lost.then((why) => exitAfterLoss(why, stop))
  try {
    stopWorkers = await supervise({ ...config, count: workerCount(config), embeddedUrl: embedded?.ownerUrl ?? null, pages, log })
    return stop
  } catch (error) {
    await stop()
    throw listenError(error, config)
  }
}

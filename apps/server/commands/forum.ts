import { existsSync } from 'node:fs'
import { setEnvironment } from '#apps/server/setting-problems.ts'
import { openStore } from '#apps/server/store.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { runningEmbedded, startEmbedded } from '#base/server/postgres/embedded.ts'
import type { Config } from '#base/server/config.ts'
import type { Log } from '#base/server/log.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'

type OpenedStore = Awaited<ReturnType<typeof openStore>>
type ForumOptions = { config: Config; log: Log }

/** Opens the forum's migrated database and its sealing key; invalidations reach running servers. */
export function withForum<T>({ config, log }: ForumOptions, work: (store: OpenedStore) => Promise<T>): Promise<T> {
  return withStore({ config, log }, async (store) => {
    await loadSealingKey({ config, db: store.database.app, log })
    return work(store)
  })
}

/** The same without the sealing key. */
export function withStore<T>({ config, log }: ForumOptions, work: (store: OpenedStore) => Promise<T>): Promise<T> {
  assertForumExists(config)
  setEnvironment(config)
  return withPostgres({ config, log }, async (ownerUrl) => {
    const store = await openStore({ ...config, databaseUrl: config.databaseUrl ?? ownerUrl }, log)
    try {
      // Without a statement timeout: the operator waits.
      return await work({ ...store, database: store.database.longRunning })
    } finally {
      await store.close()
    }
  })
}

// A typo in TEAHOUSE_DATA would otherwise create a new forum there.
function assertForumExists({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || existsSync(dataDir)) return
  throw new CannotStart(`There is no forum in ${dataDir}. Start it once with npm start, or set TEAHOUSE_DATA to the folder of yours.`)
}

/** Uses the PostgreSQL that runs for this forum, or starts the embedded one for the duration of the work. */
export async function withPostgres<T>({ config, log }: ForumOptions, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const ownerUrl = config.directUrl ?? config.databaseUrl ?? runningEmbedded(config.dataDir)?.ownerUrl
  if (ownerUrl) return work(ownerUrl)
  const embedded = await startEmbedded(config.dataDir, log)
  try {
    return await work(embedded.ownerUrl)
  } finally {
    await embedded.stop()
  }
}

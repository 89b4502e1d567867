import type { CannotStart } from '#base/server/cannot-start.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import type { Config } from '#base/server/config.ts'
import { features } from '#apps/server/features.ts'
import { poolSize } from '#base/server/database/connection-count.ts'
import { openDatabase, type Database } from '#base/server/database/database.ts'
import type { ReplicaState } from '#base/server/database/replica-watch.ts'
import { prepareJobs } from '#base/server/jobs/jobs.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import type { Log } from '#base/server/log.ts'
import { addressesOf, type Connections } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'

export type Store = {
  database: Database
  ownerUrl: string
  appUrl: string
  /** Resolves when the embedded database has ended for good. */
  lost: Promise<CannotStart> | null
  close(): Promise<void>
}

/** The migrated database of this forum, embedded or at DATABASE_URL. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  const embedded = config.databaseUrl ? null : await startEmbedded(config.dataDir, log)
  const ownerUrl = config.databaseUrl ?? embedded?.ownerUrl ?? ''
  try {
    const { ran } = await migrate(ownerUrl, progressInTerminal())
    await prepareJobs(ownerUrl)
    if (ran > 0) log.info({ ran }, 'The database was migrated')
    const addresses = addressesOf(ownerUrl, config.replicaUrl)
    const database = await openAndListen(addresses, config, log)
    return {
      database,
      ownerUrl,
      appUrl: addresses.app,
      lost: embedded?.lost ?? null,
      async close() {
        await database.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function openAndListen(addresses: Connections, { processes }: Config, log: Log): Promise<Database> {
  const onLost = ({ message }: Error) => log.warn({ reason: message }, 'A database connection broke')
  const onReplica = ({ state, lagSeconds }: ReplicaState) =>
    state === 'up' ? log.info('Reads return to the replica') : log.warn({ state, lagSeconds }, 'Reads leave the replica for the primary')
  const database = openDatabase(addresses, { features, size: poolSize(processes), onLost, onReplica })
  try {
    await database.invalidations.listen(onLost)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

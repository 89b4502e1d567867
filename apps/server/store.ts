import { startEmbedded } from '#base/server/embedded.ts'
import type { Config } from '#base/server/config.ts'
import { openDatabase, type Database } from '#base/server/database.ts'
import { prepareJobs } from '#base/server/jobs.ts'
import { progressInTerminal } from '#base/server/progress.ts'
import type { Log } from '#base/server/log.ts'
import { addressesOf, migrate } from '#database/migrate.ts'

export type Store = { database: Database; ownerUrl: string; appUrl: string; close(): Promise<void> }

/** The migrated database of this forum, the embedded one or the one that DATABASE_URL names. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  const embedded = config.databaseUrl ? null : await startEmbedded(config.dataDir, log)
  const ownerUrl = config.databaseUrl ?? embedded?.ownerUrl ?? ''
  try {
    const { ran } = await migrate(ownerUrl, progressInTerminal())
    const addresses = addressesOf(ownerUrl, config.replicaUrl)
    await prepareJobs(ownerUrl)
    if (ran > 0) log.info({ ran }, 'The database was migrated')
    const onLost = ({ message }: Error) => log.warn({ reason: message }, 'A database connection broke')
    // Of several that share a machine each has fewer connections.
    const size = Math.max(8, 20 - 4 * (config.processes ?? 1))
    const database = openDatabase(addresses, { size, onLost })
    await database.invalidations.listen(onLost)
    return {
      database,
      ownerUrl,
      appUrl: addresses.app,
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

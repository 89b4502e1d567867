import { openDatabase, type Database } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { featuresOf } from '#base/server/feature.ts'

/** Works as the owner of the database, without a statement timeout: an import writes what the running program may not. */
export async function withOwner<T>(
  { database: running, ownerUrl }: { database: Database; ownerUrl: string },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const addresses = { ...addressesOf(ownerUrl), app: ownerUrl }
  const database = openDatabase(addresses, { features: featuresOf(running.app), size: 4, minSize: 0, onLost: () => undefined })
  try {
    return await work(database.longRunning)
  } finally {
    await database.close()
  }
}

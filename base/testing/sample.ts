import { join } from 'node:path'
import { inject } from 'vitest'
import { readConfig } from '#base/server/config.ts'
import { filledDatabase, type TestDatabase } from '#base/testing/database.ts'
import { addFirstStaff, seedNewForum } from '#database/seed.ts'

/** A database with the sample community; `dataDir` has its files, which are read-only. */
export async function sampleDatabase(): Promise<TestDatabase & { dataDir: string }> {
  const dataDir = join(inject('database').folder, 'sample')
  const config = readConfig({ TEAHOUSE_DATA: dataDir, TEAHOUSE_SAMPLE: '1' })
  const fresh = await filledDatabase('teahouse_sample', async (empty) => {
    await seedNewForum(empty, config)
    await addFirstStaff(empty)
  })
  return { ...fresh, dataDir }
}

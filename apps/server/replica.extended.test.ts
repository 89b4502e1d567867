import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { readConfig } from '#base/server/config.ts'
import { features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { freshDatabase, testKey } from '#base/testing/database.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { Visitor } from '#base/testing/visitor.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { baseInfo } from '#setting/contract.ts'
import { listTags } from '#tag/contract.ts'
import { aTag } from '#tag/testing/factories.ts'

// A replica that never catches up, and is read from all the same.
const behind = await freshDatabase()
const primary = await freshDatabase()
const replicated = openDatabase(
  { ...addressesOf(primary.ownerUrl), reader: addressesOf(behind.ownerUrl).reader },
  { features, onLost: () => undefined },
)
const database = { ...replicated, reader: replicated.reader }
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-replica-'))
await primary.database.app.transaction().execute((tx) => applySettings(tx, { ...lenientSettings, title: 'Jasmine' }))
await aTag(primary.database, { name: 'Leaves' })
const config = { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: dataDir }), development: false }
const app = await openApp({ config, database, log: pino({ level: 'silent' }), checked: true })
afterAll(async () => {
  await app.close()
  await replicated.close()
  await primary.close()
  await behind.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('cached data is read from the primary, however far a replica is behind', async () => {
  const visitor = new Visitor(app)
  expect((await visitor.call(baseInfo, {})).title).toBe('Jasmine')
  expect((await visitor.call(listTags, {})).tags.map(({ name }) => name.en)).toEqual(['Leaves'])
  expect((await app.inject('/feed')).body).toContain('Jasmine')
})

import { pino } from 'pino'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { readConfig } from '#base/server/config.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { loadSealingKey } from '#base/server/security/sealing-key.ts'
import { until } from '#base/testing/waits.ts'
import { startCluster } from './testing/cluster.ts'
import { findParts } from './testing/find-parts.ts'
import { startLoad } from './testing/load.ts'
import { ask } from './testing/request.ts'
import { resultOf } from './testing/result.ts'

await findParts()
const cluster = await startCluster()
const database = openDatabase(addressesOf(cluster.ownerUrl), { features, size: 4, onLost: () => undefined })
afterAll(async () => {
  await database.close()
  await cluster.stop()
})
await loadSealingKey({ config: readConfig({ TEAHOUSE_KEY: cluster.key }), db: database.app, log: pino({ level: 'silent' }) })
const load = await startLoad(cluster, database, { writers: 8, visitors: 4 })

/** Resolves once writes that were sent since are acknowledged. */
async function untilWritten(): Promise<void> {
  const since = performance.now()
  await until(() => [...load.acknowledged.values()].filter(({ sentAt }) => sentAt > since).length >= 8)
}

/** Each server keeps the pages that it was asked for, since its last change of the database. */
async function readEverywhere(): Promise<void> {
  for (const { address } of cluster.machines)
    for (const path of load.pages) expect(await ask(`http://${address}:3000`, { path })).toMatchObject({ status: 200 })
}

async function valueOf(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(query)
  await client.end()
  return Object.values(rows[0] ?? {})[0]
}

test('the files make a primary with a synchronous standby, each behind its port of HAProxy', async () => {
  const replicaUrl = cluster.ownerUrl.replace(':5000', ':5001')
  expect(await valueOf(cluster.ownerUrl, 'select pg_is_in_recovery()')).toBe(false)
  expect(await valueOf(replicaUrl, 'select pg_is_in_recovery()')).toBe(true)
  expect(await valueOf(cluster.ownerUrl, 'show synchronous_standby_names')).toBe((await cluster.standby()).name)
  expect(await valueOf(cluster.ownerUrl, 'show server_encoding')).toBe('UTF8')
})

test('a switchover lets the standby go on with the writes', async () => {
  await untilWritten()
  await readEverywhere()
  const standby = await cluster.standby()
  await cluster.switchover()
  await until(async () => (await cluster.primary()).name === standby.name)
  await untilWritten()
  await cluster.untilWhole()
})

test('a killed primary is succeeded by its standby, and comes back as one', async () => {
  await readEverywhere()
  const [primary, standby] = [await cluster.primary(), await cluster.standby()]
  primary.killPostgres()
  await until(async () => (await cluster.primary()).name === standby.name)
  await untilWritten()
  await cluster.untilWhole()
  expect((await cluster.standby()).name).toBe(primary.name)
})

test('nothing acknowledged was lost or doubled, and pages stayed readable', async () => {
  await load.stop()
  const { acknowledged, ...faults } = await resultOf(load, database)
  expect(acknowledged).toBeGreaterThan(20)
  expect(faults).toEqual({ lost: [], doubled: [], books: [] })
  expect(load.wrong).toEqual([])
  expect(load.reads.length).toBeGreaterThan(20)
  // Not by time: a page may be late on a busy machine.
  expect(load.reads.filter(({ fault }) => fault?.startsWith('5'))).toEqual([])
})

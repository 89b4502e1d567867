import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '#apps/server/app.ts'
import { features } from '#apps/server/features.ts'
import { readConfig } from '#base/server/config.ts'
import { openDatabase, type Database } from '#base/server/database/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { testKey } from '#base/testing/database.ts'
import { replicatedDatabase, type ReplicatedDatabase } from '#base/testing/replica.ts'
import { until } from '#base/testing/waits.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-health-'))
const logged: string[] = []
let replicated: ReplicatedDatabase
let database: Database
let app: Awaited<ReturnType<typeof openApp>>
let owner: pg.Client

beforeAll(async () => {
  replicated = await replicatedDatabase(folder)
  database = openDatabase(addressesOf(replicated.ownerUrl), { features, onLost: () => undefined })
  const config = { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: join(folder, 'data') }), development: false }
  app = await openApp({ config, database, log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  owner = new pg.Client({ connectionString: replicated.ownerUrl })
  owner.on('error', () => undefined)
  await owner.connect()
})
afterAll(async () => {
  await app.close()
  await database.close()
  await owner.end()
  await replicated.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function health(): Promise<{ status: number; commits: string; waitsFor: string | null; database: string }> {
  const { statusCode, body } = await app.inject('/health')
  return { status: statusCode, ...JSON.parse(body) }
}
const isUp = async () => {
  const { status, commits } = await health()
  return status === 200 && commits === 'up'
}
const live = async () => (await app.inject('/health/live')).statusCode

async function configure(...changes: string[]): Promise<void> {
  for (const change of [...changes, 'select pg_reload_conf()']) await owner.query(change)
}

test('a commit tried costs some hundred bytes of the log and no row, on each server', async () => {
  await until(isUp)
  const before = await written()
  const others = Array.from({ length: 3 }, () =>
    openDatabase(addressesOf(replicated.ownerUrl), { features, minSize: 0, onLost: () => undefined }),
  )
  for (const { commits } of others) commits.start(() => undefined)
  await until(() => others.every(({ commits }) => commits.state.state === 'up'))
  const after = await written()
  await Promise.all(others.map((other) => other.close()))
  // Each of the three and this server have tried a few times; a checkpoint or a cleaner may write as well.
  expect(after.bytes - before.bytes).toBeGreaterThan(3 * 64)
  expect(after.bytes - before.bytes).toBeLessThan(100_000)
  expect(after.rows).toBe(before.rows)
})

/** The bytes of the log of changes, and the rows written by all so far. */
async function written(): Promise<{ bytes: number; rows: string }> {
  const { rows } = await owner.query(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes,
    (select n_tup_ins + n_tup_upd from pg_stat_all_tables where relid = 'setting'::regclass) as rows`)
  return rows[0]
}

test('commits that wait for a synchronous standby are named SyncRep, and the server stays in use', async () => {
  await configure(`alter system set synchronous_standby_names = 'replica'`)
  await owner.query('create table synchronous ()')
  await replicated.stopReplica()
  await until(async () => (await health()).waitsFor === 'SyncRep')
  expect(await health()).toMatchObject({ status: 503, database: 'up', commits: 'waiting', waitsFor: 'SyncRep' })
  expect(await live()).toBe(200)
  expect((await app.inject('/api/baseInfo')).statusCode).toBe(200)
  expect(logged.join('')).toContain('A synchronous standby is away.')

  await configure(`alter system reset synchronous_standby_names`)
  await until(isUp)
})

test('a lock that transactions wait for is named, and does not make the server unwell, because others are committed', async () => {
  await owner.query('begin; lock table setting in access exclusive mode')
  // Without the limit of the program's own statements, which a busy machine reaches before the watch looks twice.
  const writer = new pg.Client({ connectionString: addressesOf(replicated.ownerUrl).app })
  await writer.connect()
  const waits = writer.query(`update setting set name = 'none' where name = 'none'`)
  await until(async () => (await health()).waitsFor === 'Lock')
  expect(await health()).toMatchObject({ status: 200, commits: 'waiting', waitsFor: 'Lock' })
  await owner.query('rollback')
  await waits
  await writer.end()
  await until(isUp)
})

test('a database that takes no writes refuses commits, and says so', async () => {
  await configure('alter system set default_transaction_read_only = on')
  await until(async () => (await health()).waitsFor === 'read-only')
  expect(await health()).toMatchObject({ status: 503, commits: 'refused' })
  await configure('alter system reset default_transaction_read_only')
  await until(isUp)
})

test('nothing is known of commits while the database is away or hangs, and the process lives', async () => {
  const pid = (await owner.query(`select pid from pg_stat_activity where application_name = 'teahouse tries commits'`)).rows[0].pid
  process.kill(pid, 'SIGSTOP')
  await until(async () => (await health()).commits !== 'up')
  expect(await health()).toMatchObject({ waitsFor: null, database: 'up', status: 200 })
  process.kill(pid, 'SIGCONT')
  await until(isUp)

  await replicated.stop()
  await until(async () => (await health()).commits === 'unknown')
  expect(await health()).toMatchObject({ status: 503, database: 'away' })
  expect(await live()).toBe(200)
})

import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { isUnavailable, openDatabase, transact, type Db } from '#base/server/database/database.ts'
import { enqueue, prepareJobs, startJobs, type Job } from '#base/server/jobs/jobs.ts'
import { freshDatabase, setStatementTimeout } from '#base/testing/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'

const { ownerUrl, close } = await freshDatabase()
await setStatementTimeout(ownerUrl, true)
const address = addressesOf(`${ownerUrl}&statement_timeout=1&query_timeout=1`)
const database = openDatabase(address, { onLost: () => undefined, statementTimeoutsMs: { app: 100, reader: 100 } })
afterAll(async () => {
  await database.close()
  await close()
})

const slow = (db: Db) => sql`select pg_sleep(0.3)`.execute(db)

test('a statement of a request is ended when it takes too long, and none of work that grows with the forum', async () => {
  const { app, reader, longRunning } = database
  for (const db of [app, reader]) expect(isUnavailable(await slow(db).catch((error: unknown) => error))).toBe(true)
  for (const db of [longRunning.app, longRunning.reader, longRunning.primaryReader]) await slow(db)
  await transact(longRunning, slow)
})

test('the limit is ours, under any setting of the database and its address', async () => {
  const patient = openDatabase(address, { onLost: () => undefined, statementTimeoutsMs: { app: 7_200_000, reader: 7_200_000 } })
  const { rows } = await sql`select current_setting('statement_timeout') as longest from pg_sleep(0.02)`.execute(patient.app)
  expect(rows).toEqual([{ longest: '2h' }])
  await patient.close()
})

test('a transaction whose server hangs ends, and its locks with it; long work may pause', async () => {
  const idle = async (db: Db) =>
    (await sql<{ longest: string }>`select current_setting('idle_in_transaction_session_timeout') as longest`.execute(db)).rows[0]?.longest
  expect([await idle(database.app), await idle(database.longRunning.app)]).toEqual(['30s', '0'])
})

test('long-running work cannot write where it only reads', async () => {
  const writing = sql`insert into setting (name, value, changed_by) values ('x', '1', 'x')`.execute(database.longRunning.reader)
  await expect(writing).rejects.toThrow(/read-only|denied/)
})

test('a job may take as long as it must', async () => {
  await prepareJobs(ownerUrl)
  const ends: string[] = []
  const job: Job = {
    name: 'brew',
    async run({ database: { app } }) {
      ends.push(await slow(app).then(() => 'brewed', String))
    },
  }
  const working = await startJobs(addressesOf(ownerUrl).app, [job], { database, log: pino({ level: 'silent' }), dataDir: '' })
  try {
    await transact(database.longRunning, (tx) => enqueue(tx, job, {}))
    await expect.poll(() => ends).toEqual(['brewed'])
  } finally {
    await working.stop()
  }
})

import { expect, test, vi } from 'vitest'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { sql } from 'kysely'
import {
  allOf,
  anyOf,
  insertRows,
  isUnavailable,
  openDatabase,
  translateCommitErrors,
  transact,
  type Db,
} from '#base/server/database/database.ts'
import { freshDatabase, withDatabase } from '#base/testing/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'

function failure(code: string): Error {
  return Object.assign(new Error('No'), { code })
}

test.each([
  ['it stops', '57P01'],
  ['it crashed', '57P02'],
  ['it starts', '57P03'],
  ['it was dropped, to be restored', '57P04'],
  ['it was idle for too long', '57P05'],
  ['it takes no connections', '55000'],
  ['it has no connection left', '53300'],
  ['its disk is full', '53100'],
  ['its disk fails', '58030'],
  ['the line broke', '08006'],
  ['it is a standby still', '25006'],
  ['it is too slow', '57014'],
  ['nobody listens', 'ECONNREFUSED'],
  ['its machine is not there', 'EHOSTUNREACH'],
])('the database is away when %s', (_, code) => {
  expect(isUnavailable(failure(code))).toBe(true)
})

test.each(['23505', '23503', '42601', '42P01', '22P02', '42501', ''])('a bug (%s) is no fault of the database', (code) => {
  expect(isUnavailable(failure(code))).toBe(false)
  expect(isUnavailable('57P01')).toBe(false)
})

test('a database that is closed to all is away, and back when it is opened', async () => {
  const { ownerUrl, close } = await freshDatabase()
  const name = new URL(ownerUrl).pathname.slice(1)
  const door = new pg.Client({ connectionString: withDatabase(ownerUrl, 'postgres') })
  await door.connect()
  const database = openDatabase(addressesOf(ownerUrl), { onLost: () => undefined })
  const ask = () => database.reader.selectFrom('setting').select('name').execute()
  await door.query(`alter database ${name} allow_connections false`)
  expect(isUnavailable(await ask().catch((error: unknown) => error))).toBe(true)
  await door.query(`alter database ${name} allow_connections true`)
  expect(await ask()).toBeInstanceOf(Array)
  await database.close()
  await door.end()
  await close()
})

test('a database that hangs is away, and waiting work is refused in time', async () => {
  const { ownerUrl, close } = await freshDatabase()
  const door = await aDoor(ownerUrl)
  const database = openDatabase(addressesOf(door.url), { onLost: () => undefined, statementTimeoutsMs: { app: 2_500, reader: 2_000 } })
  const ask = (db: Db) => db.selectFrom('setting').select('name').execute()
  expect(await ask(database.reader)).toBeInstanceOf(Array)
  await ask(database.app)
  door.hang()
  const failures = await Promise.all([database.reader, database.app].map((db) => ask(db).catch((error: unknown) => error)))
  expect(failures.map(isUnavailable)).toEqual([true, true])
  door.letThrough()
  expect(await ask(database.reader)).toBeInstanceOf(Array)
  await database.close()
  door.close()
  await close()
})

test('a connection broken between two statements of a write is a refusal, and disturbs no others', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  const killer = new pg.Client({ connectionString: ownerUrl })
  await killer.connect()
  const writing = transact(database, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await killer.query('select pg_terminate_backend($1, 2000)', [rows[0]?.pid])
    await sql`select 1`.execute(tx)
  })
  expect(isUnavailable(await writing.catch((error: unknown) => error))).toBe(true)
  expect(await database.app.selectFrom('setting').selectAll().execute()).toBeInstanceOf(Array)
  await killer.end()
  await close()
})

test('a write that fails and cannot be rolled back, because its connection has ended, reports the failure', async () => {
  const { database, ownerUrl, close } = await freshDatabase()
  const killer = new pg.Client({ connectionString: ownerUrl })
  await killer.connect()
  const writing = transact(database, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await killer.query('select pg_terminate_backend($1, 2000)', [rows[0]?.pid])
    throw new Error('The first')
  })
  await expect(writing).rejects.toThrow('The first')
  await killer.end()
  await close()
})

test('a connection that lay idle for minutes is the same, with all that it has planned', async () => {
  const { ownerUrl, close } = await freshDatabase()
  const database = openDatabase(addressesOf(ownerUrl), { onLost: () => undefined })
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.reader)).rows[0]?.pid
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const before = await backend()
  vi.advanceTimersByTime(5 * 60_000)
  vi.useRealTimers()
  expect(await backend()).toBe(before)
  await database.close()
  await close()
})

test('any number of rows is inserted, and any number of values looked for, by one text', async () => {
  const { database, close } = await freshDatabase()
  const rows = ['mei', `"quoted", {braced} and \\`, 'cut \ud83d'].map((word) => ({ word, slips: [word, 'me'] }))
  const inserting = (many: number) => insertRows(database.app, 'search_word', rows.slice(0, many))
  expect(inserting(3).compile().sql).toBe(inserting(1).compile().sql)
  await inserting(3).execute()
  const looking = (words: string[]) => database.reader.selectFrom('search_word').selectAll().where('word', '=', anyOf(words))
  expect(looking(['mei', 'lin']).compile().sql).toBe(looking([]).compile().sql)
  const words = rows.map(({ word }) => word.toWellFormed())
  const found = await looking(words).execute()
  expect(found.map(({ word, slips }) => [word, slips])).toEqual(expect.arrayContaining(words.map((word) => [word, [word, 'me']])))
  expect(found.length).toBe(3)
  expect(await looking([]).execute()).toEqual([])
  const others = await database.reader
    .selectFrom('search_word')
    .select('word')
    .where('word', '<>', allOf(words.slice(1)))
    .execute()
  expect(others).toEqual([{ word: 'mei' }])
  await close()
})

/** A proxy to the database that can be made to hang. */
async function aDoor(ownerUrl: string) {
  const url = new URL(ownerUrl)
  const socket = url.searchParams.get('host')
  const where = socket ? { path: join(socket, '.s.PGSQL.5432') } : { host: url.hostname, port: Number(url.port || 5432) }
  const ways: Socket[] = []
  const server = createServer((from) => {
    const to = connect(where)
    ways.push(from, to)
    for (const way of [from, to]) way.on('error', () => undefined)
    from.pipe(to).pipe(from)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    hang: () => ways.forEach((way) => way.pause().unpipe()),
    letThrough: () => ways.splice(0).forEach((way) => way.destroy()),
    close: () => server.close(),
  }
}

test('an error at the commit is translated by the sender', async () => {
  const { database, close } = await freshDatabase()
  const divide = (by: number) =>
    transact(database, async (tx) => {
      translateCommitErrors(tx, (error) => {
        throw new Error('Nobody divides by zero', { cause: error })
      })
      await sql`/* with the commit */ select 1 / ${by}::int`.execute(tx)
    })
  await divide(1)
  await expect(divide(0)).rejects.toMatchObject({ message: 'Nobody divides by zero', cause: { code: '22012' } })
  await close()
})

test('a write that a session cannot do, as on a standby, is done in a new session', async () => {
  const { database, close } = await freshDatabase()
  const sessions: number[] = []
  await transact(database, async (tx) => {
    if (sessions.length === 0) await sql`set transaction read only`.execute(tx)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    sessions.push(rows[0]?.pid ?? 0)
    await sql`insert into invalidation (by, tags) values (gen_random_uuid(), '{}')`.execute(tx)
  })
  expect(new Set(sessions).size).toBe(2)
  await close()
})

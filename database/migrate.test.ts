import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { startEmbedded } from '#base/server/postgres/embedded.ts'
import { prepareJobs } from '#base/server/jobs/jobs.ts'
import { setStatementTimeout } from '#base/testing/database.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { guardsText } from '#database/guards.ts'
import { createRoles, migrate } from '#database/migrate.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
const folder = mkdtempSync(join(tmpdir(), 'teahouse-owner-'))
const server = await startEmbedded(folder, quiet, { forTests: true })
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('an owner who is no superuser migrates, and does so again at the next start', async () => {
  await query(server.ownerUrl, `create role landlord login createrole password 'a-secret'; `)
  await query(server.ownerUrl, 'create database house owner landlord')
  const ownerUrl = addressFor(server.ownerUrl, 'landlord', 'a-secret')
  expect((await migrate(ownerUrl)).ran).toBeGreaterThan(0)
  expect((await migrate(ownerUrl)).ran).toBe(0)
  const { app, reader } = addressesOf(ownerUrl)
  expect(await query(app, 'select count(*)::int as n from role')).toEqual([{ n: 2 }])
  await expect(query(reader, "insert into setting (name, value, changed_by) values ('x', '1', 'x')")).rejects.toThrow(/read-only|denied/)
})

test('a database that ends every statement early is migrated all the same', async () => {
  await query(server.ownerUrl, 'create database hurried')
  const ownerUrl = inDatabase(server.ownerUrl, 'hurried')
  await setStatementTimeout(ownerUrl, true)
  const counts: number[] = []
  const { ran } = await migrate(`${ownerUrl}&statement_timeout=1&query_timeout=1`, (_, count) => counts.push(count))
  expect(counts).toEqual(Array.from({ length: ran + 1 }, (__, count) => count))
  await prepareJobs(ownerUrl)
})

test('a migration that fails is the first to run at the next start', async () => {
  await query(server.ownerUrl, 'create database broken')
  const ownerUrl = inDatabase(server.ownerUrl, 'broken')
  await expect(
    migrate(ownerUrl, (_, count) => {
      if (count === 5) throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await query(ownerUrl, 'select count(*)::int as ran from migration')).toEqual([{ ran: 5 }])
  expect((await migrate(ownerUrl)).ran).toBeGreaterThan(5)
})

test('a database from before the first release is refused, with what to do', async () => {
  await query(server.ownerUrl, 'create database outdated')
  const ownerUrl = inDatabase(server.ownerUrl, 'outdated')
  await query(
    ownerUrl,
    "create table migration (name text primary key); insert into migration values ('0001-ground.sql'), ('0002-member.sql')",
  )
  await expect(migrate(ownerUrl)).rejects.toThrow('Name another folder in TEAHOUSE_DATA')
  expect(await query(ownerUrl, "select to_regclass('member') as member")).toEqual([{ member: null }])
})

test.each([
  ['with a migration that was renamed since', "insert into migration values ('0009-reminders.sql')", '0009-reminders.sql'],
  ['whose migrations had other tables then', 'drop table known_right', 'before the first release'],
])('a database %s is refused, with what to do', async (name, change, sentence) => {
  const database = `other_${name.length}`
  await query(server.ownerUrl, `create database ${database}`)
  const ownerUrl = inDatabase(server.ownerUrl, database)
  await migrate(ownerUrl)
  await query(ownerUrl, change)
  const refused = await migrate(ownerUrl).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(CannotStart)
  expect(String(refused)).toContain(sentence)
  expect(String(refused)).toContain('Name another folder in TEAHOUSE_DATA')
})

test('functions and triggers are those of the features again after one of their texts has changed', async () => {
  await query(server.ownerUrl, 'create database rules')
  const ownerUrl = inDatabase(server.ownerUrl, 'rules')
  await migrate(ownerUrl)
  const body = () => query(ownerUrl, "select prosrc from pg_proc where proname = 'tally_likes'")
  const before = await body()
  await query(
    ownerUrl,
    `create or replace function tally_likes() returns trigger language plpgsql as 'begin return null; end';
     drop trigger tallied_when_added on post_like; update rules set hash = 'of an earlier version'`,
  )
  await migrate(ownerUrl)
  expect(await body()).toEqual(before)
  expect(
    await query(ownerUrl, "select tgrelid::regclass::text as of from pg_trigger where tgname = 'tallied_when_added' order by 1"),
  ).toEqual([{ of: 'favourite' }, { of: 'post_like' }])
})

test('functions, triggers and policies of an earlier version take their new names, with their rights', async () => {
  await query(server.ownerUrl, 'create database renames')
  const ownerUrl = inDatabase(server.ownerUrl, 'renames')
  await migrate(ownerUrl)
  await query(
    ownerUrl,
    `drop function ledger.living, give_rewards; create table former as
       select oid::regprocedure::text as name from pg_proc where prosrc ~ '^select [*a-z_. ]+[(][$]1' and pronamespace <> 'pg_catalog'::regnamespace;
     do $$ declare its record; begin for its in select name from former loop execute 'drop function ' || its.name; end loop; end $$;
     drop table former; alter function ledger.current_member rename to living; alter function grant_rewards rename to give_rewards;
     alter trigger immutable on ledger.entry rename to stays; alter trigger search_added on topic rename to search_new;
     alter policy participants_read on message rename to its_two_read; delete from migration where name ~ '^003[01]';
     update rules set hash = 'of an earlier version'`,
  )
  await migrate(ownerUrl)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    expect(await guardsText(owner)).toBe(readFileSync(new URL('guards.txt', import.meta.url), 'utf8'))
    // A server of the version before still calls the former names.
    const { app } = addressesOf(ownerUrl)
    expect(await query(app, "select ledger.living(1) as member, give_rewards('[]', '{}')::text as none")).toEqual([
      { member: null, none: '' },
    ])
  } finally {
    await owner.end()
  }
})

test('the reader keeps its rights, and no more of them, after an old right to the whole table is restored', async () => {
  await query(server.ownerUrl, 'create database rights')
  const ownerUrl = inDatabase(server.ownerUrl, 'rights')
  const { reader } = await migrate(ownerUrl)
  await query(ownerUrl, 'grant select on all tables in schema public to teahouse_reader')
  expect(await query(reader, 'select password_hash from member')).toEqual([])
  await migrate(ownerUrl)
  await expect(query(reader, 'select password_hash from member')).rejects.toThrow('permission denied')
  expect(await query(reader, 'select account, has_password from member')).toEqual([])
})

test('forums in several databases of one server make their roles at once', async () => {
  const names = Array.from({ length: 6 }, (_, number) => `forum_${number}`)
  for (const name of names) await query(server.ownerUrl, `create database ${name}`)
  const clients = names.map((name) => new pg.Client({ connectionString: inDatabase(server.ownerUrl, name) }))
  await Promise.all(clients.map((client) => client.connect()))
  for (let round = 0; round < 10; round++) await Promise.all(clients.map((client) => createRoles(client, server.ownerUrl)))
  await Promise.all(clients.map((client) => client.end()))
})

test.each([
  ['whose database is not there', (url: URL) => (url.pathname = '/teapot'), 'no database called teapot'],
  ['with a wrong password', (url: URL) => (url.password = 'guessed'), 'no such password from postgres'],
  ['of a socket that is not there', (url: URL) => url.searchParams.set('host', '/nowhere'), 'No PostgreSQL answers at /nowhere'],
  ['of a port where nobody listens', (url: URL) => ((url.search = ''), (url.port = '1')), 'No PostgreSQL answers at localhost:1'],
])('an address %s is refused in a sentence', async (_, change, sentence) => {
  const url = new URL(server.ownerUrl)
  change(url)
  const refused = await migrate(url.href).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(CannotStart)
  expect(String(refused)).toContain(sentence)
  expect(String(refused)).not.toContain(url.password)
})

test('an owner without a password is refused in words', () => {
  expect(() => addressesOf('postgresql://landlord@localhost/house')).toThrow('names no password')
})

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function addressFor(url: string, user: string, password: string): string {
  const address = new URL(url)
  Object.assign(address, { username: user, password, pathname: '/house' })
  return address.href
}

function inDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

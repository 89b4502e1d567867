import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runCommand } from '#apps/server/commands/run-command.ts'
import { fullDisks, warningsOf } from '#apps/server/machine-check.ts'
import { CannotStart } from '#base/server/cannot-start.ts'
import { readConfig } from '#base/server/config.ts'
import { connectionsPerProcess } from '#base/server/database/connection-count.ts'
import { freshDatabase, testKey, withDatabase, type TestDatabase } from '#base/testing/database.ts'
import { migrate } from '#database/migrate.ts'
import { assertSuitable } from '#database/suitable.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-suitable-'))
const made: string[] = []
let owner: pg.Client
let fresh: TestDatabase

beforeAll(async () => {
  owner = new pg.Client({ connectionString: inject('database').owner })
  await owner.connect()
  fresh = await freshDatabase()
})
afterAll(async () => {
  for (const name of made) await owner.query(`drop database ${name} with (force)`)
  await owner.end()
  await fresh.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function newDatabase(options: string): Promise<string> {
  const name = `test_suitable_${process.pid}_${made.length}`
  await owner.query(`create database ${name} template template0 ${options}`)
  made.push(name)
  return withDatabase(inject('database').owner, name)
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

async function refused(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CannotStart)
  return (error as Error).message
}

test.each(['SQL_ASCII', 'EUC_CN', 'LATIN1'])(
  'a database whose encoding is %s is refused before anything is written to it',
  async (encoding) => {
    const url = await newDatabase(`encoding '${encoding}' locale_provider libc locale 'C'`)
    const sentence = `The encoding of this database is ${encoding}`
    expect(await refused(migrate(url))).toContain(sentence)
    const config = readConfig({ TEAHOUSE_DATA: dataDir, TEAHOUSE_KEY: testKey, DATABASE_URL: url })
    await runCommand(['backup', join(dataDir, encoding)], readConfig({ ...backedUp(), DATABASE_URL: fresh.ownerUrl }))
    for (const words of [['migrate'], ['restore', join(dataDir, encoding)], ['staff', 'add', 'mei'], ['seed']])
      expect(await refused(runCommand(words, config))).toContain(sentence)
    expect(
      await ask(
        url,
        `select relname from pg_class where relnamespace in (select oid from pg_namespace where nspname !~ '^(pg_|information)')`,
      ),
    ).toEqual([])
  },
)

const backedUp = () => ({ TEAHOUSE_DATA: dataDir, TEAHOUSE_KEY: testKey })

// Node knows this name still, which the data of time zones has dropped.
test('a time zone that PostgreSQL does not know is refused, with how it gets to know it', async () => {
  await ask(fresh.ownerUrl, `insert into setting (name, value, changed_by) values ('timeZone', '"US/Pacific-New"', 'test')`)
  expect(await refused(migrate(fresh.ownerUrl))).toBe(
    'PostgreSQL does not know the time zone US/Pacific-New. Install its time zone data: the package tzdata of most systems.',
  )
  await ask(fresh.ownerUrl, `delete from setting where name = 'timeZone'`)
  expect((await migrate(fresh.ownerUrl)).ran).toBe(0)
})

test('all that is wrong with a server is said at once, each with its cure', async () => {
  const facts = { encoding: 'SQL_ASCII', version: '14.9 (Debian 14.9-1)', hasGist: false, mayHaveGist: false, has: false }
  const old = { query: async () => ({ rows: [facts] }) } as unknown as pg.Client
  const sentences = (await refused(assertSuitable(old))).split('\n')
  expect(sentences).toEqual([
    expect.stringMatching(/SQL_ASCII.*template0 encoding 'UTF8'/),
    expect.stringMatching(/^PostgreSQL is 14.*Upgrade/),
    expect.stringMatching(/btree_gist.*postgresql-contrib/),
  ])
})

test('too few connections and a locale of ASCII alone are warned of, and fewer processes need fewer', async () => {
  const client = new pg.Client({ connectionString: await newDatabase(`encoding 'UTF8' locale_provider libc locale 'C'`) })
  await client.connect()
  const machine = (processes: number | null) => ({ dataDir, processes, isEmbedded: false })
  await client.query(`alter database ${made.at(-1)} connection limit 60`)
  expect(await warningsOf(client, machine(null))).toEqual([expect.stringContaining("Databases made with: locale 'C.UTF-8'")])
  expect(await warningsOf(client, machine(4))).toEqual([
    expect.stringContaining(
      `PostgreSQL has 60 connections for this database, and this server alone may need ${4 * connectionsPerProcess(4)}`,
    ),
    expect.stringContaining('locale'),
  ])
  await client.end()
})

test('a full disk of the embedded database is refused, and a disk of others is warned of', async () => {
  // A file system without any space.
  const full = { dataDir: '/proc', processes: null }
  expect(fullDisks({ ...full, isEmbedded: true })).toEqual([expect.stringMatching(/^The disk of \/proc has 0 .* left.*Make room first\.$/)])
  expect(fullDisks({ ...full, isEmbedded: false })).toEqual([])
  const client = new pg.Client({ connectionString: fresh.ownerUrl })
  await client.connect()
  expect(await warningsOf(client, { ...full, isEmbedded: true })).toEqual([expect.stringContaining('The disk of /proc')])
  await client.end()
})

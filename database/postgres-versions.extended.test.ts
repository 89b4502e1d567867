import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { features } from '#apps/server/features.ts'
import { preflight } from '#apps/server/preflight.ts'
import { setSealingKey } from '#base/server/security/sealing.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { startEmbedded, type EmbeddedDatabase } from '#base/server/postgres/embedded.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { testKey, withDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { dumpInto, startOtherPostgres, type OtherPostgres } from '#base/testing/other-postgres.ts'
import { printedDefinitions, remake } from '#base/testing/remake.ts'
import { addComment } from '#comment/contract.ts'
import { guardDifferences } from '#database/guards.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { migrate } from '#database/migrate.ts'
import { banMember, memberView } from '#member/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
const folder = mkdtempSync(join(tmpdir(), 'teahouse-versions-'))
const file = join(folder, 'dump.sql')
let other: OtherPostgres
let bundled: EmbeddedDatabase
let old: string

beforeAll(async () => {
  other = await startOtherPostgres(join(folder, 'other'))
  bundled = await startEmbedded(join(folder, 'bundled'), quiet)
  old = await newDatabase(other.ownerUrl, 'forum')
  await migrate(old)
  // After the forums of the tests have closed.
  afterFile(async () => {
    await bundled.stop()
    await other.stop()
    rmSync(folder, { recursive: true, force: true })
  })
})

test('a forum starts on another version of PostgreSQL', async () => {
  expect(await preflight(old)).toEqual([])
  expect(await differences(old)).toEqual([])
})

test('dumped by pg_dump and restored without the two roles, it says so in a sentence, and starts', async () => {
  const restored = await newDatabase(bundled.ownerUrl, 'without_roles')
  await dumpInto(old, restored, file)
  expect((await migrate(restored)).ran).toBe(0)
  expect(await preflight(restored)).toEqual([expect.stringMatching(/^This database was restored without the roles .*[.]$/)])
  expect(await preflight(restored)).toEqual([])
  expect(await differences(restored)).toEqual([])
})

test.each([
  ['with the roles there', []],
  ['without rights or owners', ['--no-privileges', '--no-owner']],
])('restored into a newer PostgreSQL %s, it starts', async (_, options) => {
  const restored = await newDatabase(bundled.ownerUrl, `with_${options.length}_options`)
  await dumpInto(old, restored, file, ...options)
  await migrate(restored)
  expect(await preflight(restored)).toHaveLength(options.length / 2)
  expect(await differences(restored)).toEqual([])
})

test('a database made on an older PostgreSQL from the definitions a newer one prints starts', async () => {
  const newer = await newDatabase(bundled.ownerUrl, 'newer')
  await migrate(newer)
  const definitions = await withOwner(newer, printedDefinitions)
  await withOwner(old, (client) => remake(client, definitions))
  expect(await preflight(old)).toEqual([])
  expect(await differences(old)).toEqual([])
})

test('texts of a permanent ban and of a time zone do not depend on the version', async () => {
  const newer = await newDatabase(bundled.ownerUrl, 'telling')
  await migrate(newer)
  const [there, here] = [await toldOn(old), await toldOn(newer)]
  expect(there).toEqual(here)
  expect(there.bans).toEqual([{ from: 'comment', endsAt: null, isRunning: true }])
  expect(there.notices).toContainEqual({ kind: 'banned', from: ['comment'], endsAt: null, reason: 'Advertising.' })
  expect(there.zone).toHaveProperty('timeZone')
})

/** Bans, notifications and refusals as staff and a member of a forum on this database read them. */
async function toldOn(ownerUrl: string) {
  setSealingKey(Buffer.from(testKey, 'hex'))
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 8, minSize: 0, onLost: () => undefined })
  const forum = await aForum({ fresh: async () => ({ database, ownerUrl, close: () => database.close() }), isOneServer: true })
  const [chief, mei] = [await aStaffer(forum), await forum.member('mei_of_longjing')]
  const topicId = await aTopic(mei, await aTag(forum.database))
  await chief.call(banMember, { memberId: mei.id, from: ['comment'], reason: 'Advertising.' })
  const { error: refused } = await mei.tryCall(addComment, { topicId, body: says('Tea for sale.') })
  const { bans } = await chief.call(memberView, { memberId: mei.id })
  const { error: zone } = await chief.tryCall(changeSettings, { timeZone: 'CST' })
  return {
    refused,
    bans: bans.map(({ from, endsAt, isRunning }) => ({ from, endsAt, isRunning })),
    notices: (await noticesOf(mei)).map(({ says: said }) => said),
    zone,
  }
}

async function newDatabase(ownerUrl: string, name: string): Promise<string> {
  await withOwner(ownerUrl, (client) => client.query(`create database ${name}`))
  return withDatabase(ownerUrl, name)
}

async function withOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function differences(ownerUrl: string): Promise<string[]> {
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 2, minSize: 0, onLost: () => undefined })
  try {
    const { rows } = await guardDifferences().execute(database.reader)
    return rows.map(({ what }) => what)
  } finally {
    await database.close()
  }
}

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase, setStatementTimeout, withDatabase } from '#base/testing/database.ts'
import { writeBackup } from '#database/backup.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { restore } from '#database/restore.ts'
import { declareFreeKinds } from '#wallet/testing/factories.ts'
import { diskStorage } from '#file/server/disk-storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-backup-'))
const files = join(folder, 'files')
const storage = diskStorage(files)
const { database, ownerUrl, close } = await freshDatabase()
await database.close()
const client = new pg.Client({ connectionString: ownerUrl })
await client.connect()

let backup: string
let count = 0

beforeEach(async () => {
  await client.query(declareFreeKinds)
  backup = join(folder, `backup-${++count}`)
  await client.query(`
    insert into member (account, account_key, password_hash) values ('mei${count}', 'mei${count}', E'a tab\\t, a backslash \\\\ and 茶'), ('ann${count}', 'ann${count}', '');
    insert into file (id, owner_id, kind, type, width, height, bytes, sha256) values ('f_${count}', 1, 'avatar', 'image/webp', 1, 1, 1, '\\x00ff');
    update member set avatar = 'f_${count}' where id = 1;
    insert into role_holding (member_id, role_id, during) values (${count}, 1, tstzrange(now(), null));
    insert into setting (name, value, changed_by) values ('title${count}', '"A title"', 'test')`)
  await client.query('select ledger.post($1)', [gift(1)])
  await storage.put(`f_${count}.webp`, Buffer.from(`picture ${count}`))
})

afterEach(() => rmSync(backup, { recursive: true, force: true }))

afterAll(async () => {
  // The check of the books needs the kind that this file wrote with, which no backup contains.
  await client.query(declareFreeKinds)
  await client.end()
  await close()
  rmSync(folder, { recursive: true })
})

test('a restored forum has the same rows in every table', async () => {
  const before = await fingerprint()
  await write()
  await change()
  expect(await fingerprint()).not.toEqual(before)

  await restore({ ownerUrl, files, folder: backup, replaces: true })
  expect(await fingerprint()).toEqual(before)
})

test('a backup is written and restored even with a short statement timeout', async () => {
  const before = await fingerprint()
  await setStatementTimeout(ownerUrl, true)
  await write()
  await restore({ ownerUrl, files, folder: backup, replaces: true })
  await setStatementTimeout(ownerUrl, false)
  expect(await fingerprint()).toEqual(before)
})

test('new rows get numbers that no restored row has', async () => {
  await write()
  await restore({ ownerUrl, files, folder: backup, replaces: true })
  const { rows } = await client.query(
    "insert into member (account, account_key, password_hash) values ('new', 'new', '') returning id = (select max(id) + 1 from member) as follows",
  )
  expect(rows).toEqual([{ follows: true }])
})

test('the schema is the same after a restore, with its references', async () => {
  const before = await shape()
  await write()
  await restore({ ownerUrl, files, folder: backup, replaces: true })
  expect(await shape()).toEqual(before)
})

test('uploaded files come back, and newer ones are left alone', async () => {
  await write()
  await storage.remove(`f_${count}.webp`)
  await storage.put('f_newer.webp', Buffer.from('newer'))
  await restore({ ownerUrl, files, folder: backup, replaces: true })

  expect(await contentOf(`f_${count}.webp`)).toBe(`picture ${count}`)
  expect(await contentOf('f_newer.webp')).toBe('newer')
})

test('a forum with members is not replaced unless one insists', async () => {
  await write()
  const before = await fingerprint()
  await expect(restore({ ownerUrl, files, folder: backup, replaces: false })).rejects.toThrow('add --yes')
  expect(await fingerprint()).toEqual(before)
})

test('a backup can be restored into an empty database', async () => {
  await write()
  const before = await fingerprint()
  await withEmptyDatabase(async (url) => {
    await restore({ ownerUrl: url, files, folder: backup, replaces: false })
    expect(await askAt(url, fingerprintOf)).toEqual(before)
  })
})

test('a truncated file is refused, and nothing is changed', async () => {
  await write()
  const table = join(backup, 'tables/member.gz')
  truncateSync(table, statSync(table).size - 1)
  await expectRefusal('tables/member.gz is not as it was written')
})

test('a file that is missing is refused, and nothing is changed', async () => {
  await write()
  rmSync(join(backup, 'tables/role.gz'))
  await expectRefusal('tables/role.gz is not as it was written')
})

test('a picture that was changed is refused', async () => {
  const manifest = await write()
  const path = manifest.files[0]?.path ?? ''
  writeFileSync(join(backup, path), 'another')
  await expectRefusal(`${path} is not as it was written`)
})

test('a backup of a newer forum is refused', async () => {
  await write()
  editManifest((text) => text.replace('0001-ground.sql', '9999-tomorrow.sql'))
  await expectRefusal('newer Teahouse, which has 9999-tomorrow.sql')
})

test('a backup with other tables for its migrations is refused', async () => {
  await write()
  editManifest((text) => {
    const manifest = JSON.parse(text)
    manifest.tables = manifest.tables.filter((table: { name: string }) => table.name !== 'known_right')
    return JSON.stringify(manifest)
  })
  await expectRefusal('before the first release')
})

test('a manifest that names files elsewhere is refused', async () => {
  await write()
  editManifest((text) => text.replace('tables/member.gz', '../member.gz'))
  await expectRefusal('damaged')
})

test('a restore that fails half-way leaves everything as it was', async () => {
  await write()
  // The last table to load claims one row more than it has.
  editManifest((text) => {
    const manifest = JSON.parse(text)
    manifest.tables.at(-1).rows++
    return JSON.stringify(manifest)
  })
  await expectRefusal('rows of')
})

test('a database that is not a forum is left alone', async () => {
  await write()
  await withEmptyDatabase(async (url) => {
    await askAt(url, (other) => other.query('create table invoice (id int)'))
    await expect(restore({ ownerUrl: url, files, folder: backup, replaces: true })).rejects.toThrow('not a forum')
  })
})

test('a backup does not overwrite anything, and only its owner may read it', async () => {
  await write()
  await expect(write()).rejects.toThrow('holds something already')
  expect(statSync(backup).mode & 0o077).toBe(0)
  expect(statSync(join(backup, 'tables/member.gz')).mode & 0o077).toBe(0)
})

test('a backup that fails leaves nothing behind', async () => {
  const writes = writeBackup({ ownerUrl: withDatabase(ownerUrl, 'nowhere'), files, folder: backup, now: new Date() })
  await expect(writes).rejects.toThrow('no database called nowhere')
  expect(existsSync(backup)).toBe(false)
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([])
})

test('the books are there after a restore, and still immutable', async () => {
  const balance = 'select balance from ledger.account where owner_id = 1'
  await write()
  const before = await client.query(balance)
  await client.query('select ledger.post($1)', [gift(2)])
  await restore({ ownerUrl, files, folder: backup, replaces: true })
  expect((await client.query(balance)).rows).toEqual(before.rows)
  await expect(client.query('delete from ledger.entry')).rejects.toThrow('never change')
  await client.query(declareFreeKinds)
  await client.query('select ledger.post($1)', [gift(3)])
})

test('private messages are in a backup, and after a restore hidden from the program as before', async () => {
  await client.query(`
    insert into welcome_message (body, segments, text) values ('{}', '[]', 'Welcome') on conflict do nothing;
    insert into message (low_id, high_id, author_id, key, body, segments, text) values (1, 2, 1, gen_random_uuid(), '{}', '[]', 'Good morning');
    insert into conversation_participant (member_id, other_id, last_id) values (1, 2, 1), (2, 1, 1)`)
  const before = await fingerprint()
  await write()
  await client.query('delete from message; delete from conversation_participant; delete from welcome_message')
  await restore({ ownerUrl, files, folder: backup, replaces: true })
  expect(await fingerprint()).toEqual(before)
  await askAt(addressesOf(ownerUrl).app, async (app) => {
    expect((await app.query('select from message')).rowCount).toBe(0)
    await app.query(`select set_config('app.member_id', '2', false)`)
    expect((await app.query('select text from message')).rows).toEqual([{ text: 'Good morning' }])
  })
})

// The last test: it changes the ids of the roles.
test('a backup from before a migration is brought up to it', async () => {
  const added = '0014-standard-roles.sql'
  await client.query('delete from role_holding; delete from role_right; delete from role; delete from level')
  await client.query('delete from migration where name = $1', [added])
  expect((await write()).migrations).not.toContain(added)

  await restore({ ownerUrl, files, folder: backup, replaces: true })
  const { rows } = await client.query(
    'select (select count(*)::int from level) as levels, exists (select from migration where name = $1) as ran',
    [added],
  )
  expect(rows).toEqual([{ levels: 7, ran: true }])
})

function gift(part: number): string {
  const lines = [
    { name: 'member', owner: 1, currency: 'points', amount: 5 },
    { name: 'adjustment', currency: 'points', amount: -5 },
  ]
  return JSON.stringify([{ kind: 'testGift', source: `${count}:${part}`, actor_kind: 'forum', earns: true, lines }])
}

function write() {
  return writeBackup({ ownerUrl, files, folder: backup, now: new Date() })
}

async function expectRefusal(words: string): Promise<void> {
  await change()
  const before = await fingerprint()
  await expect(restore({ ownerUrl, files, folder: backup, replaces: true })).rejects.toThrow(words)
  expect(await fingerprint()).toEqual(before)
}

async function change(): Promise<void> {
  await client.query(`
    update member set nickname = 'changed' || id, nickname_key = 'changed' || id;
    delete from role_holding where id = (select max(id) from role_holding);
    insert into level (name_zh, name_en, needs_points) select 'x', 'x', max(needs_points) + 1 from level`)
}

function editManifest(edit: (text: string) => string): void {
  const path = join(backup, 'manifest.json')
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
}

async function contentOf(name: string): Promise<string> {
  const stored = await storage.get(name)
  return stored ? (await buffer(stored.stream)).toString() : 'nothing'
}

async function withEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${process.pid}_${count}`
  await client.query(`create database ${name}`)
  try {
    await work(withDatabase(ownerUrl, name))
  } finally {
    await client.query(`drop database ${name} with (force)`)
  }
}

async function askAt<T>(url: string, ask: (other: pg.Client) => Promise<T>): Promise<T> {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  try {
    return await ask(other)
  } finally {
    await other.end()
  }
}

function fingerprint(): Promise<Record<string, string>> {
  return fingerprintOf(client)
}

async function fingerprintOf(one: pg.Client): Promise<Record<string, string>> {
  const { rows } = await one.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'ledger') and tablename not in ('invalidation', 'kind') order by 1",
  )
  const prints: Record<string, string> = {}
  for (const { name } of rows) {
    const found = await one.query<{ print: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '') as print from ${name} as t`,
    )
    prints[name] = found.rows[0]?.print ?? ''
  }
  return prints
}

async function shape(): Promise<unknown[]> {
  const { rows } = await client.query(`
    select conrelid::regclass::text as place, conname, pg_get_constraintdef(oid) as text from pg_constraint where connamespace in ('public'::regnamespace, 'ledger'::regnamespace)
    union all select tablename, indexname, indexdef from pg_indexes where schemaname in ('public', 'ledger')
    union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all select c.oid::regclass::text, attname, format_type(atttypid, atttypmod) || attidentity::text || array_to_string(attacl, ',') || coalesce(array_to_string(relacl, ','), '')
      from pg_attribute join pg_class c on c.oid = attrelid where relnamespace in ('public'::regnamespace, 'ledger'::regnamespace) and attnum > 0 and relkind = 'r'
    order by 1, 2, 3`)
  return rows
}

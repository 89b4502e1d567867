import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#base/server/database/database.ts'
import { sampleDatabase } from '#base/testing/sample.ts'
import { closedColumns, closedTables } from '#database/reader-columns.ts'
import { secretsNamed } from '#exporter/server/exporter.ts'
import { anExport, asOwner, linesIn } from '#base/testing/exports.ts'
import { kinds, type SecretName } from '#importer/server/importer.ts'

const sample = await sampleDatabase()
afterAll(() => sample.close())

/** Texts that stand nowhere but in a secret place, written there past the program. */
const canary = (place: string) => `canary of ${place}`
const canaries = ['totp', 'setting', 'model', 'identity', 'secret', 'push', 'recovery', 'token', 'invitation', 'note', 'realName'].map(
  canary,
)

beforeAll(() =>
  asOwner(sample, async (tx) => {
    const [bytes, member] = [(place: string) => Buffer.from(canary(place)), sql`(select min(id) from member)`]
    await sql`update staff set totp_secret = ${bytes('totp')}`.execute(tx)
    await sql`insert into setting (name, value, changed_by, sealed) values ('canary', 'null', 'test', ${bytes('setting')})`.execute(tx)
    await sql`insert into secret (name, value) values ('canary', ${bytes('secret')})`.execute(tx)
    await sql`insert into recovery_code (member_id, hash) values (${member}, ${bytes('recovery')})`.execute(tx)
    await sql`insert into second_factor (member_id, secret) values (${member}, ${bytes('totp')})`.execute(tx)
    await sql`insert into personal_access_token (member_id, name, hash, scopes, expires_at) values (${member}, 'mine', ${bytes('token')}, '{read}', now())`.execute(
      tx,
    )
    await sql`insert into assistant_model (name, protocol, address, model, api_key, jobs, is_enabled, context_tokens)
      values ('it', 'openai', 'https://model.example.org', 'it', ${bytes('model')}, '{}', false, 8000)`.execute(tx)
    await sql`insert into identity_provider (protocol, name_zh, name_en, address, client_id, client_secret, is_enabled)
      values ('oidc', 'it', 'it', 'https://login.example.org', 'it', ${bytes('identity')}, false)`.execute(tx)
    await sql`insert into invitation (hash, code, staff_id, uses) values (${bytes('invitation')}, ${bytes('invitation')}, (select min(id) from staff), 1)`.execute(
      tx,
    )
    await sql`insert into member_note (member_id, staff_id, text) values (${member}, (select min(id) from staff), ${canary('note')})`.execute(
      tx,
    )
  }),
)

/** All that an export says, in its rows and the names of its files. */
async function textOf(secrets: readonly SecretName[]): Promise<string> {
  const folder = await anExport(sample, secrets)
  const files = kinds.map((kind) => readFile(join(folder, `${kind}.jsonl`), 'utf8'))
  return [...(await Promise.all(files)), ...(await readdir(join(folder, 'files')))].join('\n')
}

type Value = { place: string; forms: string[] }

/** The values of columns that the reader may not select, in the forms that a text can have them in. */
async function closedValues(tx: Db): Promise<Value[]> {
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'bytea') and table_name = any(${[...closedTables, ...Object.keys(closedColumns)]})`.execute(
    tx,
  )
  const closed = columns.filter(({ name, column }) => {
    const only: Readonly<Record<string, readonly string[]>> = closedColumns
    return only[name]?.includes(column) ?? !['kind', 'purpose', 'subject', 'name', 'state', 'route', 'nonce', 'jump_url'].includes(column)
  })
  const values: Value[] = []
  for (const { name, column } of closed) {
    const { rows } = await sql<{
      value: string | Buffer
    }>`select ${sql.ref(column)} as value from ${sql.table(name)} where ${sql.ref(column)} is not null`.execute(tx)
    for (const { value } of rows) if (value.length >= 8) values.push({ place: `${name}.${column}`, forms: formsOf(value) })
  }
  return values
}

function formsOf(value: string | Buffer): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)]
  const texts = (['hex', 'base64', 'base64url'] as const).map((encoding) => value.toString(encoding))
  return [...texts, JSON.stringify([...value]).slice(1, -1), value.toString()].map((text) => text.replaceAll('\0', ''))
}

async function placesIn(text: string): Promise<string[]> {
  const values = await asOwner(sample, closedValues)
  expect(values.length).toBeGreaterThan(30)
  return [...new Set(values.flatMap(({ place, forms }) => (forms.some((form) => form !== '' && text.includes(form)) ? [place] : [])))]
}

test('no value of a secret column is in an export, unless it is asked for by name', async () => {
  const text = await textOf([])
  expect(await placesIn(text)).toEqual([])
  expect(canaries.filter((one) => text.includes(one) || text.includes(Buffer.from(one).toString('base64')))).toEqual([])
  expect(await placesIn(await textOf(['messages', 'hidden']))).toEqual([])
  expect(await placesIn(await textOf(['passwords']))).toEqual(['member.password_hash'])
})

/** Words of texts that only some may read, each with the post that it is in. */
async function secretWords(name: 'hidden' | 'messages'): Promise<string[]> {
  const query =
    name === 'hidden'
      ? sql<{ text: string }>`select jsonb_path_query(document, '$.**.text') #>> '{}' as text from hidden.part where position is not null`
      : sql<{ text: string }>`select jsonb_path_query(body, '$.**.text') #>> '{}' as text from message`
  const { rows } = await asOwner(sample, (tx) => query.execute(tx))
  const words = rows.map(({ text }) => JSON.stringify(text).slice(1, -1)).filter((text) => text.length > 12)
  expect(words.length).toBeGreaterThan(3)
  return words
}

test.each(['hidden', 'messages'] as const)('what is called %s comes only if it is named', async (name) => {
  const [words, others] = [await secretWords(name), await textOf(name === 'hidden' ? ['messages', 'passwords'] : ['hidden', 'passwords'])]
  expect(words.filter((word) => others.includes(word))).toEqual([])
  const named = await textOf([name])
  expect(words.filter((word) => !named.includes(word))).toEqual([])
})

test('a hidden part that is not asked for is an empty place with a note, and nobody can pay for it later', async () => {
  const { threads } = await linesIn(await anExport(sample))
  const hidden = threads.flatMap(({ opening }) => {
    const { body } = opening as { body: { document: { content: { type: string }[] }; notes: string[]; partHashes: object } }
    return body.document.content.some(({ type }) => type === 'hidden') ? [body] : []
  })
  expect(hidden.length).toBeGreaterThan(0)
  for (const { document, notes, partHashes } of hidden) {
    expect(notes).toEqual(['hidden part without its text'])
    expect(partHashes).toEqual({})
    const parts = document.content.filter(({ type }) => type === 'hidden').map((block) => Object.keys(block))
    expect(parts).toEqual(parts.map(() => ['type', 'attrs']))
  }
})

test('the first line of each file says which secrets it holds', async () => {
  const folder = await anExport(sample, ['messages', 'passwords'])
  for (const kind of kinds) {
    const [line = ''] = (await readFile(join(folder, `${kind}.jsonl`), 'utf8')).split('\n')
    expect(JSON.parse(line)).toMatchObject({ program: 'teahouse', format: 1, kind, secrets: ['passwords', 'messages'] })
  }
})

test('secrets are named one by one, and an unknown name is refused', () => {
  expect([...secretsNamed('passwords, hidden')]).toEqual(['passwords', 'hidden'])
  expect([...secretsNamed(undefined)]).toEqual([])
  expect(() => secretsNamed('everything')).toThrow('There is no secret called everything. There are: passwords, messages, hidden.')
})

test('a file that only an earlier version of a post or a hidden part shows is as secret as that', async () => {
  const { rows } = await asOwner(sample, (tx) =>
    sql<{ id: string; topic: string }>`
    with seen as (select file_id, topic_id from file_use where topic_id is not null and comment_id is null and part_id is null limit 1),
      cut as (update topic set body = '{"type":"doc","content":[{"type":"paragraph"}]}' from seen where topic.id = seen.topic_id)
    select file_id as id, topic_id as topic from seen`.execute(tx),
  )
  const [{ id } = { id: '' }] = rows
  expect(id).not.toBe('')
  const { files } = await linesIn(await anExport(sample, ['passwords', 'messages', 'hidden']))
  expect(files.map((row) => row['id'])).not.toContain(id)
})

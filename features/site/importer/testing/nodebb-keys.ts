import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { serialize } from 'bson'
import { Redis } from 'ioredis'
import pg from 'pg'

/** A key of a NodeBB with its value: a hash, a sorted set with the scores of its members, a set, or a text. */
export type Key =
  | { key: string; hash: Record<string, unknown> }
  | { key: string; sorted: Record<string, number> }
  | { key: string; set: string[] }
  | { key: string; text: string }

/** The keys of a small NodeBB, as its own program wrote them into Redis. */
export function keysFromRedis(): Key[] {
  type Row = { key: string } & (
    | { type: 'hash'; value: Record<string, string> }
    | { type: 'zset'; value: { value: string; score: number }[] }
    | { type: 'set' | 'list'; value: string[] }
    | { type: 'string'; value: string }
  )
  return linesOf<Row>('nodebb-redis.jsonl').flatMap((row): Key[] => {
    const { key } = row
    if (row.type === 'hash') return [{ key, hash: row.value }]
    if (row.type === 'zset') return [{ key, sorted: Object.fromEntries(row.value.map(({ value, score }) => [value, score])) }]
    if (row.type === 'set') return [{ key, set: row.value }]
    return row.type === 'string' ? [{ key, text: row.value }] : []
  })
}

export type PostgresRow = { table: string; row: Record<string, unknown> }

/** The rows of the same doings, as NodeBB wrote them into PostgreSQL. */
export function rowsFromPostgres(): PostgresRow[] {
  return linesOf<PostgresRow>('nodebb-postgres.jsonl')
}

function linesOf<T>(name: string): T[] {
  const text = readFileSync(join(import.meta.dirname, 'rows', name), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
}

export async function fillRedis(url: string, keys: readonly Key[]): Promise<void> {
  const client = new Redis(url)
  for (const one of keys) {
    if ('hash' in one)
      await client.hset(one.key, Object.fromEntries(Object.entries(one.hash).map(([name, value]) => [name, String(value)])))
    else if ('sorted' in one) for (const [member, score] of Object.entries(one.sorted)) await client.zadd(one.key, score, member)
    else if ('set' in one) await client.sadd(one.key, one.set)
    else await client.set(one.key, one.text)
  }
  client.disconnect()
}

const tables = `
  create schema nodebb;
  create type legacy_object_type as enum ('hash', 'zset', 'set', 'list', 'string');
  create table legacy_object (_key text not null primary key, type legacy_object_type not null, "expireAt" timestamptz, unique (_key, type));
  create table legacy_hash (_key text primary key, data jsonb not null, type legacy_object_type not null default 'hash');
  create table legacy_zset (_key text, value text, score numeric not null, type legacy_object_type not null default 'zset', primary key (_key, value));
  create table legacy_set (_key text, member text, type legacy_object_type not null default 'set', primary key (_key, member));
  create table legacy_list (_key text primary key, "array" text[] not null, type legacy_object_type not null default 'list');
  create table legacy_string (_key text primary key, data text not null, type legacy_object_type not null default 'string');`

const inserts: Record<string, string> = {
  legacy_object: 'insert into legacy_object select * from jsonb_populate_record(null::legacy_object, $1)',
  legacy_hash: `insert into legacy_hash select _key, data, 'hash' from jsonb_populate_record(null::legacy_hash, $1)`,
  legacy_zset: `insert into legacy_zset select _key, value, score, 'zset' from jsonb_populate_record(null::legacy_zset, $1)`,
  legacy_set: `insert into legacy_set select _key, member, 'set' from jsonb_populate_record(null::legacy_set, $1)`,
  legacy_list: `insert into legacy_list select _key, "array", 'list' from jsonb_populate_record(null::legacy_list, $1)`,
  legacy_string: `insert into legacy_string select _key, data, 'string' from jsonb_populate_record(null::legacy_string, $1)`,
}

/** An address as the operator gives it, with its password apart. */
export function apart(address: string): { url: string; password: string } {
  const url = new URL(address)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { url: url.href, password }
}

/** Makes NodeBB's tables in a schema of their own, and gives the address that reads there. */
export async function fillPostgres(
  ownerUrl: string,
  rows: readonly PostgresRow[],
  keys: readonly Key[],
): Promise<ReturnType<typeof apart>> {
  const url = new URL(ownerUrl)
  url.searchParams.set('options', '-c search_path=nodebb')
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(tables)
  for (const { table, row } of [...rows, ...keys.flatMap(rowsOf)]) await client.query(inserts[table] ?? '', [JSON.stringify(row)])
  await client.end()
  return apart(url.href)
}

function rowsOf(one: Key): PostgresRow[] {
  const { key: _key } = one
  const object = (type: string): PostgresRow => ({ table: 'legacy_object', row: { _key, type } })
  if ('hash' in one) return [object('hash'), { table: 'legacy_hash', row: { _key, data: withNumbers(one.hash) } }]
  if ('text' in one) return [object('string'), { table: 'legacy_string', row: { _key, data: one.text } }]
  if ('set' in one) return [object('set'), ...one.set.map((member) => ({ table: 'legacy_set', row: { _key, member } }))]
  return [object('zset'), ...Object.entries(one.sorted).map(([value, score]) => ({ table: 'legacy_zset', row: { _key, value, score } }))]
}

/** What NodeBB hands to a database as numbers, which Redis alone stores as text. `teaserPid` is text everywhere. */
function withNumbers(hash: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(hash).map(([name, value]) => [name, name !== 'teaserPid' && /^-?\d{1,15}$/.test(String(value)) ? Number(value) : value]),
  )
}

/** Writes a folder as `mongodump` does, with the collection of NodeBB in it, and gives its path. */
export function writeDump(folder: string, keys: readonly Key[], { isZipped = false } = {}): string {
  const path = join(folder, 'dump')
  mkdirSync(join(path, 'nodebb'), { recursive: true })
  const bytes = Buffer.concat(keys.flatMap(documentsOf).map((document, at) => Buffer.from(serialize({ _id: at, ...document }))))
  writeFileSync(join(path, 'nodebb', `objects.bson${isZipped ? '.gz' : ''}`), isZipped ? gzipSync(bytes) : bytes)
  return path
}

function documentsOf(one: Key): Record<string, unknown>[] {
  const { key: _key } = one
  if ('hash' in one) {
    const fields = Object.entries(withNumbers(one.hash)).map(([name, value]) => [name.replaceAll('.', '\uff0e'), value] as const)
    return [{ _key, ...Object.fromEntries(fields) }]
  }
  if ('text' in one) return [{ _key, data: one.text }]
  if ('set' in one) return [{ _key, members: one.set }]
  return Object.entries(one.sorted).map(([value, score]) => ({ _key, value, score }))
}

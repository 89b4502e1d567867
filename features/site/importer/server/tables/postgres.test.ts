import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { CannotStart } from '#base/server/cannot-start.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { withDatabase } from '#base/testing/database.ts'
import { openPostgres } from '#importer/server/tables/postgres.ts'
import { contractSql, testSourceTables } from '#importer/testing/source-tables-contract.ts'

const name = `source_tables_${process.pid}`
const owner = new URL(withDatabase(inject('database').owner, name))
const password = decodeURIComponent(owner.password)
const url = addressOf(owner)

beforeAll(async () => {
  await run(inject('database').owner, `create database ${name}`)
  await run(owner.href, contractSql({ dateTime: 'timestamp', large: 'bigint' }))
  await run(
    owner.href,
    `create schema other; create table other."odd ""name" (id int); create table other.plain (id uuid, b bytea, j jsonb)`,
  )
  await run(owner.href, `insert into other.plain values ('00000000-0000-0000-0000-000000000001', '\\x00ff', '{"a": "茶"}')`)
  afterFile(() => run(inject('database').owner, `drop database ${name} with (force)`))
})

describe('PostgreSQL', () => {
  testSourceTables(() => openPostgres({ url, password }))
})

test('another schema is read where the address names one, and its bytes are bytes', async () => {
  const source = await openPostgres({ url: `${url}${url.includes('?') ? '&' : '?'}schema=other`, password })
  expect(await source.tables()).toEqual(['plain'])
  const keys = [{ column: 'id', kind: 'text' }] as const
  const [row] = await source.page('plain', { columns: ['id', 'b', 'j'], keys, after: ['00000000-0000-0000-0000-000000000000'], limit: 2 })
  expect(row?.['b']).toEqual(Buffer.from([0, 255]))
  expect(row?.['j']?.toString()).toBe('{"a": "茶"}')
  await source.close()
})

test('a connection that cannot be made says what to do', async () => {
  await expect(openPostgres({ url, password: 'wrong' })).rejects.toThrow('See to the user and the password')
  await expect(openPostgres({ url: url.replace(name, 'nowhere_at_all'), password })).rejects.toThrow('no database called nowhere_at_all')
  await expect(openPostgres({ url: 'postgres://a@nowhere.invalid/b', password })).rejects.toThrow('See to the address')
  await expect(openPostgres({ url: 'postgres://a@127.0.0.1:1/b', password })).rejects.toThrow('No PostgreSQL answers at 127.0.0.1:1')
  await expect(openPostgres({ url: 'postgres://a:b@127.0.0.1/b', password })).rejects.toThrow('Leave it out')
  await expect(openPostgres({ url: 'mysql://a@127.0.0.1/b', password })).rejects.toThrow(CannotStart)
})

function addressOf(address: URL): string {
  const copy = new URL(address)
  copy.password = ''
  return copy.href
}

async function run(address: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(text)
  await client.end()
}

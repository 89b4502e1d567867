import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database } from '#base/server/database.ts'
import { addressesOf } from '#database/migrate.ts'

/** A database of this test's own, migrated and empty, gone when the test file ends. */
export async function freshDatabase(): Promise<{ database: Database; ownerUrl: string; close(): Promise<void> }> {
  const { owner, template } = inject('database')
  const name = `test_${process.pid}_${performance.now().toString().replace('.', '_')}`
  await asOwner(owner, `create database ${name} template ${template} strategy file_copy`)
  const ownerUrl = withDatabase(owner, name)
  const database = openDatabase(addressesOf(ownerUrl), { size: 12, onLost: () => undefined })
  return {
    database,
    ownerUrl,
    async close() {
      await database.close()
      await asOwner(owner, `drop database ${name} with (force)`)
    },
  }
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function asOwner(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

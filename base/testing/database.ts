import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { features } from '#apps/server/features.ts'
import { openDatabase, type Database } from '#base/server/database/database.ts'
import { setSealingKey } from '#base/server/security/sealing.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** The encryption key of all test forums, so that they can share encrypted data. */
export const testKey = '7ea40c5e'.repeat(8)

export type TestDatabase = { database: Database; ownerUrl: string; close(): Promise<void> }

/** A migrated, empty database for one test file, dropped at its end. Reads go to a replica if requested and available. */
export function freshDatabase({ isReplicated = false } = {}): Promise<TestDatabase> {
  setSealingKey(Buffer.from(testKey, 'hex'))
  return copyOf(inject('database').template, isReplicated)
}

/** Lets this process forget what it has cached under these tags, after a write that went past the program. */
export function invalidateNow({ invalidations }: Database, ...tags: string[]): void {
  invalidations.announce(new Set(tags))
}

/** The same, filled as `fill` fills one: by the first who asks for it in a run, and copied for all others. */
export async function filledDatabase(called: string, fill: (database: Database) => Promise<void>): Promise<TestDatabase> {
  setSealingKey(Buffer.from(testKey, 'hex'))
  await withRunLock(called, async (owner) => {
    const { rows } = await owner.query('select from pg_database where datname = $1', [called])
    if (rows.length === 0) await fillNew(called, inject('database').template, fill)
  })
  return copyOf(called)
}

/** Runs `make` under a lock by name that all processes of the run share. */
export async function withRunLock<T>(called: string, make: (owner: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('database').owner })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [called])
    return await make(client)
  } finally {
    await client.end()
  }
}

async function fillNew(called: string, template: string, fill: (database: Database) => Promise<void>): Promise<void> {
  const { owner } = inject('database')
  const making = `${called}_making`
  await asOwner(owner, `drop database if exists ${making} with (force)`)
  await asOwner(owner, `create database ${making} template ${template} strategy file_copy`)
  const database = openDatabase(addressesOf(withDatabase(owner, making)), { features, size: 4, onLost: () => undefined })
  try {
    await fill(database)
  } finally {
    await database.close()
  }
  await asOwner(owner, `alter database ${making} rename to ${called}`)
}

async function copyOf(template: string, isReplicated = false): Promise<TestDatabase> {
  const { owner } = inject('database')
  const name = `test_${process.pid}_${performance.now().toString().replace('.', '_')}`
  await asOwner(owner, `create database ${name} template ${template} strategy file_copy`)
  const ownerUrl = withDatabase(owner, name)
  const replica = isReplicated ? replicaOf(ownerUrl) : null
  if (replica) await untilReplicated(replica)
  // One PostgreSQL serves all that run beside each other.
  const database = openDatabase(addressesOf(ownerUrl, replica), { features, size: 12, minSize: 0, idleMs: 5_000, onLost: () => undefined })
  return {
    database,
    ownerUrl,
    async close() {
      await database.close()
      const breaches = await breachesAt(ownerUrl)
      await asOwner(owner, `drop database ${name} with (force)`)
      if (breaches.length > 0) throw new Error(`The books are not right: ${JSON.stringify(breaches)}`)
    },
  }
}

// The ledger must be consistent after every test file that posted to it.
async function breachesAt(ownerUrl: string) {
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 1, minSize: 0, onLost: () => undefined })
  try {
    const posted = await database.reader.selectFrom('ledger.transaction').select('id').limit(1).execute()
    const filled = await database.reader.selectFrom('ledger.account').select('id').where('balance', '<>', '0').limit(1).execute()
    return posted.length + filled.length === 0 ? [] : await wallet.breachesIn(database, wallet.ledgerChecks, null)
  } finally {
    await database.close()
  }
}

/** Sets a statement timeout for a database's new connections, as an operator may, or removes it. */
export async function setStatementTimeout(ownerUrl: string, isSo: boolean): Promise<void> {
  const name = pg.escapeIdentifier(new URL(ownerUrl).pathname.slice(1))
  // This connection would be under the very limit that it lifts.
  await asOwner(`${ownerUrl}&statement_timeout=0`, `alter database ${name} set statement_timeout = '${isSo ? 50 : 0}ms'`)
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** The same database on the replica; null if there is none. */
export function replicaOf(ownerUrl: string): string | null {
  const { replica } = inject('database')
  return replica && withDatabase(replica, new URL(ownerUrl).pathname.slice(1))
}

// A new database reaches the replica with a delay.
async function untilReplicated(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '3D000') throw error
    await setTimeout(50)
    await untilReplicated(url)
  }
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

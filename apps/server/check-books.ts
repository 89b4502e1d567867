import type pg from 'pg'
import { bookChecks, features } from '#apps/server/features.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { pending } from '#database/migrate.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import type { Breach } from '#wallet/server/breaches.ts'

/** Checks the books of a database before a backup or after a restore; a breach freezes them. A database that is not migrated is skipped. */
export async function checkBooksAt(ownerUrl: string): Promise<Breach[]> {
  if (!(await isMigrated(ownerUrl))) return []
  const database = openDatabase(addressesOf(ownerUrl), { features, size: 1, minSize: 0, onLost: () => undefined })
  try {
    return await checkLedger(database.longRunning, bookChecks, { isFull: true })
  } finally {
    await database.close()
  }
}

/** The breaches as text for the operator. */
export function breachesMessage(breaches: readonly Breach[]): string {
  if (breaches.length === 0) return ''
  return `\nThe books of points and balance are not right, and are frozen:\n${breaches.map(({ check, what }) => `${what}: ${check}`).join('\n')}`
}

async function isMigrated(ownerUrl: string): Promise<boolean> {
  const client: pg.Client = await connectAsOwner(ownerUrl)
  try {
    const { rows } = await client.query<{ isOurs: boolean }>('select to_regclass(\'public.migration\') is not null as "isOurs"')
    return rows[0]?.isOurs === true && (await pending(client)).length === 0
  } finally {
    await client.end()
  }
}

import type { Database } from '#base/server/database.ts'
import { transact } from '#base/server/database.ts'
import { minorOf, type Currency } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

let gifts = 0

/** Gives a member something to offer. */
export async function endow(database: Database, memberId: string, amount: number, currency: Currency = 'points'): Promise<void> {
  const cause = { kind: 'adjustment', source: `gift:${++gifts}:${memberId}`, by: { kind: 'forum' } } as const
  await transact(database, (tx) => wallet.credit(tx, { ...cause, to: memberId, currency, amount: minorOf(amount), account: 'adjustment' }))
}

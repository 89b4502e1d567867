import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { currencies, toMinor } from '#wallet/contract.ts'
import { reopenAccount } from '#wallet/server/closing.ts'
import { accountsOf } from '#wallet/server/log.ts'
import { post, type Line } from '#wallet/server/post.ts'

type Pair = { from: string; into: string }

/**
 * Moves a member's balances, debts and earned points to another account. `mergingId` names the merging; both members are locked. The first account is closed
 * afterwards: a concurrent payer waits here, gets a serialization failure and retries.
 */
export async function membersMerged(tx: Db, { from, into, mergingId }: Pair & { mergingId: string }): Promise<void> {
  const move = (part: string, lines: readonly Line[]) =>
    post(tx, { kind: 'merging', source: `merging:${mergingId}:${part}`, by: { kind: 'forum' }, lines })
  await lockAccounts(tx, from, into)
  await reopenAccount(tx, from)
  const { points_earned } = await tx.selectFrom('member').select('points_earned').where('id', '=', from).executeTakeFirstOrThrow()
  const earned = toMinor(points_earned)
  if (earned !== 0n) {
    await move('points:earnedBefore', [
      { name: 'member', owner: from, currency: 'points', amount: 0n - earned, owes: true },
      { name: 'adjustment', currency: 'points', amount: earned },
    ])
    await move('points:earned', [
      { name: 'member', owner: into, currency: 'points', amount: earned, owes: true },
      { name: 'adjustment', currency: 'points', amount: 0n - earned },
    ])
  }
  const accounts = await accountsOf(tx, from)
  for (const currency of currencies) {
    const { balance, owed, earned: fromOthers, given } = accounts[currency]
    const amount = balance - owed
    if (amount === 0n) continue
    await move(`${currency}:balance`, [
      { name: 'member', owner: from, currency, amount: 0n - amount, owes: true },
      { name: 'member', owner: into, currency, amount, owes: true, parts: { earned: fromOthers, given } },
    ])
  }
  await sql`select ledger.close_accounts(${from})`.execute(tx)
}

/** Locks the accounts of one or two members until the transaction ends, against all payments. */
export async function lockAccounts(tx: Db, one: string, other = one): Promise<void> {
  await sql`select ledger.lock_accounts(${one}, ${other})`.execute(tx)
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import { SandboxMoney, toMinor, toYuan, type Currency, type Minor } from '#wallet/contract.ts'
import { accountsOf } from '#wallet/server/log.ts'

declare module '#base/server/feature.ts' {
  interface Feature {
    /** The cents that it credited to a member and that nobody paid, asked on a site that others can reach. They stay in the balance unspent. */
    readonly unpaidCents?: (db: Db, memberId: string) => Promise<bigint>
  }
}

/** The cents that a member cannot spend, because a trial of the site credited them. */
export async function unpaidCentsOf(db: Db, memberId: string): Promise<bigint> {
  if (!isReachedFromNetwork()) return 0n
  let cents = 0n
  for (const { unpaidCents } of featuresOf(db)) cents += (await unpaidCents?.(db, memberId)) ?? 0n
  return cents
}

/** The part of these that a balance still has. */
export function unspendable(unpaid: bigint, balance: Minor): Minor {
  return toMinor(unpaid < balance ? unpaid : balance)
}

type Move = {
  by: { kind: 'member' | 'staff'; id: string } | { kind: 'forum' }
  lines: readonly { name: string; owner?: string; currency: Currency; amount: bigint }[]
}

/**
 * Refuses spending of what nobody paid. The balance is read under a lock on the account, so that concurrent purchases do not both pass.
 * Debits by staff and the forum take it back, and are not refused.
 */
export async function refuseUnpaid(tx: Db, moves: readonly Move[]): Promise<void> {
  for (const { by, lines } of moves) {
    if (by.kind !== 'member') continue
    const own = lines.filter(({ name, owner, currency }) => name === 'member' && owner === by.id && currency === 'cny')
    const leaves = own.reduce((sum, { amount }) => sum - amount, 0n)
    if (leaves <= 0n || (await unpaidCentsOf(tx, by.id)) === 0n) continue
    await sql`select ledger.lock_accounts(${by.id}, ${by.id})`.execute(tx)
    const { balance } = (await accountsOf(tx, by.id)).cny
    const kept = unspendable(await unpaidCentsOf(tx, by.id), balance)
    // More than the balance is refused by the ledger.
    if (leaves <= balance && leaves > balance - kept) throw SandboxMoney({ kept: toYuan(kept), left: toYuan(toMinor(balance - kept)) })
  }
}

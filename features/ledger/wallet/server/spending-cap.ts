import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as realName from '#real-name/server/real-name.ts'
import { AboveMinorLimit, toMinor, toYuan, type Currency, type Minor } from '#wallet/contract.ts'
import { accountOf } from '#wallet/server/log.ts'

/** The exceeded limit of a minor: per purchase, within 24 hours, or no spending at that age. */
export type Cap = { limit: number; per: 'once' | 'day' | 'never' }

/**
 * The limit that a member would exceed by spending `once`, of which `leaves` leaves their balance now; null if none. The sum spent is
 * read under a lock on their accounts, so that concurrent purchases do not both pass.
 */
export async function exceededCap(tx: Db, memberId: string, { once, leaves = once }: { once: Minor; leaves?: Minor }): Promise<Cap | null> {
  const caps = leaves > 0n ? await realName.spendingCapsOf(tx, memberId) : null
  if (!caps) return null
  if (caps.onceCents === 0) return { limit: 0, per: 'never' }
  const [most, mostADay] = [toMinor(caps.onceCents), toMinor(caps.dayCents)]
  if (once > most) return { limit: toYuan(most), per: 'once' }
  return (await spentBy(tx, memberId)) + leaves > mostADay ? { limit: toYuan(mostADay), per: 'day' } : null
}

type Move = {
  by: { kind: 'member' | 'staff'; id: string } | { kind: 'forum' }
  lines: readonly { name: string; owner?: string; currency: Currency; amount: bigint }[]
  opens?: { currency: Currency; amount: Minor }
}

/** Refuses spending by minors above their limits. Debits by staff and the forum do not count. */
export async function refuseAboveCaps(tx: Db, moves: readonly Move[]): Promise<void> {
  for (const { by, lines, opens } of moves) {
    if (by.kind !== 'member') continue
    const own = lines.filter(({ name, owner, currency }) => name === 'member' && owner === by.id && currency === 'cny')
    const leaves = toMinor(own.reduce((sum, { amount }) => sum - amount, 0n))
    const cap = await exceededCap(tx, by.id, { once: opens?.currency === 'cny' ? opens.amount : leaves, leaves })
    if (cap) throw AboveMinorLimit(cap)
  }
}

// What came back of the same envelope, bounty or purchase was not spent. Such a subject is the first two parts of a source.
async function spentBy(tx: Db, memberId: string): Promise<bigint> {
  await sql`select ledger.lock_accounts(${memberId}, ${memberId})`.execute(tx)
  const { rows } = await sql<{ spent: string }>`
    select coalesce(sum(least(spent, greatest(remaining, 0))), 0)::bigint as spent from (
      select coalesce(-sum(amount) filter (where amount < 0 and its.actor_kind = 'member' and its.actor_id = ${memberId}), 0) as spent,
        -sum(amount) as remaining
      from ledger.entry join ledger.transaction as its on its.id = transaction_id
        left join ledger.transaction as reversed on reversed.id = its.reverses,
        lateral (select string_to_array(coalesce(reversed.source, its.source), ':') as parts) as subject
      where account_id = ${accountOf(memberId, 'cny')} and its.at > clock_timestamp() - interval '24 hours' group by parts[1:2]) as by_subject`.execute(
    tx,
  )
  return BigInt(rows[0]?.spent ?? 0)
}

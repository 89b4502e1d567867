import { sql } from 'kysely'
import type { Database } from '#base/server/database.ts'
import { transact } from '#base/server/database.ts'
import { minorOf, type Currency } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

let gifts = 0

/** Gives a member something to offer, or takes it, also where they owe it then. */
export async function endow(
  database: Database,
  memberId: string,
  amount: number,
  currency: Currency = 'points',
  owes = false,
): Promise<void> {
  const cause = { kind: 'adjustment', source: `gift:${++gifts}:${memberId}`, by: { kind: 'forum' } } as const
  const given = { ...cause, currency, account: 'adjustment' } as const
  await transact(database, (tx) =>
    amount > 0
      ? wallet.credit(tx, { ...given, to: memberId, amount: minorOf(amount) })
      : wallet.debit(tx, { ...given, from: memberId, amount: minorOf(-amount), owes }),
  )
}

/** What of a question's bounty lies in the ledger, and how it stands. */
export async function standingOf({ app }: Database, questionId: string): Promise<{ state: string; held: number }> {
  const { rows } = await sql<{ state: string; held: number }>`
    select bounty.state, coalesce(sum(balance), 0)::int as held from bounty
    left join ledger.account on name = 'escrow' and owner_id in (points_hold, cents_hold) where topic_id = ${questionId} group by bounty.state`.execute(
    app,
  )
  return rows[0] ?? { state: 'none', held: 0 }
}

/** The time of a bounty is over, as the clock would say. */
export async function letEnd({ app }: Database, questionId: string): Promise<void> {
  await sql`update bounty set ends_at = clock_timestamp() - interval '1 second' where topic_id = ${questionId}`.execute(app)
}

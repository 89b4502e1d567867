import { sql } from 'kysely'
import type { Database } from '#base/server/database/database.ts'

/** The amount that the ledger holds for a question's bounty, and the bounty's state. */
export async function standingOf({ app }: Database, questionId: string): Promise<{ state: string; held: number }> {
  const { rows } = await sql<{ state: string; held: number }>`
    select bounty.state, coalesce(sum(balance), 0)::int as held from bounty
    left join ledger.account on name = 'escrow' and owner_id in (points_hold, cents_hold) where topic_id = ${questionId} group by bounty.state`.execute(
    app,
  )
  return rows[0] ?? { state: 'none', held: 0 }
}

/** Moves the deadline of a bounty into the past. */
export async function letEnd({ app }: Database, questionId: string): Promise<void> {
  await sql`update bounty set ends_at = clock_timestamp() - interval '1 second' where topic_id = ${questionId}`.execute(app)
}

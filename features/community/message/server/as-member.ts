import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/**
 * Runs a query as a member: row-level security shows messages only to the two who wrote them, and nothing to a query without a member. A
 * transaction stays this member's until it ends.
 */
export async function asMember<T>(db: Db, memberId: string, query: (db: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((tx) => asMember(tx, memberId, query))
  await sql`/* with the commit */ select set_config('app.member_id', ${memberId}, true)`.execute(db)
  return query(db)
}

/** The two members' columns of a message, and the column that marks the first one's copy as deleted. */
export function columnsFor(mine: string, theirs: string) {
  const isLow = BigInt(mine) < BigInt(theirs)
  return { low: isLow ? mine : theirs, high: isLow ? theirs : mine, gone: isLow ? ('gone_low' as const) : ('gone_high' as const) }
}

/** The condition that a message is between these two. */
export function isBetween(mine: string, theirs: string) {
  const { low, high } = columnsFor(mine, theirs)
  return sql<boolean>`message.low_id = ${low} and message.high_id = ${high}`
}

/** The condition that a member's copy of a message is not deleted. */
export function isShownTo(memberId: string) {
  return sql<boolean>`is_message_visible(message, ${memberId}::bigint)`
}

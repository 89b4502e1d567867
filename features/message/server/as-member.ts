import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/**
 * Asks as a member, who alone sees what they and others wrote to each other: the database shows nobody anything of it who does not say who
 * they are. A transaction goes on as this member until it ends.
 */
export async function asMember<T>(db: Db, memberId: string, ask: (db: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((tx) => asMember(tx, memberId, ask))
  await sql`/* with the commit */ select set_config('app.member_id', ${memberId}, true)`.execute(db)
  return ask(db)
}

/** Two members as a message names them, and the column that says that the copy of the first of these is gone. */
export function between(mine: string, theirs: string) {
  const isLow = BigInt(mine) < BigInt(theirs)
  return { low: isLow ? mine : theirs, high: isLow ? theirs : mine, gone: isLow ? ('gone_low' as const) : ('gone_high' as const) }
}

/** The condition on a message that it is one of these two's. */
export function isOf(mine: string, theirs: string) {
  const { low, high } = between(mine, theirs)
  return sql<boolean>`message.low_id = ${low} and message.high_id = ${high}`
}

/** The condition on a message that a member has it still. */
export function isShownTo(memberId: string) {
  return sql<boolean>`message_shown(message, ${memberId}::bigint)`
}

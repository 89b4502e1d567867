import { sql } from 'kysely'
import { endCredentials, type Ending, type EndReason } from '#account/server/credentials.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { SignedOut, type Member } from '#base/server/http/route.ts'

/** Ends all that speaks for a member: every session but this one, and all other credentials that end for this reason. */
export async function endAllSessions(tx: Db, memberId: string, reason: EndReason, exceptSessionId?: string): Promise<void> {
  await endCredentials(tx, { memberId, reason, exceptSessionId })
}

/** The part of sessions in it. */
export async function endLivingSessions(tx: Db, { memberId, reason, exceptSessionId }: Ending): Promise<void> {
  const living = await tx.selectFrom('session').select('id').where('member_id', '=', memberId).where('ended_at', 'is', null).execute()
  await endSessions(
    tx,
    living.map(({ id }) => id).filter((id) => id !== exceptSessionId),
    reason,
  )
}

export async function endSessions(tx: Db, sessionIds: readonly string[], reason: EndReason): Promise<void> {
  if (sessionIds.length === 0) return
  const ended = await tx
    .updateTable('session')
    .set({ ended_at: sql`now()`, ended_because: reason })
    .where('id', '=', anyOf(sessionIds))
    .where('ended_at', 'is', null)
    .returning('member_id')
    .execute()
  await tx.deleteFrom('access_token').where('session_id', '=', anyOf(sessionIds)).execute()
  await tx.deleteFrom('refresh_token').where('session_id', '=', anyOf(sessionIds)).execute()
  // Open streams authenticate again.
  invalidate(tx, ...new Set(ended.map(({ member_id }) => `sessions:${member_id}`)))
}

/**
 * Holds the session of a request until the commit, and refuses where it has ended meanwhile: a credential that is made here ends with the
 * others, whichever comes first.
 */
export async function holdSession(tx: Db, { sessionId }: Member): Promise<void> {
  const living = await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!living) throw SignedOut()
}

import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { isMember, type Viewer } from '#base/server/http/route.ts'
import { asMember, isShownTo } from '#message/server/as-member.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'

export { asMember } from '#message/server/as-member.ts'
export { leave } from '#message/server/leave.ts'
export { send } from '#message/server/send.ts'
export { welcome } from '#message/server/welcome.ts'
export { pendingMessageReports } from '#message/server/staff-reports.ts'

/** Which of these messages a viewer has: one of the two members, whose copy is not deleted. */
export async function shownAmong(db: Db, viewer: Viewer, messageIds: readonly string[]): Promise<Set<string>> {
  if (!isMember(viewer) || messageIds.length === 0) return new Set()
  const rows = await asMember(db, viewer.id, (as) =>
    as.selectFrom('message').select('id').where('id', '=', anyOf(messageIds)).where(isShownTo(viewer.id)).execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Two members are one. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  const { rows } = await sql<{ told: string[] }>`select merge_messages(${from}::bigint, ${into}::bigint)::text[] as told`.execute(tx)
  changed(tx, [into, ...(rows[0]?.told ?? [])])
}

/** Removes a spammer's messages from their recipients. */
export async function clean(tx: Db, memberId: string, cleaningId: string): Promise<void> {
  await setCleaned(tx, memberId, cleaningId, true)
  await redEnvelope.endWithMessagesBy(tx, memberId)
}

/** Restores the messages of a clean-up. */
export function restoreCleaned(tx: Db, memberId: string, cleaningId: string): Promise<void> {
  return setCleaned(tx, memberId, cleaningId, false)
}

async function setCleaned(tx: Db, memberId: string, cleaningId: string, isAway: boolean): Promise<void> {
  const { rows } = await sql<{ told: string[] }>`
    select clean_messages(${memberId}::bigint, ${cleaningId}::bigint, ${isAway}::boolean)::text[] as told`.execute(tx)
  changed(tx, rows[0]?.told ?? [])
}

function changed(tx: Db, memberIds: readonly string[]): void {
  invalidate(tx, ...memberIds.map((id) => `inbox:${id}`))
}

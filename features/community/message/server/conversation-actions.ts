import { sql } from 'kysely'
import { Missing, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as follow from '#follow/server/follow.ts'
import {
  NothingToAccept,
  type accept as acceptCall,
  type markAllRead as markAllCall,
  type markRead as markCall,
  type remove as removeCall,
} from '#message/contract.ts'
import { asMember, columnsFor, isBetween, isShownTo } from '#message/server/as-member.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'

/** Marks the partner's messages as read, up to one; later ones stay unread. */
export function markRead(tx: Db, member: Member, { userId, upTo }: ParsedInput<typeof markCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    await follow.lockRelation(as, member.id, userId)
    await as
      .updateTable('conversation_participant')
      .set({ read_to: sql`greatest(read_to, least(last_id, ${upTo}::bigint))` })
      .where('member_id', '=', member.id)
      .where('other_id', '=', userId)
      .execute()
    await count(as, member, [userId])
    invalidate(tx, `inbox:${member.id}`)
  })
}

/** The same for all conversations, except open requests. */
export function markAllRead(tx: Db, member: Member, { upTo }: ParsedInput<typeof markAllCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    // Waits for concurrent sends, so that their messages are not counted as read.
    const { rows } = await sql<{ id: string }>`
      select other_id as id from conversation_participant
      where member_id = ${member.id} and unread > 0 and request is distinct from 'theirs' order by other_id for update`.execute(as)
    const others = rows.map(({ id }) => id)
    await sql`
      update conversation_participant set read_to = greatest(read_to, least(last_id, coalesce(${upTo ?? null}::bigint, last_id)))
      where member_id = ${member.id} and other_id = any(${others}::bigint[])`.execute(as)
    await count(as, member, others)
    invalidate(tx, `inbox:${member.id}`)
  })
}

export function accept(tx: Db, member: Member, { userId }: ParsedInput<typeof acceptCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    await follow.lockRelation(as, member.id, userId)
    const { rows } = await sql`
      update conversation_participant set request = null
      where (member_id, other_id, request) in ((${member.id}::bigint, ${userId}::bigint, 'theirs'), (${userId}::bigint, ${member.id}::bigint, 'mine'))
      returning member_id`.execute(as)
    if (rows.length === 0) throw NothingToAccept()
    invalidate(tx, `inbox:${member.id}`, `inbox:${userId}`)
  })
}

/** Deletes a member's copy of one message, or of all up to one. */
export function remove(tx: Db, member: Member, { userId, messageId, upTo }: ParsedInput<typeof removeCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    await follow.lockRelation(as, member.id, userId)
    const { gone } = columnsFor(member.id, userId)
    const { rows } = await sql<{ id: string }>`
      update message set ${sql.ref(gone)} = true where ${isBetween(member.id, userId)} and ${isShownTo(member.id)}
        and ${messageId ? sql`message.id = ${messageId}` : sql`message.id <= ${upTo ?? null}::bigint`}
      returning id`.execute(as)
    if (messageId && rows.length === 0) throw Missing()
    const ids = rows.map(({ id }) => id)
    await clearUnowned(as, ids)
    await redEnvelope.endWithMessages(as, member.id, ids)
    await count(as, member, [userId])
    invalidate(tx, `inbox:${member.id}`)
  })
}

/** Recounts a member's side of these conversations. */
async function count(as: Db, member: Member, others: readonly string[]): Promise<void> {
  await sql`select recount_conversation(${member.id}::bigint, other) from unnest(${others}::bigint[]) as other`.execute(as)
}

/** Clears messages of which neither side has a copy, except that they were sent. The copies in reports stay for staff. */
export async function clearUnowned(as: Db, ids: readonly string[]): Promise<void> {
  const cleared = await as
    .updateTable('message')
    .set({ body: '{}', segments: '[]', text: '' })
    .where('id', '=', anyOf(ids))
    .where('gone_low', '=', true)
    .where('gone_high', '=', true)
    .returning('id')
    .execute()
  if (cleared.length === 0) return
  const reported = await sql<{ id: string }>`
    select distinct unnest(message_ids) as id from message_report where message_ids && ${cleared.map(({ id }) => id)}::bigint[]`.execute(as)
  const stay = new Set(reported.rows.map(({ id }) => id))
  await file.detachFromMessages(
    as,
    cleared.flatMap(({ id }) => (stay.has(id) ? [] : id)),
  )
}

import { sql } from 'kysely'
import { Missing, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import { invalidate } from '#base/server/invalidation.ts'
import type { Member } from '#base/server/route.ts'
import * as follow from '#follow/server/follow.ts'
import {
  NothingToAccept,
  type accept as acceptCall,
  type markAllRead as markAllCall,
  type markRead as markCall,
  type remove as removeCall,
} from '#message/contract.ts'
import { asMember, between, isOf, isShownTo } from '#message/server/as-member.ts'

/** Marks what another wrote as read, up to a message; what came after it stays unread. */
export function markRead(tx: Db, member: Member, { userId, upTo }: Taken<typeof markCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    await follow.lockBetween(as, member.id, userId)
    await as
      .updateTable('message_side')
      .set({ read_to: sql`greatest(read_to, least(last_id, ${upTo}::bigint))` })
      .where('member_id', '=', member.id)
      .where('other_id', '=', userId)
      .execute()
    await recount(as, member, userId)
    invalidate(tx, `inbox:${member.id}`)
  })
}

/** The same of all they write with, but for who only asks to. */
export function markAllRead(tx: Db, member: Member, { upTo }: Taken<typeof markAllCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    // Those who are about to write are waited for, so that theirs are not counted away.
    const { rows } = await sql<{ id: string }>`
      select other_id as id from message_side
      where member_id = ${member.id} and unread > 0 and request is distinct from 'theirs' order by other_id for update`.execute(as)
    const others = rows.map(({ id }) => id)
    await sql`
      update message_side set read_to = greatest(read_to, least(last_id, coalesce(${upTo ?? null}::bigint, last_id)))
      where member_id = ${member.id} and other_id = any(${others}::bigint[])`.execute(as)
    await sql`${recounted(member)} and other_id = any(${others}::bigint[])`.execute(as)
    invalidate(tx, `inbox:${member.id}`)
  })
}

export function accept(tx: Db, member: Member, { userId }: Taken<typeof acceptCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    await follow.lockBetween(as, member.id, userId)
    const { rows } = await sql`
      update message_side set request = null
      where (member_id, other_id, request) in ((${member.id}::bigint, ${userId}::bigint, 'theirs'), (${userId}::bigint, ${member.id}::bigint, 'mine'))
      returning member_id`.execute(as)
    if (rows.length === 0) throw NothingToAccept()
    invalidate(tx, `inbox:${member.id}`, `inbox:${userId}`)
  })
}

/** Deletes a member's copy of one message, or of all up to one, or of all. What is written meanwhile comes after it. */
export function remove(tx: Db, member: Member, { userId, messageId, upTo }: Taken<typeof removeCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    await follow.lockBetween(as, member.id, userId)
    const { gone } = between(member.id, userId)
    const { rows } = await sql<{ id: string }>`
      update message set ${sql.ref(gone)} = true where ${isOf(member.id, userId)} and ${isShownTo(member.id)}
        ${messageId ? sql`and message.id = ${messageId}` : sql``} ${upTo ? sql`and message.id <= ${upTo}` : sql``}
      returning id`.execute(as)
    if (messageId && rows.length === 0) throw Missing()
    await recount(as, member, userId)
    invalidate(tx, `inbox:${member.id}`)
  })
}

/** Counts anew what a member has of a conversation. */
async function recount(as: Db, member: Member, userId: string): Promise<void> {
  await sql`${recounted(member)} and other_id = ${userId}`.execute(as)
}

function recounted(member: Member) {
  const its = sql`from message
    where message.low_id = least(side.member_id, side.other_id) and message.high_id = greatest(side.member_id, side.other_id)
      and ${isShownTo(member.id)}`
  return sql`
    update message_side as side set
      last_id = coalesce((select message.id ${its} order by message.id desc limit 1), 0),
      unread = (select count(*) ${its} and message.author_id = side.other_id and message.id > side.read_to)
    where member_id = ${member.id}`
}

import { sql } from 'kysely'
import { Missing, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { OwnMessage, ReportedAlready, type report as reportCall } from '#message/contract.ts'
import { asMember, isOf, isShownTo } from '#message/server/as-member.ts'

const around = 5

/** A message as staff read it. */
export type Copied = { id: string; authorId: string; segments: { html: string }[]; sentAt: string }

/** Gives a message to staff, with the few before and after it that the reporter has: a copy, which stays whatever becomes of them. */
export function report(tx: Db, member: Member, { messageId, reason }: Taken<typeof reportCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    const its = await as
      .selectFrom('message')
      .select(['low_id', 'high_id', 'author_id'])
      .where('id', '=', messageId)
      .where(isShownTo(member.id))
      .executeTakeFirst()
    if (!its) throw Missing()
    if (its.author_id === member.id) throw OwnMessage()
    const added = await as
      .insertInto('message_report')
      .values({ message_id: messageId, author_id: its.author_id, reporter_id: member.id, reason })
      .onConflict((there) => there.columns(['message_id', 'reporter_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw ReportedAlready()
    await sql`
      insert into message_report_copy (report_id, reporter_id, messages)
      select ${added.id}, ${member.id}, json_agg(json_build_object(
        'id', copied.id::text, 'authorId', author_id::text, 'segments', segments, 'sentAt', sent_at) order by copied.id)
      from (
        (${beside(member, its.author_id)} and message.id <= ${messageId} order by message.id desc limit ${around + 1})
        union all
        (${beside(member, its.author_id)} and message.id > ${messageId} order by message.id limit ${around})
      ) as copied`.execute(as)
  })
}

function beside(member: Member, otherId: string) {
  return sql`select id, author_id, segments, sent_at from message where ${isOf(member.id, otherId)} and ${isShownTo(member.id)}`
}

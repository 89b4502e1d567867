import { sql } from 'kysely'
import { Missing, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { OwnMessage, ReportedAlready, type report as reportCall } from '#message/contract.ts'
import { asMember, isBetween, isShownTo } from '#message/server/as-member.ts'

const contextSize = 5

/** A message in the form for staff. */
export type CopiedMessage = { id: string; isByReporter: boolean; segments: { html: string }[]; sentAt: string | Date }

/** Reports a message, with the few before and after it that the reporter has: a copy, which stays when they are deleted. */
export function report(tx: Db, member: Member, { messageId, reason }: ParsedInput<typeof reportCall>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    const its = await as
      .selectFrom('message')
      .select(['low_id', 'high_id', 'author_id'])
      .where('id', '=', messageId)
      .where(isShownTo(member.id))
      .executeTakeFirst()
    if (!its) throw Missing()
    if (its.author_id === member.id) throw OwnMessage()
    const copied = await copy(as, member, { messageId, authorId: its.author_id })
    const added = await as
      .insertInto('message_report')
      .values({ message_id: messageId, message_ids: copied.map(({ id }) => id), author_id: its.author_id, reporter_id: member.id, reason })
      .onConflict((there) => there.columns(['message_id', 'reporter_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw ReportedAlready()
    await as
      .insertInto('message_report_copy')
      .values({ report_id: added.id, reporter_id: member.id, messages: JSON.stringify(copied) })
      .execute()
  })
}

/** A message with the few around it, oldest first, as one of the two has them. */
async function copy(as: Db, member: Member, { messageId, authorId }: { messageId: string; authorId: string }): Promise<CopiedMessage[]> {
  const beside = sql`
    select id, author_id = ${member.id} as "isByReporter", segments, sent_at as "sentAt" from message where ${isBetween(member.id, authorId)} and ${isShownTo(member.id)}`
  const { rows } = await sql<CopiedMessage>`
    select * from (
      (${beside} and message.id <= ${messageId} order by message.id desc limit ${contextSize + 1})
      union all
      (${beside} and message.id > ${messageId} order by message.id limit ${contextSize})
    ) as copied order by id`.execute(as)
  return rows
}

import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Kind } from '#kind/contract.ts'

/** Whether the post of a case is visible now. */
export const isPostVisible = sql<boolean>`case report_case.kind
  when 'topic' then exists (select from topic where topic.id = report_case.topic_id and topic.status = 'published')
  when 'comment' then exists (select from comment where comment.id = report_case.comment_id and comment.status = 'published')
  else exists (select from reply where reply.id = report_case.reply_id and reply.status = 'published') end`

const isRemovedIn = (table: Kind, since: RawBuilder<unknown>) =>
  sql`exists (select from ${sql.table(table)} as post
    where post.id = removal.thing_id and post.status = 'deleted' and post.deleted_by = 'staff' ${since})`
const isRemoved = (since = sql``) => sql`case removal.kind
  when 'topic' then ${isRemovedIn('topic', since)} when 'comment' then ${isRemovedIn('comment', since)} else ${isRemovedIn('reply', since)} end`

/** Whether the post was removed again later. */
const isRemovedAgain = sql<boolean>`exists (select from removal as later
  where later.kind = removal.kind and later.thing_id = removal.thing_id and later.id > removal.id)`

/** Whether the post is no longer removed, or was removed again later. */
export const isBack = sql<boolean>`(not ${isRemoved()} or ${isRemovedAgain})`

/** Whether the post can be read on the page now: a restored post may be deleted by its author, held for review, or below a removed one. */
export const isOnPage = sql<boolean>`(exists (select from topic where topic.id = removal.topic_id and topic.status = 'published')
  and case removal.kind when 'topic' then true
    when 'comment' then exists (select from comment where comment.id = removal.thing_id and comment.status = 'published')
    else exists (select from reply where reply.id = removal.thing_id and reply.status = 'published') end)`

/** A flag for the notification of the author, where the post cannot be read. */
export async function hiddenFlag(tx: Db, removalId: string): Promise<{ isHidden?: true }> {
  const row = await tx.selectFrom('removal').select(isOnPage.as('isOnPage')).where('id', '=', removalId).executeTakeFirstOrThrow()
  return row.isOnPage ? {} : { isHidden: true }
}

/** Whether the post is in the state that the decision about the reports left. */
export const isUnchanged = sql<boolean>`(${isRemoved(sql`and post.deleted_at <= report_case.decided_at`)} and not ${isRemovedAgain})`

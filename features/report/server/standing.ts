import { sql } from 'kysely'

/** Whether the post of a case is on the page now. */
export const standsAgain = sql<boolean>`case report_case.kind
  when 'topic' then exists (select from topic where topic.id = report_case.topic_id and topic.status = 'published')
  when 'comment' then exists (select from comment where comment.id = report_case.comment_id and comment.status = 'published')
  else exists (select from reply where reply.id = report_case.reply_id and reply.status = 'published') end`

const isAway = (table: 'topic' | 'comment' | 'reply') =>
  sql`exists (select from ${sql.table(table)} as post where post.id = removal.thing_id and post.status = 'deleted' and post.deleted_by = 'staff')`

/** Whether what was taken away is away no more, or was taken away anew since. */
export const isBack = sql<boolean>`(not case removal.kind
  when 'topic' then ${isAway('topic')} when 'comment' then ${isAway('comment')} else ${isAway('reply')} end
  or exists (select from removal as later where later.kind = removal.kind and later.thing_id = removal.thing_id and later.id > removal.id))`

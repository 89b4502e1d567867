import { sql } from 'kysely'

/** Whether the post of a case is on the page now. */
export const standsAgain = sql<boolean>`case report_case.kind
  when 'topic' then exists (select from topic where topic.id = report_case.topic_id and topic.status = 'published')
  when 'comment' then exists (select from comment where comment.id = report_case.comment_id and comment.status = 'published')
  else exists (select from reply where reply.id = report_case.reply_id and reply.status = 'published') end`

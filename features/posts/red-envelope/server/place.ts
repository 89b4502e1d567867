import { sql, type RawBuilder } from 'kysely'
import type { Member } from '#base/server/http/route.ts'
import type { EnvelopePlace } from '#red-envelope/list-contract.ts'
import * as tag from '#tag/server/tag.ts'

/** The tag of an envelope's thread; null while its post is not on the page. */
export const visibleTagId = sql<string | null>`(
  select tag_id from topic where topic.id = given.topic_id and topic.status = 'published' and (given.comment_id is null
    or exists (select from comment where comment.id = given.comment_id and comment.status = 'published')))`

/** Whether the envelope's post is on the page, with the text of its author. */
export const isPostVisible = sql<boolean>`(topic.status = 'published' and case when given.comment_id is null then topic.withdrawn_at is null
  else exists (select from comment where comment.id = given.comment_id and comment.status = 'published') end)`

/**
 * The thread or message of an envelope: a published thread that the member may see or their own thread, and a message to or from them.
 */
export function visiblePlace(member: Member): RawBuilder<EnvelopePlace> {
  const { id } = member
  return sql`case when topic.author_id = ${id} or (topic.status = 'published' and ${tag.seenBy(member, 'topic.tag_id')}) then json_build_object(
      'id', topic.id::text, 'title', topic.title, 'isQuestion', topic.kind = 'question',
      'commentId', (select comment.id::text from comment where comment.id = given.comment_id and comment.floor is not null)) end as topic,
    case when message_id is not null then json_build_object('id', message_id::text,
      'with', ledger.current_member(case when ledger.is_same_member(giver_id, ${id}) then receiver_id else giver_id end)::text) end as message`
}

/** The envelope of a private message. */
export const envelopeOfMessage = sql<string | null>`(select id::text from red_envelope where message_id = message.id)`

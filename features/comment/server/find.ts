import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import * as topics from '#topic/server/topic.ts'

type Remark = { id: string; authorId: string; publishedAt: Date }
export type Comment = Remark & { quotes: string | null }
export type Reply = Remark & { commentId: string; answers: string | null }

/** A comment on the page and the topic it stands under, both locked, topic first. Missing when the topic is, for this member. */
export async function lockComment(tx: Db, member: Member, commentId: string): Promise<{ topic: topics.Topic; comment: Comment }> {
  const place = await tx.selectFrom('comment').select('topic_id').where('id', '=', commentId).executeTakeFirst()
  if (!place) throw Missing()
  const topic = await topics.lock(tx, member, place.topic_id)
  const comment = await tx
    .selectFrom('comment')
    .select(['id', 'author_id as authorId', 'published_at as publishedAt', 'quotes'])
    .where('id', '=', commentId)
    .where('status', '=', 'published')
    .forUpdate()
    .executeTakeFirst()
  if (!comment) throw Missing()
  return { topic, comment }
}

export async function lockReply(tx: Db, member: Member, replyId: string): Promise<{ topic: topics.Topic; reply: Reply }> {
  const place = await tx.selectFrom('reply').select('topic_id').where('id', '=', replyId).executeTakeFirst()
  if (!place) throw Missing()
  const topic = await topics.lock(tx, member, place.topic_id)
  const reply = await tx
    .selectFrom('reply')
    .select(['id', 'comment_id as commentId', 'author_id as authorId', 'published_at as publishedAt', 'answers'])
    .where('id', '=', replyId)
    .where('status', '=', 'published')
    .forUpdate()
    .executeTakeFirst()
  if (!reply) throw Missing()
  return { topic, reply }
}

/** Who wrote what is now the newest under a topic, when what was removed had been it; undefined when it had not. */
export async function newestAfter(tx: Db, topic: topics.Topic, removed: Remark): Promise<{ by: string; at: Date } | null | undefined> {
  if (removed.publishedAt < topic.lastReplyAt) return undefined
  const columns = ['author_id as by', 'published_at as at'] as const
  const comment = await tx
    .selectFrom('comment')
    .select(columns)
    .where('topic_id', '=', topic.id)
    .where('status', '=', 'published')
    .orderBy('floor', 'desc')
    .limit(1)
    .executeTakeFirst()
  const reply = await tx
    .selectFrom('reply')
    .select(columns)
    .where('topic_id', '=', topic.id)
    .where('status', '=', 'published')
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!comment || !reply) return comment ?? reply ?? null
  return reply.at > comment.at ? reply : comment
}

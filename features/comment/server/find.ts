import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import * as topics from '#topic/server/topic.ts'

type Remark = {
  id: string
  authorId: string
  publishedAt: Date
  status: 'pending' | 'published' | 'deleted'
  deletedFrom: 'pending' | 'published' | null
  version: number
}
export type Comment = Remark & { quotes: string | null; floor: number | null; authorFloor: number | null }
export type Reply = Remark & { commentId: string; answers: string | null }
export type Commented = { topic: topics.Topic; comment: Comment }
export type Replied = { topic: topics.Topic; reply: Reply }

/** A comment on the page and the topic it stands under, both locked, topic first. Missing when the topic is, for this member. */
export async function lockComment(tx: Db, member: Member, commentId: string): Promise<Commented> {
  const topic = await topics.lock(tx, member, await topicOf(tx, 'comment', commentId))
  const comment = await commentIn(tx, commentId)
  if (comment?.status !== 'published') throw Missing()
  return { topic, comment }
}

/** The same, and also one of the member's own that waits. */
export async function lockOwnComment(tx: Db, member: Member, commentId: string): Promise<Commented> {
  const topic = await topics.lock(tx, member, await topicOf(tx, 'comment', commentId))
  const comment = await commentIn(tx, commentId)
  if (!comment || !isFor(member, comment)) throw Missing()
  return { topic, comment }
}

export async function lockOwnReply(tx: Db, member: Member, replyId: string): Promise<Replied> {
  const topic = await topics.lock(tx, member, await topicOf(tx, 'reply', replyId))
  const reply = await replyIn(tx, replyId)
  if (!reply || !isFor(member, reply)) throw Missing()
  return { topic, reply }
}

function isFor(member: Member, { status, authorId }: Remark): boolean {
  return status === 'published' || (status === 'pending' && authorId === member.id)
}

/** A comment as staff find it, deleted or not, unless its words are gone for good. */
export async function lockAnyComment(tx: Db, commentId: string): Promise<Commented> {
  const topic = await topics.lockAny(tx, await topicOf(tx, 'comment', commentId))
  const comment = await commentIn(tx, commentId)
  if (!comment) throw Missing()
  return { topic, comment }
}

export async function lockAnyReply(tx: Db, replyId: string): Promise<Replied> {
  const topic = await topics.lockAny(tx, await topicOf(tx, 'reply', replyId))
  const reply = await replyIn(tx, replyId)
  if (!reply) throw Missing()
  return { topic, reply }
}

async function topicOf(tx: Db, table: 'comment' | 'reply', id: string): Promise<string> {
  const place = await tx.selectFrom(table).select('topic_id').where('id', '=', id).executeTakeFirst()
  if (!place) throw Missing()
  return place.topic_id
}

const columns = ['id', 'author_id as authorId', 'published_at as publishedAt', 'status', 'deleted_from as deletedFrom', 'version'] as const

function commentIn(tx: Db, commentId: string) {
  return tx
    .selectFrom('comment')
    .select([...columns, 'quotes', 'floor', 'author_floor as authorFloor'])
    .where('id', '=', commentId)
    .where('purged_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

function replyIn(tx: Db, replyId: string) {
  return tx
    .selectFrom('reply')
    .select([...columns, 'comment_id as commentId', 'answers'])
    .where('id', '=', replyId)
    .where('purged_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Who wrote what is now the newest under a topic, when what was removed had been it; undefined when it had not. */
export async function newestAfter(tx: Db, topic: topics.Topic, removed: Remark): Promise<topics.Newest | undefined> {
  return removed.publishedAt < topic.lastReplyAt || isAfterSinking(topic, removed) ? undefined : newestUnder(tx, topic)
}

/** The same when something is back. */
export function newestWith(topic: topics.Topic, back: Remark): topics.Newest | undefined {
  return back.publishedAt < topic.lastReplyAt || isAfterSinking(topic, back) ? undefined : { by: back.authorId, at: back.publishedAt }
}

/** Who wrote what is the newest under a topic; under one that was sunk, the newest until then. */
export async function newestUnder(tx: Db, { id, sunkAt }: Pick<topics.Topic, 'id' | 'sunkAt'>): Promise<topics.Newest> {
  const newest = ['author_id as by', 'published_at as at'] as const
  const comment = await tx
    .selectFrom('comment')
    .select(newest)
    .where('topic_id', '=', id)
    .where('status', '=', 'published')
    .$if(sunkAt !== null, (query) => query.where('published_at', '<=', sunkAt ?? new Date()))
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const reply = await tx
    .selectFrom('reply')
    .select(newest)
    .where('topic_id', '=', id)
    .where('status', '=', 'published')
    .$if(sunkAt !== null, (query) => query.where('published_at', '<=', sunkAt ?? new Date()))
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!comment || !reply) return comment ?? reply ?? null
  return reply.at > comment.at ? reply : comment
}

function isAfterSinking({ sunkAt }: topics.Topic, { publishedAt }: Remark): boolean {
  return sunkAt !== null && publishedAt > sunkAt
}

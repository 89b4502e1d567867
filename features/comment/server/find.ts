import { sql } from 'kysely'
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

/** Who wrote what is now the newest under a topic, where a remark that went or came back may be it or have been it; undefined where not. */
export async function newestBeside(tx: Db, topic: topics.Topic, changed: Remark): Promise<topics.Newest | undefined> {
  // Where nothing was said yet, the topic counts from its own moment, which what was moved there may be older than.
  const isOlder = topic.commentCount > 0 && changed.publishedAt < topic.lastReplyAt
  return isOlder || isAfterSinking(topic, changed) ? undefined : newestUnder(tx, topic.id)
}

/** Who wrote what is the newest under a topic; under one that was sunk, the newest until then. */
export async function newestUnder(tx: Db, topicId: string): Promise<topics.Newest> {
  const newestIn = (table: 'comment' | 'reply') => sql`
    (select author_id, published_at from ${sql.table(table)} where topic_id = ${topicId} and status = 'published'
      and published_at <= coalesce((select sunk_at from topic where id = ${topicId}), 'infinity') order by published_at desc limit 1)`
  // To the microsecond, of which a moment in our own program knows nothing.
  const { rows } = await sql<{ by: string; at: string }>`
    select author_id as "by", published_at::text as "at" from (${newestIn('comment')} union all ${newestIn('reply')}) as newest
    order by published_at desc limit 1`.execute(tx)
  return rows[0] ?? null
}

function isAfterSinking({ sunkAt }: topics.Topic, { publishedAt }: Remark): boolean {
  return sunkAt !== null && publishedAt > sunkAt
}

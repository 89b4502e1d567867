import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { dispatch } from '#base/server/moments.ts'
import * as topics from '#topic/server/topic.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'

/** Removes the content of a comment that becomes the opening of a topic. Its floor stays, with the replies. */
export async function extractContent(tx: Db, comment: posts.Post): Promise<topics.PostContent> {
  const { body, segments, ...row } = await tx
    .selectFrom('comment')
    .select(['author_id', 'body', 'segments', 'text', 'edited_by', 'ai_label'])
    .select(topics.exactTimes)
    .where('id', '=', comment.id)
    .executeTakeFirstOrThrow()
  await posts.takeDown(tx, [comment], { by: 'staff', notifies: false })
  await tx.updateTable('comment').set(posts.blankRemark).where('id', '=', comment.id).execute()
  return { ...row, body: JSON.stringify(body), segments: JSON.stringify(segments) }
}

export async function linkToTopic(tx: Db, commentId: string, topicId: string): Promise<void> {
  await tx.updateTable('comment').set({ became: topicId }).where('id', '=', commentId).execute()
  await dispatch(tx, 'postBecame', { from: { kind: 'comment', id: commentId }, to: { kind: 'topic', id: topicId } })
}

/** Turns the opening of a topic into a comment under it: on its former floor, if it was a comment before; otherwise on the next floor. */
export async function commentFromOpening(tx: Db, topic: posts.Thread): Promise<string> {
  const content = await topics.openingContent(tx, topic.id)
  const before = await tx
    .selectFrom('comment')
    .select(['id', 'floor', 'author_floor'])
    .where('became', '=', topic.id)
    .forUpdate()
    .executeTakeFirst()
  const next = { floor: topic.floors + 1, author_floor: topic.authorFloors + 1 }
  const floor = before?.floor ? { floor: before.floor, author_floor: before.author_floor } : next
  const row = { ...content, ...floor, status: 'published' as const }
  const commentId = before
    ? await restoreComment(tx, before.id, row)
    : await insertComment(tx, { ...row, topic_id: topic.id, thread_kind: topic.kind })
  if (floor === next) await posts.setFloors(tx, topic.id, { floors: next.floor, author_floors: next.author_floor })
  await posts.onPublished(tx, [{ kind: 'comment', id: commentId, authorId: content.author_id, commentId, thread: topic }])
  await copyVersions(tx, topic.id, commentId)
  await dispatch(tx, 'postBecame', { from: { kind: 'topic', id: topic.id }, to: { kind: 'comment', id: commentId } })
  return commentId
}

type OpeningRow = topics.PostContent & { floor: number; author_floor: number | null; status: 'published' }

async function insertComment(tx: Db, row: OpeningRow & { topic_id: string; thread_kind: ThreadKind }): Promise<string> {
  return (await tx.insertInto('comment').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function restoreComment(tx: Db, id: string, row: OpeningRow): Promise<string> {
  const back = { deleted_by: null, deleted_from: null, deleted_at: null, deleted_reason: null, purged_at: null, became: null }
  await tx
    .updateTable('comment')
    .set({ ...row, ...back, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
  return id
}

// The offset skips versions copied by an earlier conversion.
async function copyVersions(tx: Db, topicId: string, commentId: string): Promise<void> {
  await sql`
    insert into comment_revision (comment_id, body, ai_label, written_at, written_by, is_withheld)
    select ${commentId}, body, ai_label, written_at, written_by, is_withheld from topic_revision where topic_id = ${topicId}
    order by id offset (select count(*) from comment_revision where comment_id = ${commentId})`.execute(tx)
}

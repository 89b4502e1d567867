import { sql, type NotNull } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** The comment that a link points to; `replies_before` is the number of its replies up to and including the linked one. */
export type CommentPosition = { id: string; floor: number; author_floor: number | null; replies_before: number }

type JumpParams = { topicId: string; page?: number | undefined; commentId?: string | undefined; replyId?: string | undefined }

/** Null if the link points to nothing under this topic. A removed comment keeps its place; a removed reply has none. */
export async function jumpTarget(db: Db, { topicId, page, commentId, replyId }: JumpParams): Promise<CommentPosition | null> {
  if (page !== undefined || (!commentId && !replyId)) return null
  const found = replyId ? await replyTarget(db, topicId, replyId) : await commentTarget(db, topicId, commentId ?? '')
  return found ?? null
}

function commentTarget(db: Db, topicId: string, commentId: string) {
  return db
    .selectFrom('comment')
    .select(['id', 'floor', 'author_floor', sql<number>`0`.as('replies_before')])
    .where('id', '=', commentId)
    .where('topic_id', '=', topicId)
    .where('floor', 'is not', null)
    .$narrowType<{ floor: NotNull }>()
    .executeTakeFirst()
}

function replyTarget(db: Db, topicId: string, replyId: string) {
  const before = sql<number>`(
    select count(*)::int from reply as earlier
    where earlier.comment_id = reply.comment_id and earlier.id <= reply.id and earlier.status = 'published'
  )`
  return db
    .selectFrom('reply')
    .innerJoin('comment', 'comment.id', 'reply.comment_id')
    .select(['comment.id', 'comment.floor', 'comment.author_floor', before.as('replies_before')])
    .where('reply.id', '=', replyId)
    .where('reply.topic_id', '=', topicId)
    .where('reply.status', '=', 'published')
    .where('comment.floor', 'is not', null)
    .$narrowType<{ floor: NotNull }>()
    .executeTakeFirst()
}

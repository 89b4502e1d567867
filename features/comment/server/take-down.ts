import { sql } from 'kysely'
import type { Db, Parts } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import { newestBeside, type Commented, type Replied } from '#comment/server/find.ts'
import { postOfComment, postOfReply } from '#comment/server/told.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** Takes a comment's words off the page. Its floor stays, and so do the replies to it and their count. */
export async function takeDownComment(tx: Db, { topic, comment }: Commented, down: topics.TakenDown): Promise<void> {
  await topics.settledAnew(tx, 'comment', [comment.id])
  if (comment.status === 'deleted') return
  await tx.updateTable('comment').set(deleted(comment.status, down)).where('id', '=', comment.id).execute()
  touch(tx, `topic:${topic.id}`)
  if (comment.status === 'published') {
    await topics.lostAComment(tx, topic, await newestBeside(tx, topic, comment))
    await user.count(tx, comment.authorId, 'comment_count', -1)
    await user.lost(tx, comment.authorId, topic.tagId, 'comments')
  }
  if (down.by === 'author') await writing.takeBack(tx, comment.authorId, 'comment', comment.id)
  else await topics.removed(tx, comment.authorId, await postOfComment(tx, topic, comment), down)
}

export async function putBackComment(tx: Db, { topic, comment }: Commented, { tells = true }: topics.PutBack = {}): Promise<void> {
  await topics.settledAnew(tx, 'comment', [comment.id])
  if (comment.status !== 'deleted') return
  const status = comment.deletedFrom ?? 'published'
  if (status === 'pending') await writing.waitsAnew(tx, 'comment', comment.id)
  await tx
    .updateTable('comment')
    .set({ status, ...back })
    .where('id', '=', comment.id)
    .execute()
  touch(tx, `topic:${topic.id}`)
  if (tells) await topics.restored(tx, comment.authorId, await postOfComment(tx, topic, comment), [status, topic.status])
  if (status !== 'published') return
  await topics.regainedAComment(tx, topic, await newestBeside(tx, topic, comment))
  await user.count(tx, comment.authorId, 'comment_count', 1)
  await user.wrote(tx, comment.authorId, topic.tagId, 'comments').execute()
}

/** Takes a reply off the page; replies that answer it stay. */
export async function takeDownReply(tx: Db, { topic, reply }: Replied, down: topics.TakenDown): Promise<void> {
  await topics.settledAnew(tx, 'reply', [reply.id])
  if (reply.status === 'deleted') return
  await tx.updateTable('reply').set(deleted(reply.status, down)).where('id', '=', reply.id).execute()
  touch(tx, `topic:${topic.id}`)
  if (reply.status === 'published') {
    await countReply(tx, reply.commentId, -1).execute()
    await topics.lostAComment(tx, topic, await newestBeside(tx, topic, reply))
    await user.count(tx, reply.authorId, 'reply_count', -1)
    await user.lost(tx, reply.authorId, topic.tagId, 'replies')
  }
  if (down.by === 'author') await writing.takeBack(tx, reply.authorId, 'reply', reply.id)
  else await topics.removed(tx, reply.authorId, await postOfReply(tx, topic, reply), down)
}

export async function putBackReply(tx: Db, { topic, reply }: Replied, { tells = true }: topics.PutBack = {}): Promise<void> {
  await topics.settledAnew(tx, 'reply', [reply.id])
  if (reply.status !== 'deleted') return
  const status = reply.deletedFrom ?? 'published'
  if (status === 'pending') await writing.waitsAnew(tx, 'reply', reply.id)
  await tx
    .updateTable('reply')
    .set({ status, ...back })
    .where('id', '=', reply.id)
    .execute()
  touch(tx, `topic:${topic.id}`)
  if (tells) await topics.restored(tx, reply.authorId, await postOfReply(tx, topic, reply), [status, topic.status])
  if (status !== 'published') return
  await countReply(tx, reply.commentId, 1).execute()
  await topics.regainedAComment(tx, topic, await newestBeside(tx, topic, reply))
  await user.count(tx, reply.authorId, 'reply_count', 1)
  await user.wrote(tx, reply.authorId, topic.tagId, 'replies').execute()
}

export function countReply(tx: Parts, commentId: string, by: 1 | -1) {
  return tx
    .updateTable('comment')
    .set((row) => ({ reply_count: row('reply_count', '+', by) }))
    .where('id', '=', commentId)
}

const back = { deleted_by: null, deleted_from: null, deleted_at: null, deleted_reason: null }

function deleted(from: 'pending' | 'published', { by, reason = null, at }: topics.TakenDown) {
  return {
    status: 'deleted' as const,
    deleted_by: by,
    deleted_from: from,
    deleted_reason: reason,
    deleted_at: at ?? sql<Date>`clock_timestamp()`,
  }
}

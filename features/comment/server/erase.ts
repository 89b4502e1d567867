import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Comment, Reply } from '#comment/server/find.ts'
import { tallyUnder } from '#comment/server/tally.ts'
import * as file from '#file/server/file.ts'
import * as notice from '#notice/server/notice.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** What is left of a comment whose words are not there any more. */
export const gone = { ...topics.blank, text: '', purged_at: sql<Date>`coalesce(purged_at, clock_timestamp())` }

/** Erases what a comment that was taken down said, now and before. Its floor stays, and so do the replies to it. */
export async function eraseComment(tx: Db, topicId: string, comment: Comment): Promise<void> {
  await tx.updateTable('comment').set(gone).where('id', '=', comment.id).execute()
  await tx.deleteFrom('comment_revision').where('comment_id', '=', comment.id).execute()
  await topics.eraseLeft(tx, [comment.id])
  await writing.takeBack(tx, comment.authorId, 'comment', comment.id)
  await file.detach(tx, { topicId, commentId: comment.id })
  await notice.forget(tx, topicId, { kind: 'comment', id: comment.id })
}

export async function eraseReply(tx: Db, topicId: string, reply: Reply): Promise<void> {
  await tx.updateTable('reply').set(gone).where('id', '=', reply.id).execute()
  await tx.deleteFrom('reply_revision').where('reply_id', '=', reply.id).execute()
  await writing.takeBack(tx, reply.authorId, 'reply', reply.id)
  await file.detach(tx, { topicId, commentId: reply.commentId, replyId: reply.id })
  await notice.forget(tx, topicId, { kind: 'reply', id: reply.id })
}

/** Erases what a topic that was taken down said, with all that is under it. */
export async function eraseTopic(tx: Db, topic: topics.Topic): Promise<void> {
  const tallies = await tallyUnder(tx, topic.id)
  await user.lostAll(tx, topic.tagId, tallies)
  await user.lostForGood(tx, tallies)
  await eraseUnder(tx, topic.id)
  await topics.erase(tx, topic)
}

async function eraseUnder(tx: Db, topicId: string): Promise<void> {
  const all = {
    ...gone,
    status: 'deleted' as const,
    deleted_by: sql<'author' | 'staff'>`coalesce(deleted_by, 'staff')`,
  }
  const under = await tx.selectFrom('comment').select('id').where('topic_id', '=', topicId).execute()
  await topics.eraseLeft(
    tx,
    under.map(({ id }) => id),
  )
  const ids = (table: 'comment' | 'reply') => tx.selectFrom(table).select('id').where('topic_id', '=', topicId)
  await tx.deleteFrom('comment_revision').where('comment_id', 'in', ids('comment')).execute()
  await tx.deleteFrom('reply_revision').where('reply_id', 'in', ids('reply')).execute()
  await tx.deleteFrom('said').where('kind', '=', 'comment').where('post_id', 'in', ids('comment')).execute()
  await tx.deleteFrom('said').where('kind', '=', 'reply').where('post_id', 'in', ids('reply')).execute()
  await tx
    .updateTable('comment')
    .set({ ...all, reply_count: 0 })
    .where('topic_id', '=', topicId)
    .execute()
  await tx.updateTable('reply').set(all).where('topic_id', '=', topicId).execute()
}

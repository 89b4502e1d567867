import { sql } from 'kysely'
import { Missing, NotAllowed, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { AnsweredGone, CommentsClosed, type addReply, type editReply } from '#comment/contract.ts'
import { addedAt } from '#comment/server/added-at.ts'
import { lockComment, lockReply } from '#comment/server/find.ts'
import * as may from '#comment/server/may.ts'
import { rewriteReply, underComment } from '#comment/server/rewrite.ts'
import { countReply, takeDownReply } from '#comment/server/take-down.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** Replies to a comment. A seed may say when it was; otherwise it is now. */
export async function add(
  tx: Db,
  author: Member,
  draft: Taken<typeof addReply>,
  { at, origin }: writing.When = {},
): Promise<{ replyId: string }> {
  const settings = await setting.mustBeOpen(tx, 'takesReplies')
  const post = await writing.prepare(tx, { kind: 'reply', by: author, document: draft.body, origin, at })
  const { topic, comment } = await lockComment(tx, author, draft.commentId)
  if (!may.post(author, 'reply', topic)) throw NotAllowed()
  if (!may.postNow(author, topic)) throw CommentsClosed()
  if (draft.answers && !(await stands(tx, comment.id, draft.answers))) throw AnsweredGone()

  const { body, segments, summary, text, fileIds } = post
  const turn = writing.turn(settings, author, { kind: 'reply', at, text, fileIds, place: underComment(comment.id, draft.answers) })
  const added = {
    topic_id: topic.id,
    comment_id: comment.id,
    author_id: author.id,
    body,
    segments,
    text: summary,
    answers: draft.answers ?? null,
    published_at: at ?? sql<Date>`clock_timestamp()`,
  }
  const { id, ...done } = await tx
    .with('added', (part) => part.insertInto('reply').values(added).returning(['id', 'published_at']))
    .with('moved', (part) => topics.commentedOn(part, settings, topic, { by: author.id, at: addedAt, isComment: false }))
    .with('counted', (part) => writing.counted(part, turn))
    .with('noted', (part) => writing.noted(part, turn))
    .with('wrote', (part) => user.wrote(part, author.id, topic.tagId, 'replies'))
    .with('replied', (part) => countReply(part, comment.id, 1))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: comment.id, replyId: id })
  topics.wasChanged(tx, topic)
  return { replyId: id }
}

/** A reply as it was written, for those who may edit it. */
export async function source(db: Db, member: Member, replyId: string): Promise<{ replyId: string; body: Doc }> {
  const reply = await db
    .selectFrom('reply')
    .select(['topic_id', 'author_id', 'body'])
    .where('id', '=', replyId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  if (!reply) throw Missing()
  const topic = await topics.find(db, member, reply.topic_id)
  if (!may.edit(member, 'reply', topic, reply.author_id)) throw NotAllowed()
  return { replyId, body: reply.body as Doc }
}

export async function edit(
  tx: Db,
  member: Member,
  draft: Taken<typeof editReply>,
  { origin }: writing.When = {},
): Promise<{ replyId: string }> {
  await setting.mustBeOpen(tx, 'takesReplies')
  const found = await lockReply(tx, member, draft.replyId)
  if (!may.edit(member, 'reply', found.topic, found.reply.authorId)) throw NotAllowed()
  await rewriteReply(tx, member, found, draft.body, { origin })
  return { replyId: draft.replyId }
}

export async function remove(tx: Db, member: Member, replyId: string): Promise<void> {
  const found = await lockReply(tx, member, replyId)
  const { authorId } = found.reply
  if (!may.remove(member, 'reply', found.topic, authorId)) throw NotAllowed()
  await takeDownReply(tx, found, { by: member.id === authorId ? 'author' : 'staff' })
}

async function stands(tx: Db, commentId: string, replyId: string): Promise<boolean> {
  const answered = await tx
    .selectFrom('reply')
    .select('id')
    .where('id', '=', replyId)
    .where('comment_id', '=', commentId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  return answered !== undefined
}

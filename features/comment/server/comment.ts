import { sql } from 'kysely'
import { Missing, NotAllowed, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { CommentsClosed, QuoteGone, type addComment, type editComment } from '#comment/contract.ts'
import { addedAt } from '#comment/server/added-at.ts'
import { lockComment } from '#comment/server/find.ts'
import * as may from '#comment/server/may.ts'
import * as reading from '#comment/server/reading.ts'
import { inTopic, rewriteComment } from '#comment/server/rewrite.ts'
import { takeDownComment } from '#comment/server/take-down.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

export { eraseComment, eraseReply, eraseUnder } from '#comment/server/erase.ts'
export { lockAnyComment, lockAnyReply, newestUnder } from '#comment/server/find.ts'
export { add as addReply } from '#comment/server/reply.ts'
export { rewriteComment, rewriteReply } from '#comment/server/rewrite.ts'
export { putBackComment, putBackReply, takeDownComment, takeDownReply } from '#comment/server/take-down.ts'
export { tallyUnder } from '#comment/server/tally.ts'

/** Comments on a topic. A seed may say when it was; otherwise it is now. */
export async function add(
  tx: Db,
  author: Member,
  draft: Taken<typeof addComment>,
  { at, origin }: writing.When = {},
): Promise<{ commentId: string; floor: number }> {
  const settings = await setting.mustBeOpen(tx, 'takesComments')
  // Read and rendered before the topic is locked, so that others who comment on it wait less.
  const post = await writing.prepare(tx, { kind: 'comment', by: author, document: draft.body, origin, at })
  const topic = await topics.lock(tx, author, draft.topicId)
  if (!may.post(author, 'comment', topic)) throw NotAllowed()
  if (!may.postNow(author, topic)) throw CommentsClosed()
  if (draft.quotes && !(await stands(tx, topic.id, draft.quotes))) throw QuoteGone()

  const { body, segments, summary, text, fileIds } = post
  const turn = writing.turn(settings, author, { kind: 'comment', at, text, fileIds, place: inTopic(topic.id, draft.quotes) })
  const floor = topic.floors + 1
  const added = {
    topic_id: topic.id,
    author_id: author.id,
    floor,
    body,
    segments,
    text: summary,
    author_floor: author.id === topic.authorId ? topic.authorFloors + 1 : null,
    quotes: draft.quotes ?? null,
    published_at: at ?? sql<Date>`clock_timestamp()`,
  }
  const { id, ...done } = await tx
    .with('added', (part) => part.insertInto('comment').values(added).returning(['id', 'published_at']))
    .with('moved', (part) => topics.commentedOn(part, settings, topic, { by: author.id, at: addedAt, isComment: true }))
    .with('counted', (part) => writing.counted(part, turn))
    .with('noted', (part) => writing.noted(part, turn))
    .with('wrote', (part) => user.wrote(part, author.id, topic.tagId, 'comments'))
    .with('seen', (part) => reading.readUpTo(part, author.id, topic.id, floor))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: id })
  topics.wasChanged(tx, topic)
  return { commentId: id, floor }
}

/** A comment as it was written, for those who may edit it. */
export async function source(db: Db, member: Member, commentId: string): Promise<{ commentId: string; body: Doc }> {
  const comment = await db
    .selectFrom('comment')
    .select(['topic_id', 'author_id', 'body'])
    .where('id', '=', commentId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  if (!comment) throw Missing()
  const topic = await topics.find(db, member, comment.topic_id)
  if (!may.edit(member, 'comment', topic, comment.author_id)) throw NotAllowed()
  return { commentId, body: comment.body as Doc }
}

/** Replaces what a comment says. Those who quote it show the new words, for a quote is read afresh each time. */
export async function edit(
  tx: Db,
  member: Member,
  draft: Taken<typeof editComment>,
  { origin }: writing.When = {},
): Promise<{ commentId: string }> {
  await setting.mustBeOpen(tx, 'takesComments')
  const found = await lockComment(tx, member, draft.commentId)
  if (!may.edit(member, 'comment', found.topic, found.comment.authorId)) throw NotAllowed()
  await rewriteComment(tx, member, found, draft.body, { origin })
  return { commentId: draft.commentId }
}

export async function remove(tx: Db, member: Member, commentId: string): Promise<void> {
  const found = await lockComment(tx, member, commentId)
  const { authorId } = found.comment
  if (!may.remove(member, 'comment', found.topic, authorId)) throw NotAllowed()
  await takeDownComment(tx, found, { by: member.id === authorId ? 'author' : 'staff' })
}

async function stands(tx: Db, topicId: string, commentId: string): Promise<boolean> {
  const quoted = await tx
    .selectFrom('comment')
    .select('id')
    .where('id', '=', commentId)
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  return quoted !== undefined
}

import { sql } from 'kysely'
import { Missing, NotAllowed, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db, Parts } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import { AnsweredGone, CommentsClosed, type addReply, type editReply } from '#comment/contract.ts'
import { addedAt } from '#comment/server/comment.ts'
import { lockComment, lockReply, newestAfter } from '#comment/server/find.ts'
import * as may from '#comment/server/may.ts'
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
  if (!topic.takesComments) throw CommentsClosed()
  if (draft.answers && !(await stands(tx, comment.id, draft.answers))) throw AnsweredGone()

  const { body, segments, summary, text, fileIds } = post
  const turn = writing.turn(settings, author, { kind: 'reply', at, text, fileIds, place: placeOf(comment.id, draft.answers) })
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
    .with('replied', (part) => counted(part, comment.id, 1))
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
  const settings = await setting.mustBeOpen(tx, 'takesReplies')
  const { topic, reply } = await lockReply(tx, member, draft.replyId)
  if (!may.edit(member, 'reply', topic, reply.authorId)) throw NotAllowed()
  const { authorId } = reply
  const post = await writing.prepare(tx, { kind: 'reply', by: member, authorId, document: draft.body, origin })
  const { body, segments, summary, text, fileIds } = post
  if (!(await keepVersion(tx, reply.id, body))) return { replyId: reply.id }

  const place = placeOf(reply.commentId, reply.answers)
  const turn = writing.turn(settings, member, { kind: 'reply', authorId, text, fileIds, place })
  const changed = { body, segments, text: summary, edited_at: sql<Date>`clock_timestamp()` }
  const { isNoted } = await tx
    .with('changed', (part) => part.updateTable('reply').set(changed).where('id', '=', reply.id).returning('id'))
    .with('noted', (part) => writing.notedAnew(part, turn))
    .selectFrom('changed')
    .select(writing.isNoted)
    .executeTakeFirstOrThrow()
  await writing.refuseIfSaidElsewhere(turn, isNoted, () => saidBefore(tx, reply.id, place))
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: reply.commentId, replyId: reply.id })
  touch(tx, `topic:${topic.id}`)
  return { replyId: reply.id }
}

/** Takes a reply off the page; replies that answer it stay. */
export async function remove(tx: Db, member: Member, replyId: string): Promise<void> {
  const { topic, reply } = await lockReply(tx, member, replyId)
  if (!may.remove(member, 'reply', topic, reply.authorId)) throw NotAllowed()
  const deleted_by = member.id === reply.authorId ? 'author' : 'staff'
  await tx.updateTable('reply').set({ status: 'deleted', deleted_by }).where('id', '=', reply.id).execute()
  await counted(tx, reply.commentId, -1).execute()
  await topics.lostAComment(tx, topic, await newestAfter(tx, topic, reply))
  await user.count(tx, reply.authorId, 'reply_count', -1)
  await user.lost(tx, reply.authorId, topic.tagId, 'replies')
  if (deleted_by === 'author') await writing.takeBack(tx, member.id, 'reply', reply.id)
}

// A few words are the same only here.
function placeOf(commentId: string, answers: string | null | undefined): string {
  return `comment ${commentId} ${answers ?? ''}`
}

async function saidBefore(tx: Db, replyId: string, place: string) {
  const versions = await tx.selectFrom('reply_revision').select('body').where('reply_id', '=', replyId).execute()
  return versions.map(({ body }) => writing.sayingOf(body as Doc, place))
}

function counted(tx: Parts, commentId: string, by: 1 | -1) {
  return tx
    .updateTable('comment')
    .set((row) => ({ reply_count: row('reply_count', '+', by) }))
    .where('id', '=', commentId)
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

// False when it says what it said.
async function keepVersion(tx: Db, replyId: string, body: string): Promise<boolean> {
  const kept = await tx
    .insertInto('reply_revision')
    .columns(['reply_id', 'body', 'written_at'])
    .expression((query) =>
      query
        .selectFrom('reply')
        .select(['id', 'body', sql<Date>`coalesce(edited_at, published_at)`.as('written_at')])
        .where('id', '=', replyId)
        .where(sql<boolean>`body <> ${body}::jsonb`),
    )
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

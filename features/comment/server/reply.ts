import { sql } from 'kysely'
import { Missing, NotAllowed, type Output, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import { AnsweredGone, CommentsClosed, type addReply, type editReply, type removeReply, type replySource } from '#comment/contract.ts'
import { addedAt } from '#comment/server/added-at.ts'
import { lockComment, lockOwnReply, type Comment } from '#comment/server/find.ts'
import * as may from '#comment/server/may.ts'
import { isAsItIs, replaceReply, underComment, writeReplyAnew } from '#comment/server/rewrite.ts'
import { countReply, takeDownReply } from '#comment/server/take-down.ts'
import { postOfReply } from '#comment/server/told.ts'
import * as file from '#file/server/file.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

type Draft = Taken<typeof addReply>

/** Replies to a comment, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function add(tx: Db, author: Member, draft: Draft, { at, origin }: writing.When = {}): Promise<Output<typeof addReply>> {
  const settings = await setting.mustBeOpen(tx, 'takesReplies')
  const post = await writing.prepare(tx, { kind: 'reply', by: author, document: draft.body, origin, at })
  const { topic, comment } = await lockComment(tx, author, draft.commentId)
  if (!may.post(author, 'reply', topic)) throw NotAllowed()
  if (!may.postNow(author, topic)) throw CommentsClosed()
  if (draft.answers && !(await stands(tx, comment.id, draft.answers))) throw AnsweredGone()

  const wait = writing.waitFor(settings, author, { kind: 'reply', tagId: topic.tagId, post, at })
  const ground = { settings, author, topic, comment, draft, post, at }
  const replyId = wait ? await hold(tx, ground) : await publish(tx, ground)
  if (wait) await writing.wait(tx, wait, { kind: 'reply', postId: replyId, topicId: topic.id, authorId: author.id })
  return { replyId, isPending: wait !== null }
}

type Ground = {
  settings: Settings
  author: Member
  topic: topics.Topic
  comment: Comment
  draft: Draft
  post: writing.Ready
  at: Date | undefined
}

async function publish(tx: Db, ground: Ground): Promise<string> {
  const { settings, author, topic, comment, post } = ground
  const turn = turnOf(ground, false)
  const { id, ...done } = await tx
    .with('added', (part) => part.insertInto('reply').values(rowOf(ground)).returning(['id', 'published_at']))
    .with('moved', (part) => topics.commentedOn(part, settings, topic, { by: author.id, at: addedAt, isComment: false }))
    .with('counted', (part) => writing.counted(part, turn))
    .with('noted', (part) => writing.noted(part, turn))
    .with('wrote', (part) => user.wrote(part, author.id, topic.tagId, 'replies'))
    .with('replied', (part) => countReply(part, comment.id, 1))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, post.fileIds, { topicId: topic.id, commentId: comment.id, replyId: id })
  topics.grew(tx, topic)
  return id
}

/** Keeps a reply that waits, which counts nowhere but for how soon its author may write again. */
async function hold(tx: Db, ground: Ground): Promise<string> {
  const turn = turnOf(ground, true)
  const { id, ...done } = await tx
    .with('added', (part) =>
      part
        .insertInto('reply')
        .values({ ...rowOf(ground), status: 'pending' })
        .returning('id'),
    )
    .with('counted', (part) => writing.counted(part, turn))
    .with('noted', (part) => writing.noted(part, turn))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, ground.post.fileIds, { topicId: ground.topic.id, commentId: ground.comment.id, replyId: id })
  return id
}

function turnOf({ settings, author, comment, draft, post: { text, fileIds }, at }: Ground, waits: boolean) {
  return writing.turn(settings, author, { kind: 'reply', at, text, fileIds, place: underComment(comment.id, draft.answers), waits })
}

function rowOf({ author, topic, comment, draft, post, at }: Ground) {
  const { body, segments, summary: text } = post
  const published_at = at ?? sql<Date>`clock_timestamp()`
  const place = { topic_id: topic.id, comment_id: comment.id, answers: draft.answers ?? null }
  return { ...place, author_id: author.id, body, segments, text, published_at }
}

/** A reply as it was written, for those who may edit it; as its author last wrote it, where that waits. */
export async function source(db: Db, member: Member, replyId: string): Promise<Output<typeof replySource>> {
  const reply = await db
    .selectFrom('reply')
    .select(['topic_id', 'author_id', 'body', 'status'])
    .where('id', '=', replyId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
  if (!reply || (reply.status === 'pending' && reply.author_id !== member.id)) throw Missing()
  const topic = await topics.find(db, member, reply.topic_id)
  if (!may.edit(member, 'reply', topic, reply.author_id)) throw NotAllowed()
  const waiting = await writing.waitingEdit(db, 'reply', replyId, member.id)
  return { replyId, body: waiting?.body ?? (reply.body as Doc), isAnothers: reply.author_id !== member.id }
}

export async function edit(
  tx: Db,
  member: Member,
  draft: Taken<typeof editReply>,
  { origin, ip }: From,
): Promise<Output<typeof editReply>> {
  const settings = await setting.mustBeOpen(tx, 'takesReplies')
  const { topic, reply } = await lockOwnReply(tx, member, draft.replyId)
  if (!may.edit(member, 'reply', topic, reply.authorId)) throw NotAllowed()
  const { authorId, id: replyId, version } = reply
  topics.refuseWithoutReason(member, authorId, draft.reason)
  const post = await writing.prepare(tx, { kind: 'reply', by: member, authorId, document: draft.body, origin })
  const wait = writing.waitFor(settings, member, { kind: 'reply', tagId: topic.tagId, authorId, post })
  const place = { kind: 'reply', postId: replyId, topicId: topic.id, authorId } as const
  if (reply.status === 'pending') {
    await writeReplyAnew(tx, member, { topic, reply }, post)
    await writing.wait(tx, wait ?? { why: 'members', words: [] }, place)
    return { replyId, isPending: true }
  }
  if (wait && !(await isAsItIs(tx, 'reply', replyId, post))) {
    await writing.wait(tx, wait, { ...place, edit: { post } })
    return { replyId, isPending: true }
  }
  if (member.id === authorId) await writing.waitsNoMore(tx, 'reply', replyId)
  if (await replaceReply(tx, member, { topic, reply }, post))
    await topics.edited(tx, member, { ip }, { post: await postOfReply(tx, topic, reply), authorId, version, wish: draft })
  return { replyId, isPending: false }
}

export async function remove(tx: Db, member: Member, { replyId, reason }: Taken<typeof removeReply>, from: From): Promise<void> {
  const found = await lockOwnReply(tx, member, replyId)
  const { authorId, id } = found.reply
  if (!may.remove(member, 'reply', found.topic, authorId)) throw NotAllowed()
  const post = { kind: 'reply', id, authorId } as const
  await topics.removeFor(tx, member, from, { post, reason, takeDown: (down) => takeDownReply(tx, found, down) })
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

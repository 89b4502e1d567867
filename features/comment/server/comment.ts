import { sql } from 'kysely'
import { Missing, NotAllowed, type Output, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import { CommentsClosed, QuoteGone, type addComment, type editComment, type removeComment, type commentSource } from '#comment/contract.ts'
import { addedAt } from '#comment/server/added-at.ts'
import { lockOwnComment } from '#comment/server/find.ts'
import * as may from '#comment/server/may.ts'
import * as reading from '#comment/server/reading.ts'
import { inTopic, isAsItIs, replaceComment, writeCommentAnew } from '#comment/server/rewrite.ts'
import { takeDownComment } from '#comment/server/take-down.ts'
import { postOfComment } from '#comment/server/told.ts'
import * as file from '#file/server/file.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

export { lockAnyComment, newestUnder } from '#comment/server/find.ts'
export { find as whereIs } from '#comment/server/moved.ts'
export { becomes, emptyFor, fromOpening } from '#comment/server/opening.ts'
export { lockPost, type Post } from '#comment/server/post.ts'
export { relocate } from '#comment/server/relocate.ts'
export { add as addReply } from '#comment/server/reply.ts'
export { tallyUnder } from '#comment/server/tally.ts'

type Draft = Taken<typeof addComment>

/** Comments on a topic, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function add(tx: Db, author: Member, draft: Draft, { at, origin }: writing.When = {}): Promise<Output<typeof addComment>> {
  const settings = await setting.mustBeOpen(tx, 'takesComments')
  // Read and rendered before the topic is locked, so that others who comment on it wait less.
  const post = await writing.prepare(tx, { kind: 'comment', by: author, document: draft.body, origin, at })
  const topic = await topics.lock(tx, author, draft.topicId)
  if (!may.post(author, 'comment', topic)) throw NotAllowed()
  if (!may.postNow(author, topic)) throw CommentsClosed()
  if (draft.quotes && !(await stands(tx, topic.id, draft.quotes))) throw QuoteGone()

  const wait = writing.waitFor(settings, author, { kind: 'comment', tagId: topic.tagId, post, at })
  const ground = { settings, author, topic, draft, post, at }
  if (!wait) return publish(tx, ground)
  const commentId = await hold(tx, ground)
  await writing.wait(tx, wait, { kind: 'comment', postId: commentId, topicId: topic.id, authorId: author.id })
  return { commentId, floor: null }
}

type Ground = { settings: Settings; author: Member; topic: topics.Topic; draft: Draft; post: writing.Ready; at: Date | undefined }

async function publish(tx: Db, ground: Ground): Promise<{ commentId: string; floor: number }> {
  const { settings, author, topic, post } = ground
  const turn = turnOf(ground, false)
  const floor = topic.floors + 1
  const author_floor = author.id === topic.authorId ? topic.authorFloors + 1 : null
  const added = { ...rowOf(ground), floor, author_floor }
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
  await file.attach(tx, post.fileIds, { topicId: topic.id, commentId: id })
  topics.grew(tx, topic)
  return { commentId: id, floor }
}

/** Keeps a comment that waits: it has no floor, and counts nowhere but for how soon its author may write again. */
async function hold(tx: Db, ground: Ground): Promise<string> {
  const turn = turnOf(ground, true)
  const { id, ...done } = await tx
    .with('added', (part) =>
      part
        .insertInto('comment')
        .values({ ...rowOf(ground), status: 'pending' })
        .returning('id'),
    )
    .with('counted', (part) => writing.counted(part, turn))
    .with('noted', (part) => writing.noted(part, turn))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, ground.post.fileIds, { topicId: ground.topic.id, commentId: id })
  return id
}

function turnOf({ settings, author, topic, draft, post: { text, fileIds }, at }: Ground, waits: boolean) {
  return writing.turn(settings, author, { kind: 'comment', at, text, fileIds, place: inTopic(topic.id, draft.quotes), waits })
}

function rowOf({ author, topic, draft, post, at }: Ground) {
  const { body, segments, summary: text } = post
  const published_at = at ?? sql<Date>`clock_timestamp()`
  return { topic_id: topic.id, author_id: author.id, body, segments, text, quotes: draft.quotes ?? null, published_at }
}

/** A comment as it was written, for those who may edit it; as its author last wrote it, where that waits. */
export async function source(db: Db, member: Member, commentId: string): Promise<Output<typeof commentSource>> {
  const comment = await db
    .selectFrom('comment')
    .select(['topic_id', 'author_id', 'body', 'status'])
    .where('id', '=', commentId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
  if (!comment || (comment.status === 'pending' && comment.author_id !== member.id)) throw Missing()
  const topic = await topics.find(db, member, comment.topic_id)
  if (!may.edit(member, 'comment', topic, comment.author_id)) throw NotAllowed()
  const waiting = await writing.waitingEdit(db, 'comment', commentId, member.id)
  return { commentId, body: waiting?.body ?? (comment.body as Doc), isAnothers: comment.author_id !== member.id }
}

/** Replaces what a comment says. Those who quote it show the new words, for a quote is read afresh each time. */
export async function edit(
  tx: Db,
  member: Member,
  draft: Taken<typeof editComment>,
  { origin, ip }: From,
): Promise<Output<typeof editComment>> {
  const settings = await setting.mustBeOpen(tx, 'takesComments')
  const { topic, comment } = await lockOwnComment(tx, member, draft.commentId)
  if (!may.edit(member, 'comment', topic, comment.authorId)) throw NotAllowed()
  const { authorId, id: commentId, version } = comment
  topics.refuseWithoutReason(member, authorId, draft.reason)
  const post = await writing.prepare(tx, { kind: 'comment', by: member, authorId, document: draft.body, origin })
  const wait = writing.waitFor(settings, member, { kind: 'comment', tagId: topic.tagId, authorId, post })
  const place = { kind: 'comment', postId: commentId, topicId: topic.id, authorId } as const
  if (comment.status === 'pending') {
    await writeCommentAnew(tx, member, { topic, comment }, post)
    await writing.wait(tx, wait ?? { why: 'members', words: [] }, place)
    return { commentId, isPending: true }
  }
  if (wait && !(await isAsItIs(tx, 'comment', commentId, post))) {
    await writing.wait(tx, wait, { ...place, edit: { post } })
    return { commentId, isPending: true }
  }
  if (member.id === authorId) await writing.waitsNoMore(tx, 'comment', commentId)
  if (await replaceComment(tx, member, { topic, comment }, post))
    await topics.edited(tx, member, { ip }, { post: await postOfComment(tx, topic, comment), authorId, version, wish: draft })
  return { commentId, isPending: false }
}

export async function remove(tx: Db, member: Member, { commentId, reason }: Taken<typeof removeComment>, from: From): Promise<void> {
  const found = await lockOwnComment(tx, member, commentId)
  const { authorId, id } = found.comment
  if (!may.remove(member, 'comment', found.topic, authorId)) throw NotAllowed()
  const post = { kind: 'comment', id, authorId } as const
  await topics.removeFor(tx, member, from, { post, reason, takeDown: (down) => takeDownComment(tx, found, down) })
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

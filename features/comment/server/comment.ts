import { sql } from 'kysely'
import { Missing, NotAllowed, type Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import { CommentsClosed, QuoteGone, type addComment, type editComment } from '#comment/contract.ts'
import { lockComment, newestAfter } from '#comment/server/find.ts'
import * as may from '#comment/server/may.ts'
import * as reading from '#comment/server/reading.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

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
  if (!topic.takesComments) throw CommentsClosed()
  if (draft.quotes && !(await stands(tx, topic.id, draft.quotes))) throw QuoteGone()

  const { body, segments, summary, text, fileIds } = post
  const turn = writing.turn(settings, author, { kind: 'comment', at, text, fileIds, place: placeOf(topic.id, draft.quotes) })
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

export const addedAt = sql<Date>`(select published_at from added)`

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
  const settings = await setting.mustBeOpen(tx, 'takesComments')
  const { topic, comment } = await lockComment(tx, member, draft.commentId)
  if (!may.edit(member, 'comment', topic, comment.authorId)) throw NotAllowed()
  const { authorId } = comment
  const post = await writing.prepare(tx, { kind: 'comment', by: member, authorId, document: draft.body, origin })
  const { body, segments, summary, text, fileIds } = post
  if (!(await keepVersion(tx, comment.id, body))) return { commentId: comment.id }

  const place = placeOf(topic.id, comment.quotes)
  const turn = writing.turn(settings, member, { kind: 'comment', authorId, text, fileIds, place })
  const changed = { body, segments, text: summary, edited_at: sql<Date>`clock_timestamp()` }
  const { isNoted } = await tx
    .with('changed', (part) => part.updateTable('comment').set(changed).where('id', '=', comment.id).returning('id'))
    .with('noted', (part) => writing.notedAnew(part, turn))
    .selectFrom('changed')
    .select(writing.isNoted)
    .executeTakeFirstOrThrow()
  await writing.refuseIfSaidElsewhere(turn, isNoted, () => saidBefore(tx, comment.id, place))
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: comment.id })
  touch(tx, `topic:${topic.id}`)
  return { commentId: comment.id }
}

/** Takes a comment's words off the page. Its floor stays, and so do the replies to it and their count. */
export async function remove(tx: Db, member: Member, commentId: string): Promise<void> {
  const { topic, comment } = await lockComment(tx, member, commentId)
  if (!may.remove(member, 'comment', topic, comment.authorId)) throw NotAllowed()
  const deleted_by = member.id === comment.authorId ? 'author' : 'staff'
  await tx.updateTable('comment').set({ status: 'deleted', deleted_by }).where('id', '=', comment.id).execute()
  await topics.lostAComment(tx, topic, await newestAfter(tx, topic, comment))
  await user.count(tx, comment.authorId, 'comment_count', -1)
  await user.lost(tx, comment.authorId, topic.tagId, 'comments')
  if (deleted_by === 'author') await writing.takeBack(tx, member.id, 'comment', comment.id)
}

// A few words are the same only here.
function placeOf(topicId: string, quotes: string | null | undefined): string {
  return `topic ${topicId} ${quotes ?? ''}`
}

async function saidBefore(tx: Db, commentId: string, place: string) {
  const versions = await tx.selectFrom('comment_revision').select('body').where('comment_id', '=', commentId).execute()
  return versions.map(({ body }) => writing.sayingOf(body as Doc, place))
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

// False when it says what it said.
async function keepVersion(tx: Db, commentId: string, body: string): Promise<boolean> {
  const kept = await tx
    .insertInto('comment_revision')
    .columns(['comment_id', 'body', 'written_at'])
    .expression((query) =>
      query
        .selectFrom('comment')
        .select(['id', 'body', sql<Date>`coalesce(edited_at, published_at)`.as('written_at')])
        .where('id', '=', commentId)
        .where(sql<boolean>`body <> ${body}::jsonb`),
    )
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

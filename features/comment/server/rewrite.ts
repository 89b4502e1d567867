import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import type { Commented, Replied } from '#comment/server/find.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'

const changed = { edited_at: sql<Date>`clock_timestamp()`, version: sql<number>`version + 1` }

/** Replaces what a comment that is locked says, keeping what it said as a version. False when it says what it said. */
export async function replaceComment(
  tx: Db,
  by: Member,
  { topic, comment }: Commented,
  post: writing.Ready,
  editedBy = by.id,
): Promise<boolean> {
  const settings = await setting.all(tx)
  const { body, segments, summary, text, fileIds } = post
  if (!(await keepComment(tx, comment.id, body))) return false

  const place = inTopic(topic.id, comment.quotes)
  const turn = writing.turn(settings, by, { kind: 'comment', authorId: comment.authorId, text, fileIds, place })
  const { isNoted } = await tx
    .with('changed', (part) =>
      part
        .updateTable('comment')
        .set({ body, segments, text: summary, edited_by: editedBy, ...changed })
        .where('id', '=', comment.id)
        .returning('id'),
    )
    .with('noted', (part) => writing.notedAnew(part, turn))
    .selectFrom('changed')
    .select(writing.isNoted)
    .executeTakeFirstOrThrow()
  await writing.refuseIfSaidElsewhere(turn, isNoted, () => commentBefore(tx, comment.id, place))
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: comment.id })
  touch(tx, `topic:${topic.id}`)
  return true
}

/** Writes anew what nobody has seen yet: no version of it is kept, but what its author wrote where somebody else does. */
export async function writeCommentAnew(tx: Db, by: Member, { topic, comment }: Commented, post: writing.Ready): Promise<void> {
  await writing.nowWrittenBy(tx, by, 'comment', comment.id)
  const { body, segments, summary, fileIds } = post
  const written = { body, segments, text: summary, version: changed.version }
  await tx.updateTable('comment').set(written).where('id', '=', comment.id).execute()
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: comment.id })
}

/** The same for a reply. */
export async function replaceReply(tx: Db, by: Member, { topic, reply }: Replied, post: writing.Ready, editedBy = by.id): Promise<boolean> {
  const settings = await setting.all(tx)
  const { body, segments, summary, text, fileIds } = post
  if (!(await keepReply(tx, reply.id, body))) return false

  const place = underComment(reply.commentId, reply.answers)
  const turn = writing.turn(settings, by, { kind: 'reply', authorId: reply.authorId, text, fileIds, place })
  const { isNoted } = await tx
    .with('changed', (part) =>
      part
        .updateTable('reply')
        .set({ body, segments, text: summary, edited_by: editedBy, ...changed })
        .where('id', '=', reply.id)
        .returning('id'),
    )
    .with('noted', (part) => writing.notedAnew(part, turn))
    .selectFrom('changed')
    .select(writing.isNoted)
    .executeTakeFirstOrThrow()
  await writing.refuseIfSaidElsewhere(turn, isNoted, () => replyBefore(tx, reply.id, place))
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: reply.commentId, replyId: reply.id })
  touch(tx, `topic:${topic.id}`)
  return true
}

/** The same for a reply. */
export async function writeReplyAnew(tx: Db, by: Member, { topic, reply }: Replied, post: writing.Ready): Promise<void> {
  await writing.nowWrittenBy(tx, by, 'reply', reply.id)
  const { body, segments, summary, fileIds } = post
  const written = { body, segments, text: summary, version: changed.version }
  await tx.updateTable('reply').set(written).where('id', '=', reply.id).execute()
  await file.attach(tx, fileIds, { topicId: topic.id, commentId: reply.commentId, replyId: reply.id })
}

export async function isAsItIs(tx: Db, table: 'comment' | 'reply', id: string, { body }: writing.Ready): Promise<boolean> {
  const same = sql<boolean>`body = ${body}::jsonb`.as('same')
  return (await tx.selectFrom(table).select(same).where('id', '=', id).executeTakeFirstOrThrow()).same
}

/** A few words are the same only here. */
export function inTopic(topicId: string, quotes: string | null | undefined): string {
  return `topic ${topicId} ${quotes ?? ''}`
}

export function underComment(commentId: string, answers: string | null | undefined): string {
  return `comment ${commentId} ${answers ?? ''}`
}

async function commentBefore(tx: Db, commentId: string, place: string) {
  const versions = await tx.selectFrom('comment_revision').select('body').where('comment_id', '=', commentId).execute()
  return versions.map(({ body }) => writing.sayingOf(body as Doc, place))
}

async function replyBefore(tx: Db, replyId: string, place: string) {
  const versions = await tx.selectFrom('reply_revision').select('body').where('reply_id', '=', replyId).execute()
  return versions.map(({ body }) => writing.sayingOf(body as Doc, place))
}

const writtenAt = sql<Date>`coalesce(edited_at, published_at)`.as('written_at')

// False when it says what it said.
async function keepComment(tx: Db, commentId: string, body: string): Promise<boolean> {
  const kept = await tx
    .insertInto('comment_revision')
    .columns(['comment_id', 'body', 'written_at', 'written_by'])
    .expression((query) =>
      query
        .selectFrom('comment')
        .select(['id', 'body', writtenAt, 'edited_by'])
        .where('id', '=', commentId)
        .where(sql<boolean>`body <> ${body}::jsonb`),
    )
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

async function keepReply(tx: Db, replyId: string, body: string): Promise<boolean> {
  const kept = await tx
    .insertInto('reply_revision')
    .columns(['reply_id', 'body', 'written_at', 'written_by'])
    .expression((query) =>
      query
        .selectFrom('reply')
        .select(['id', 'body', writtenAt, 'edited_by'])
        .where('id', '=', replyId)
        .where(sql<boolean>`body <> ${body}::jsonb`),
    )
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

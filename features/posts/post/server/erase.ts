import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { remarkKinds, type RemarkKind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { deleteRows, finishErasing } from '#post/server/finish-erasing.ts'
import { fileOwnerOf } from '#post/server/post-location.ts'
import type { Post } from '#post/server/lock.ts'
import { onUnpublished, visibleUnder } from '#post/server/visibility.ts'
import * as writing from '#writing/server/writing.ts'

/** The content of a post that was erased. */
export const blank = { body: JSON.stringify({ type: 'doc', content: [] }), segments: '[]' }
/** The same for a comment or a reply. */
export const blankRemark = { ...blank, text: '', purged_at: sql<Date>`coalesce(purged_at, clock_timestamp())` }
const blankOpening = { ...blank, summary: '', pictures: '[]', purged_at: sql<Date>`clock_timestamp()` }

/** Erases the content of a removed post with all its versions, and detaches its files; a thread is erased with all its posts. */
export async function erase(tx: Db, post: Post): Promise<void> {
  const { kind, id, authorId, thread } = post
  if (kind === 'topic') await eraseThread(tx, post)
  else await eraseRemarks(tx, kind, [id])
  await writing.releaseText(tx, authorId, kind, id)
  await file.detach(tx, fileOwnerOf(post))
  await notification.purge(tx, thread.id, kind === 'topic' ? undefined : { kind, id })
  await finishErasing(tx, { kind, id, withReplies: true, keepsThread: false })
}

/** A comment keeps its floor and its replies. */
async function eraseRemarks(tx: Db, kind: RemarkKind, ids: readonly string[]): Promise<void> {
  await tx.updateTable(kind).set(blankRemark).where('id', '=', anyOf(ids)).execute()
  if (kind !== 'comment') return
  await eraseMergedTopics(tx, ids)
  await hiddenPart.erase(tx, { commentIds: ids })
}

async function eraseThread(tx: Db, { id, thread }: Post): Promise<void> {
  const present = await visibleUnder(tx, thread)
  for (const kind of remarkKinds) {
    const under = await tx.selectFrom(kind).select('id').where('topic_id', '=', id).execute()
    const ids = under.map((row) => row.id)
    const away = { status: 'deleted' as const, deleted_by: sql<'author' | 'staff'>`coalesce(deleted_by, 'staff')` }
    await tx.updateTable(kind).set(away).where('topic_id', '=', id).execute()
    await eraseRemarks(tx, kind, ids)
    await tx.deleteFrom('post_fingerprint').where('kind', '=', kind).where('post_id', '=', anyOf(ids)).execute()
  }
  await onUnpublished(tx, present)
  await eraseOpening(tx, id)
  await tx.deleteFrom('topic_read_position').where('topic_id', '=', id).execute()
}

/** Erases the opening of a thread, without the posts of others under it. */
export async function eraseOpening(tx: Db, topicId: string): Promise<void> {
  await blankThread(tx, topicId)
  await hiddenPart.erase(tx, { topicIds: [topicId] })
  await tx.updateTable('topic').set({ title: '-' }).where('id', '=', topicId).execute()
}

export async function blankThread(tx: Db, topicId: string): Promise<void> {
  await tx.updateTable('topic').set(blankOpening).where('id', '=', topicId).execute()
  await tx.deleteFrom('topic_word').where('topic_id', '=', topicId).execute()
}

/** Erases the remains of topics whose openings became comments that are being erased. */
async function eraseMergedTopics(tx: Db, commentIds: readonly string[]): Promise<void> {
  const topics = await tx.updateTable('topic').set({ title: '-' }).where('merged_as', '=', anyOf(commentIds)).returning('id').execute()
  await deleteRows(
    tx,
    'topic',
    topics.map(({ id }) => id),
  )
}

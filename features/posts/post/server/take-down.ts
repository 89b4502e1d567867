import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as notification from '#notification/server/notification.ts'
import { postView, type Post } from '#post/server/lock.ts'
import { onPublished, onUnpublished } from '#post/server/visibility.ts'
import { forEachKind, recordRemoval, detachFromAppeals, type Removal } from '#post/server/removal.ts'
import * as writing from '#writing/server/writing.ts'

/**
 * The actor and reason of a removal. Authors need no reason and are told that of staff. They may appeal where the actor is known,
 * since another member of staff decides.
 */
type TakeDownOptions = { by: 'author' | 'staff'; reason?: string | null; at?: Date; removal?: Removal; notifies?: boolean }
/** Whether the author is notified of the restore here; false where a fuller notification follows. */
type PutBackOptions = { notifies?: boolean }

/** Removes locked posts from the page. The rows stay, so that they can be restored; posts under them stay as they are. */
export async function takeDown(tx: Db, posts: readonly Post[], down: TakeDownOptions): Promise<void> {
  await detachFromAppeals(tx, posts)
  const going = posts.filter(({ status }) => status !== 'deleted')
  const { by, reason = null, at } = down
  const takenOver = by === 'staff' ? await claimForStaff(tx, posts, reason) : []
  await forEachKind(going, (kind, ids) =>
    sql`update ${sql.table(kind)} set status = 'deleted', deleted_by = ${by}, deleted_from = status, deleted_reason = ${reason},
      deleted_at = ${at ?? sql`clock_timestamp()`} where id = any(${ids}::bigint[])`.execute(tx),
  )
  const removals = [...going, ...takenOver]
  invalidate(tx, ...removals.map(({ thread }) => `topic:${thread.id}`))
  await hiddenPart.onPostsRemoved(tx, { topicIds: idsOf(removals, 'topic'), commentIds: idsOf(removals, 'comment') }, by)
  await onUnpublished(
    tx,
    going.filter(({ status }) => status === 'published'),
  )
  if (by === 'staff') return recordRemoval(tx, removals, down)
  for (const { kind, id, authorId } of going) await writing.releaseText(tx, authorId, kind, id)
}

/** A post removed by staff after its author deleted it can no longer be restored by the author. */
async function claimForStaff(tx: Db, posts: readonly Post[], reason: string | null): Promise<Post[]> {
  const deleted = posts.filter(({ status, deletedBy }) => status === 'deleted' && deletedBy === 'author')
  await forEachKind(deleted, (kind, ids) =>
    sql`update ${sql.table(kind)} set deleted_by = 'staff', deleted_reason = ${reason} where id = any(${ids}::bigint[])`.execute(tx),
  )
  return deleted
}

/** Reverts that: the post counts as deleted by its author again. */
export async function returnToAuthor(tx: Db, { kind, id, thread }: Post): Promise<void> {
  await sql`update ${sql.table(kind)} set deleted_by = 'author', deleted_reason = null where id = ${id} and status = 'deleted'`.execute(tx)
  invalidate(tx, `topic:${thread.id}`)
}

function idsOf(posts: readonly Post[], kind: Post['kind']): string[] {
  return posts.flatMap((post) => (post.kind === kind ? post.id : []))
}

/** Restores locked posts to their state before the removal. */
export async function putBack(tx: Db, posts: readonly Post[], { notifies = true }: PutBackOptions = {}): Promise<void> {
  await detachFromAppeals(tx, posts)
  const coming = posts.filter(({ status }) => status === 'deleted')
  for (const { kind, id } of coming.filter(({ deletedFrom }) => deletedFrom === 'pending')) await writing.requeueReview(tx, kind, id)
  await forEachKind(coming, (kind, ids) =>
    sql`update ${sql.table(kind)} set status = coalesce(deleted_from, 'published'), deleted_by = null, deleted_from = null,
      deleted_reason = null, deleted_at = null where id = any(${ids}::bigint[])`.execute(tx),
  )
  invalidate(tx, ...coming.map(({ thread }) => `topic:${thread.id}`))
  await onPublished(
    tx,
    coming.filter(({ deletedFrom }) => deletedFrom !== 'pending'),
  )
  if (notifies) for (const post of coming) await notifyRestored(tx, post, post.deletedFrom ?? 'published')
}

/** Notifies an author that a post was restored with this status, and whether it is visible. */
export async function notifyRestored(tx: Db, post: Post, status: Post['status']): Promise<void> {
  const isHidden = status !== 'published' || (post.kind !== 'topic' && post.thread.status !== 'published')
  await notification.notify(tx, post.authorId, { kind: 'postRestored', post: await postView(tx, post), ...(isHidden && { isHidden }) })
}

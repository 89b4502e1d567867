import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as notification from '#notification/server/notification.ts'
import type { Post } from '#post/server/lock.ts'
import { onPublished, setFloors } from '#post/server/visibility.ts'
import { indexTitle } from '#post/server/index-title.ts'
import { detachFromAppeals } from '#post/server/removal.ts'

/**
 * Publishes a pending post whose row is locked, with the current time; a comment gets the next floor. A post that had been
 * published before returns to its floor.
 */
export async function approve(tx: Db, post: Post): Promise<void> {
  const { kind, id, thread } = post
  await detachFromAppeals(tx, [post])
  const now = sql<Date>`statement_timestamp()`
  if (kind === 'comment') await showComment(tx, post, now)
  else if (kind === 'topic') await showThread(tx, thread, now)
  else await tx.updateTable(kind).set({ status: 'published', published_at: now }).where('id', '=', id).execute()
  await onPublished(tx, [post])
  await notification.notifyOfPost(tx, post)
  invalidate(tx, `topic:${thread.id}`)
}

async function showThread(tx: Db, { id, title }: Post['thread'], now: RawBuilder<Date>): Promise<void> {
  await tx.updateTable('topic').set({ status: 'published', published_at: now, last_reply_at: now }).where('id', '=', id).execute()
  await indexTitle(tx, id, title)
}

async function showComment(tx: Db, { id, authorId, thread, floor }: Post, now: RawBuilder<Date>): Promise<void> {
  const floors = thread.floors + 1
  const author_floors = thread.authorFloors + (authorId === thread.authorId ? 1 : 0)
  const place = { floor: floors, author_floor: author_floors > thread.authorFloors ? author_floors : null, published_at: now }
  await tx
    .updateTable('comment')
    .set({ status: 'published', ...(floor === null && place) })
    .where('id', '=', id)
    .execute()
  if (floor === null) await setFloors(tx, thread.id, { floors, author_floors })
}

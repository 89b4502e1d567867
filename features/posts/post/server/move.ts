import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { invalidateThread } from '#post/server/invalidate-thread.ts'
import { openingOf } from '#post/server/lock.ts'
import { onMoved, visibleUnder } from '#post/server/visibility.ts'
import type { Thread } from '#post/server/thread.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'

/** Moves a locked thread with all its posts to another tag. */
export async function moveThread(tx: Db, thread: Thread, to: PlaceView): Promise<void> {
  await tx.updateTable('topic').set({ tag_id: to.id }).where('id', '=', thread.id).execute()
  const opening = thread.status === 'published' ? [openingOf(thread)] : []
  const there = { ...thread, tagId: to.id, parentTagId: to.parent?.id ?? null }
  await onMoved(tx, [...opening, ...(await visibleUnder(tx, thread))], there)
  for (const place of [thread, there]) invalidateThread(tx, place)
  invalidate(tx, 'titles')
}

/**
 * Whether an author may move a thread of theirs together with the posts of others. Those wrote for the readers of its tag: a move
 * must neither widen their audience nor exclude the writers.
 */
export async function mayMoveOthersTo(tx: Db, { id, authorId, tagId }: Thread, to: PlaceView): Promise<boolean> {
  const from = (await tag.places(tx)).get(tagId)
  if (!to.isRestricted && !from?.isRestricted) return true
  const { rows } = await sql<{ hasOthers: boolean }>`
    select exists (select from comment where topic_id = ${id} and author_id <> ${authorId})
      or exists (select from reply where topic_id = ${id} and author_id <> ${authorId}) as "hasOthers"`.execute(tx)
  return !rows[0]?.hasOthers
}

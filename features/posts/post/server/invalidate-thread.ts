import type { Db } from '#base/server/database/database.ts'
import { invalidate, onlyAddedTag } from '#base/server/cache/invalidation.ts'
import * as tag from '#tag/server/tag.ts'
import type { Thread } from '#post/server/thread.ts'

type ThreadTags = Pick<Thread, 'id' | 'tagId' | 'parentTagId' | 'alsoListedIn'>

/** Invalidates everything that shows this thread or its posts. */
export function invalidateThread(tx: Db, thread: ThreadTags): void {
  invalidate(tx, `topic:${thread.id}`)
  tag.invalidateLists(tx, thread.tagId, thread.parentTagId, thread.alsoListedIn)
}

/** The same for an addition: since nothing was removed, caches may serve the stale page if they must. */
export function invalidateForAddition(tx: Db, thread: ThreadTags): void {
  invalidateThread(tx, thread)
  invalidate(tx, onlyAddedTag)
}

import type { Db } from '#base/server/database/database.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { invalidate, onlyAddedTag } from '#base/server/cache/invalidation.ts'
import * as tag from '#tag/server/tag.ts'
import type { Thread } from '#post/server/thread.ts'

type ThreadTags = Pick<Thread, 'id' | 'tagId' | 'parentTagId' | 'alsoListedIn'>

/** Invalidates everything that shows this thread or its posts. */
export function invalidateThread(tx: Db, thread: ThreadTags): void {
  invalidate(tx, `topic:${thread.id}`)
  tag.invalidateLists(tx, thread.tagId, thread.parentTagId, thread.alsoListedIn)
}

/** The same for a new thread: since nothing was removed, caches may serve the stale page if they must. */
export function invalidateForAddition(tx: Db, thread: ThreadTags): void {
  invalidateThread(tx, thread)
  invalidate(tx, onlyAddedTag)
}

/** A new post changes its thread, the thread's row in any list, and its place in lists by activity. Lists of new threads stay. */
export function invalidateForRemark(tx: Db, thread: ThreadTags): void {
  invalidate(tx, `topic:${thread.id}`, rowTag(thread.id), onlyAddedTag)
  tag.invalidateListsByActivity(tx, thread)
}

/** Marks a list as one that shows rows of these threads. */
export function addRowTags(threadIds: readonly string[]): void {
  addCacheTags(threadIds.map(rowTag))
}

function rowTag(threadId: string): string {
  return `row:${threadId}`
}

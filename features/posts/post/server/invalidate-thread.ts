import type { Db } from '#base/server/database/database.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { invalidate, onlyAddedTag } from '#base/server/cache/invalidation.ts'
import * as tag from '#tag/server/tag.ts'
import type { Thread } from '#post/server/thread.ts'

type ThreadTags = Pick<Thread, 'id' | 'tagId' | 'parentTagId' | 'alsoListedIn'>

/** Invalidates everything that shows this thread or its posts. */
export function invalidateThread(tx: Db, thread: ThreadTags): void {
  invalidate(tx, `topic:${thread.id}`, openerTag(thread.id))
  tag.invalidateLists(tx, thread.tagId, thread.parentTagId, thread.alsoListedIn)
}

/** The same for a new thread: since nothing was removed, caches may serve the stale page if they must. */
export function invalidateForAddition(tx: Db, thread: ThreadTags): void {
  invalidateThread(tx, thread)
  invalidate(tx, onlyAddedTag)
}

/** A new post changes its thread, the thread's row in any list, and its place in lists by activity. Lists of new threads stay. */
export function invalidateForRemark(tx: Db, thread: ThreadTags & Pick<Thread, 'authorId'>, writerId: string): void {
  invalidate(tx, `topic:${thread.id}`, rowTag(thread.id), onlyAddedTag)
  if (writerId === thread.authorId) invalidate(tx, openerTag(thread.id))
  tag.invalidateListsByActivity(tx, thread)
}

/** Marks a list as one that shows rows of these threads. */
export function addRowTags(threadIds: readonly string[]): void {
  addCacheTags(threadIds.map(rowTag))
}

/** The tag of what stands beside a thread about its author: the posts of others leave it as it is. */
export function openerTag(threadId: string): string {
  return `opener:${threadId}`
}

function rowTag(threadId: string): string {
  return `row:${threadId}`
}

import type { Db } from '#base/server/database/database.ts'
import { invalidate, onlyAdded } from '#base/server/cache/invalidation.ts'
import * as tag from '#tag/server/tag.ts'
import type { Thread } from '#post/server/thread.ts'

type Listed = Pick<Thread, 'id' | 'tagId' | 'parentTagId' | 'alsoListedIn'>

/** What shows this thread or what stands in it is out of date. */
export function wasChanged(tx: Db, thread: Listed): void {
  invalidate(tx, `topic:${thread.id}`)
  tag.invalidateLists(tx, thread.tagId, thread.parentTagId, thread.alsoListedIn)
}

/** The same where something was added to it and nothing taken away, so that what is kept may still be shown if it must. */
export function grew(tx: Db, thread: Listed): void {
  wasChanged(tx, thread)
  invalidate(tx, onlyAdded)
}

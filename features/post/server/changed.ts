import type { Db } from '#base/server/database.ts'
import { onlyAdded, touch } from '#base/server/touched.ts'
import * as tag from '#tag/server/tag.ts'
import type { Thread } from '#post/server/thread.ts'

/** What shows this thread or what stands in it is out of date. */
export function wasChanged(tx: Db, thread: Pick<Thread, 'id' | 'tagId' | 'parentTagId'>): void {
  touch(tx, `topic:${thread.id}`)
  tag.touchLists(tx, thread.tagId, thread.parentTagId)
}

/** The same where something was added to it and nothing taken away, so that what is kept may still be shown if it must. */
export function grew(tx: Db, thread: Pick<Thread, 'id' | 'tagId' | 'parentTagId'>): void {
  wasChanged(tx, thread)
  touch(tx, onlyAdded)
}

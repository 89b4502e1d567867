import type { Db } from '#base/server/database.ts'
import { onlyAdded, touch } from '#base/server/touched.ts'
import * as tag from '#tag/server/tag.ts'
import type { Topic } from '#topic/server/topic.ts'

/** What shows this topic or what is under it is out of date. */
export function wasChanged(tx: Db, topic: Pick<Topic, 'id' | 'tagId' | 'parentTagId'>): void {
  touch(tx, `topic:${topic.id}`)
  tag.touchLists(tx, topic.tagId, topic.parentTagId)
}

/** The same where something was added to it and nothing taken away, so that what is kept may still be shown if it must. */
export function grew(tx: Db, topic: Pick<Topic, 'id' | 'tagId' | 'parentTagId'>): void {
  wasChanged(tx, topic)
  touch(tx, onlyAdded)
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import * as file from '#file/server/file.ts'
import * as notice from '#notice/server/notice.ts'
import * as tag from '#tag/server/tag.ts'
import { wasChanged } from '#topic/server/changed.ts'
import { removed, restored, settledAnew, type Removal } from '#topic/server/removal.ts'
import { postOf } from '#topic/server/told.ts'
import type { Topic } from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/**
 * Who takes something off the page, and why. Its author is asked for no reason, and told the reason of staff. They may appeal where it is known
 * who it was, for somebody else decides.
 */
export type TakenDown = { by: 'author' | 'staff'; reason?: string | null; at?: Date; removal?: Removal; tells?: boolean }
/** Whether its author is told here that something is back; not where they are told more. */
export type PutBack = { tells?: boolean }

/** Takes a topic off the page, with all that is under it. It stays in the database, so that it can be brought back. */
export async function takeDown(tx: Db, topic: Topic, down: TakenDown): Promise<void> {
  const { by, reason = null, at } = down
  await settledAnew(tx, 'topic', [topic.id])
  if (topic.status === 'deleted') return
  await tx
    .updateTable('topic')
    .set({ status: 'deleted', deleted_by: by, deleted_from: topic.status, deleted_reason: reason })
    .set({ deleted_at: at ?? sql<Date>`clock_timestamp()` })
    .where('id', '=', topic.id)
    .execute()
  if (topic.status === 'published') {
    // The member first and then the tag, as when it was published, so that nobody waits in a circle.
    await user.count(tx, topic.authorId, 'topic_count', -1)
    await user.lost(tx, topic.authorId, topic.tagId, 'topics')
    await tag.count(tx, topic.tagId, -1)
  }
  if (by === 'author') await writing.takeBack(tx, topic.authorId, 'topic', topic.id)
  else await removed(tx, topic.authorId, postOf(topic), down)
  wasChanged(tx, topic)
  touch(tx, 'titles')
}

/** Puts a topic that was taken down where it was. */
export async function putBack(tx: Db, topic: Topic, { tells = true }: PutBack = {}): Promise<void> {
  await settledAnew(tx, 'topic', [topic.id])
  if (topic.status !== 'deleted') return
  const status = topic.deletedFrom ?? 'published'
  if (status === 'pending') await writing.waitsAnew(tx, 'topic', topic.id)
  await tx
    .updateTable('topic')
    .set({ status, deleted_by: null, deleted_from: null, deleted_at: null, deleted_reason: null })
    .where('id', '=', topic.id)
    .execute()
  if (status === 'published') {
    await user.count(tx, topic.authorId, 'topic_count', 1)
    await user.wrote(tx, topic.authorId, topic.tagId, 'topics').execute()
    await tag.count(tx, topic.tagId, 1)
  }
  if (tells) await restored(tx, topic.authorId, postOf(topic), [status])
  wasChanged(tx, topic)
  touch(tx, 'titles')
}

/** What is left of a post whose words are gone for good. */
export const blank = { body: JSON.stringify({ type: 'doc', content: [] }), segments: '[]' }

/** Erases what a topic that was taken down said, now and before, and lets go of its files. What is under it is erased apart. */
export async function erase(tx: Db, topic: Topic): Promise<void> {
  await tx
    .updateTable('topic')
    .set({ ...blank, title: '-', summary: '', pictures: '[]', comment_count: 0, purged_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', topic.id)
    .execute()
  await tx.deleteFrom('topic_revision').where('topic_id', '=', topic.id).execute()
  await tx.deleteFrom('topic_word').where('topic_id', '=', topic.id).execute()
  await tx.deleteFrom('topic_read').where('topic_id', '=', topic.id).execute()
  await writing.takeBack(tx, topic.authorId, 'topic', topic.id)
  await file.detach(tx, { topicId: topic.id })
  await notice.forget(tx, topic.id)
}

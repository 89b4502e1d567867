import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import * as tag from '#tag/server/tag.ts'
import { rememberTitle } from '#topic/server/remember-title.ts'
import { settledAnew } from '#topic/server/removal.ts'
import type { Topic } from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

type Place = Pick<Topic, 'id' | 'title' | 'tagId' | 'parentTagId'>

/** Puts a topic on the page that waited; it counts, and is as new, from now on. */
export async function approve(tx: Db, topic: Topic): Promise<void> {
  await settledAnew(tx, 'topic', [topic.id])
  const now = sql<Date>`statement_timestamp()`
  await tx.updateTable('topic').set({ status: 'published', published_at: now, last_reply_at: now }).where('id', '=', topic.id).execute()
  await user.count(tx, topic.authorId, 'topic_count', 1)
  await user.wrote(tx, topic.authorId, topic.tagId, 'topics').execute()
  await arrived(tx, topic)
  touch(tx, `topic:${topic.id}`)
}

/** What a topic that is on the page brings with it. */
export async function arrived(tx: Db, topic: Place): Promise<void> {
  await rememberTitle(tx, topic.id, topic.title)
  await tag.count(tx, topic.tagId, 1)
  tag.touchLists(tx, topic.tagId, topic.parentTagId)
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { addedAt } from '#comment/server/added-at.ts'
import type { Comment, Reply } from '#comment/server/find.ts'
import { countReply } from '#comment/server/take-down.ts'
import type { Settings } from '#setting/contract.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

/** Puts a comment on the page that waited, on the floor that is next by now. The topic must be locked. */
export async function approve(tx: Db, settings: Settings, topic: topics.Topic, { id, authorId }: Comment): Promise<void> {
  const published = {
    status: 'published' as const,
    floor: topic.floors + 1,
    author_floor: authorId === topic.authorId ? topic.authorFloors + 1 : null,
    published_at: sql<Date>`clock_timestamp()`,
  }
  await tx
    .with('added', (part) => part.updateTable('comment').set(published).where('id', '=', id).returning(['id', 'published_at']))
    .with('moved', (part) => topics.commentedOn(part, settings, topic, { by: authorId, at: addedAt, isComment: true }))
    .with('counted', (part) => user.counted(part, authorId, 'comment_count', 1))
    .with('wrote', (part) => user.wrote(part, authorId, topic.tagId, 'comments'))
    .selectFrom('added')
    .select('id')
    .executeTakeFirstOrThrow()
  topics.wasChanged(tx, topic)
}

/** Puts a reply on the page that waited. The topic must be locked. */
export async function approveReply(tx: Db, settings: Settings, topic: topics.Topic, { id, commentId, authorId }: Reply): Promise<void> {
  const published = { status: 'published' as const, published_at: sql<Date>`clock_timestamp()` }
  await tx
    .with('added', (part) => part.updateTable('reply').set(published).where('id', '=', id).returning(['id', 'published_at']))
    .with('moved', (part) => topics.commentedOn(part, settings, topic, { by: authorId, at: addedAt, isComment: false }))
    .with('counted', (part) => user.counted(part, authorId, 'reply_count', 1))
    .with('wrote', (part) => user.wrote(part, authorId, topic.tagId, 'replies'))
    .with('replied', (part) => countReply(part, commentId, 1))
    .selectFrom('added')
    .select('id')
    .executeTakeFirstOrThrow()
  topics.wasChanged(tx, topic)
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import { addedAt } from '#comment/server/added-at.ts'
import { newestBeside, type Comment, type Commented, type Replied } from '#comment/server/find.ts'
import { countReply } from '#comment/server/take-down.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'

// As exact as a Date is, for the topic's newest is told apart by it when this is taken down and put back.
const publishedNow = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** Puts a comment on the page that waited, on the floor that is next by now, or on the one it had. The topic must be locked. */
export async function approveComment(tx: Db, { topic, comment }: Commented): Promise<void> {
  const { id, authorId } = comment
  await topics.settledAnew(tx, 'comment', [id])
  if (comment.floor !== null) return comeBack(tx, topic, comment)
  const settings = await setting.all(tx)
  const published = {
    status: 'published' as const,
    floor: topic.floors + 1,
    author_floor: authorId === topic.authorId ? topic.authorFloors + 1 : null,
    published_at: publishedNow,
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

async function comeBack(tx: Db, topic: topics.Topic, comment: Comment): Promise<void> {
  const { id, authorId } = comment
  await tx.updateTable('comment').set({ status: 'published' }).where('id', '=', id).execute()
  await topics.regainedAComment(tx, topic, await newestBeside(tx, topic, comment))
  await user.count(tx, authorId, 'comment_count', 1)
  await user.wrote(tx, authorId, topic.tagId, 'comments').execute()
  touch(tx, `topic:${topic.id}`)
}

/** Puts a reply on the page that waited. The topic must be locked. */
export async function approveReply(tx: Db, { topic, reply: { id, commentId, authorId } }: Replied): Promise<void> {
  await topics.settledAnew(tx, 'reply', [id])
  const settings = await setting.all(tx)
  const published = { status: 'published' as const, published_at: publishedNow }
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

import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateThread } from '#post/server/invalidate-thread.ts'
import type { Thread } from '#post/server/thread.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Answer = { kind: Kind; id: string }

/** The time of the adoption, and the member of staff if it was not the asker. */
type AdoptionDetails = { at?: string; staffId?: string | null }

/** Marks this answer as the accepted one, in place of the former. Both rows are locked. */
export async function adopt(
  tx: Db,
  thread: Thread,
  answer: { id: string; authorId: string },
  { at, staffId = null }: AdoptionDetails = {},
): Promise<void> {
  await endAdoption(tx, thread)
  const adopted_at = at ?? sql<Date>`clock_timestamp()`
  const row = { comment_id: answer.id, author_id: answer.authorId, adopted_at, staff_id: staffId }
  await tx
    .insertInto('adoption')
    .values({ topic_id: thread.id, ...row })
    .execute()
  await wallet.awardAdopted(tx, [answer])
  const post = { kind: 'comment', id: answer.id, topicId: thread.id } as const
  await notification.notifyOfEvent(tx, { memberId: answer.authorId, kind: 'accepted', actorId: staffId ? null : thread.authorId, post })
  await tx.updateTable('topic').set({ is_resolved: true }).where('id', '=', thread.id).execute()
  invalidateThread(tx, thread)
}

export async function unadopt(tx: Db, thread: Thread): Promise<void> {
  await endAdoption(tx, thread)
  await tx.updateTable('topic').set({ is_resolved: false }).where('id', '=', thread.id).execute()
  invalidateThread(tx, thread)
}

async function endAdoption(tx: Db, { id }: Thread): Promise<void> {
  const authorId = sql<string>`(select author_id from comment where id = comment_id)`.as('authorId')
  const former = await tx.deleteFrom('former_adoption').where('topic_id', '=', id).returning(['comment_id as id', authorId]).execute()
  const before = await tx.deleteFrom('adoption').where('topic_id', '=', id).returning(['comment_id as id', authorId]).execute()
  for (const answer of [...former, ...before])
    await notification.retract(tx, { memberId: answer.authorId, kind: 'accepted', actorId: null, post: { kind: 'comment', id: answer.id } })
  await wallet.revokeAdopted(
    tx,
    before.map((row) => row.id),
  )
}

/** Ends the adoption of removed answers until they are restored. The caller invalidates the pages. */
export async function suspendAdoptions(tx: Db, posts: readonly Answer[]): Promise<void> {
  const ids = answerIds(posts)
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    with gone as (delete from adoption where comment_id = any(${ids}::bigint[]) returning topic_id, comment_id, adopted_at, staff_id),
      kept as (insert into former_adoption (topic_id, comment_id, adopted_at, staff_id) select * from gone)
    update topic set is_resolved = false from gone where topic.id = gone.topic_id returning comment_id as id`.execute(tx)
  await wallet.revokeAdopted(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Renews the adoption of restored answers, with its time and actor, unless another answer was adopted since. */
export async function resumeAdoptions(tx: Db, posts: readonly Answer[]): Promise<void> {
  const ids = answerIds(posts)
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string; authorId: string }>`
    with back as (
      delete from former_adoption using comment, topic
      where comment_id = any(${ids}::bigint[]) and comment.id = comment_id and topic.id = former_adoption.topic_id
        and comment.topic_id = topic.id and topic.kind = 'question' and comment.author_id <> topic.author_id
      returning former_adoption.topic_id, comment_id, comment.author_id, adopted_at, staff_id
    ), again as (insert into adoption (topic_id, comment_id, author_id, adopted_at, staff_id) select * from back)
    update topic set is_resolved = true from back where topic.id = back.topic_id
    returning comment_id as id, back.author_id as "authorId"`.execute(tx)
  await wallet.awardAdopted(tx, rows)
}

/** Assigns adopted answers to another member. */
export async function transferAdoptions(tx: Db, posts: readonly Answer[], memberId: string): Promise<void> {
  const ids = answerIds(posts)
  if (ids.length > 0) await tx.updateTable('adoption').set({ author_id: memberId }).where('comment_id', '=', anyOf(ids)).execute()
}

/** Removes accepted answers whose author is the asker, after two members became one. */
export async function removeSelfAdoptions(tx: Db, topicIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with own as (
      delete from adoption using topic
      where topic.id = topic_id and topic_id = any(${topicIds}::bigint[]) and adoption.author_id = topic.author_id returning topic_id, comment_id
    )
    update topic set is_resolved = false from own where topic.id = own.topic_id returning comment_id as id`.execute(tx)
  await wallet.revokeAdopted(
    tx,
    rows.map(({ id }) => id),
  )
}

function answerIds(posts: readonly Answer[]): string[] {
  return posts.flatMap(({ kind, id }) => (kind === 'comment' ? id : []))
}

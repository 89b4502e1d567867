import { sql } from 'kysely'
import { NotAllowed } from '#base/contract.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import * as notification from '#notification/server/notification.ts'
import { PollEnded } from '#poll/contract.ts'
import { lockPoll } from '#poll/server/lock.ts'
import * as may from '#poll/server/may.ts'
import { invalidatePoll } from '#poll/server/state.ts'
import * as posts from '#post/server/post.ts'

const batchSize = 500

export const endJob = { name: 'poll-end' }

type EndReason = 'due' | 'author' | 'staff'

export async function endOwn(tx: Db, member: Member, topicId: string): Promise<void> {
  const thread = await posts.lockThread(tx, member, topicId)
  const { resultsKey, isEnded } = await lockPoll(tx, topicId)
  if (thread.authorId !== member.id) throw NotAllowed()
  if (!may.end(member, { thread, isEnded })) throw PollEnded()
  await end(tx, { topicId, resultsKey }, 'author')
}

/** Ends a poll whose row is locked. A job notifies the voters. */
export async function end(tx: Db, { topicId, resultsKey }: { topicId: string; resultsKey: string }, reason: EndReason): Promise<void> {
  await tx
    .updateTable('poll')
    .set({ ended_at: sql<Date>`clock_timestamp()`, end_reason: reason })
    .where('topic_id', '=', topicId)
    .execute()
  invalidatePoll(tx, topicId, resultsKey)
  await runSoon(tx, endJob)
}

/** Ends the polls that are due, then notifies the voters of ended ones, some in each transaction. */
export async function endDue(database: Database): Promise<void> {
  while ((await transact(database, endSome)) === batchSize) continue
  while (await transact(database, notifySome)) continue
}

/** Locked ones wait for the next minute. */
async function endSome(tx: Db): Promise<number> {
  const rows = await tx
    .selectFrom('poll')
    .select(['topic_id', 'results_key'])
    .where('ended_at', 'is', null)
    .where('ends_at', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('ends_at')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ topic_id }) => topic_id)
  await sql`update poll set ended_at = ends_at, end_reason = 'due' where topic_id = any(${ids}::bigint[])`.execute(tx)
  for (const { topic_id, results_key } of rows) invalidatePoll(tx, topic_id, results_key)
  return rows.length
}

/** Notifies the next voters of one ended poll, and with the first ones its author, unless they ended it. Returns whether there was one. */
async function notifySome(tx: Db): Promise<boolean> {
  const poll = await tx
    .selectFrom('poll')
    .select(['topic_id', 'end_reason', 'notified_to'])
    .where('ended_at', 'is not', null)
    .where('notified_at', 'is', null)
    .orderBy('topic_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!poll) return false
  const { topic_id: topicId, notified_to: from } = poll
  const voters = await tx
    .selectFrom('poll_ballot')
    .select('member_id')
    .where('topic_id', '=', topicId)
    .where('member_id', '>', from)
    .orderBy('member_id')
    .limit(batchSize)
    .execute()
  const ids = voters.map(({ member_id }) => member_id)
  const last = ids.at(-1) ?? from
  const isDone = ids.length < batchSize
  await tx
    .updateTable('poll')
    .set({ notified_to: last, ...(isDone && { notified_at: sql<Date>`clock_timestamp()` }) })
    .where('topic_id', '=', topicId)
    .execute()
  await notification.notifyOfEvents(
    tx,
    recipients(topicId, ids, { withAuthor: from === '0', endedByAuthor: poll.end_reason === 'author' }),
    {
      by: null,
    },
  )
  return true
}

type Recipients = { withAuthor: boolean; endedByAuthor: boolean }

function recipients(topicId: string, memberIds: readonly string[], { withAuthor, endedByAuthor }: Recipients) {
  return sql`
    select member_id, 'pollEnded' as kind, 'pollEnded topic ' || topic.id as group_key, 'pollEnded' as cause, topic.id as topic_id,
      null::bigint as actor_id, 'topic'::post_kind as post_kind, topic.id as post_id, clock_timestamp() as at, 0 as rank
    from topic, (
      select unnest(${memberIds}::bigint[]) as member_id union select author_id from topic where id = ${topicId} and ${withAuthor}) as told
    where topic.id = ${topicId} and topic.status = 'published' and not (${endedByAuthor} and member_id = author_id)`
}

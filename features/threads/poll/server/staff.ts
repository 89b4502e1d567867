import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { PollEnded, type endPollAsStaff, type pollForStaff, type ResultsView } from '#poll/contract.ts'
import { end } from '#poll/server/end.ts'
import { lockPoll } from '#poll/server/lock.ts'
import { invalidatePoll, options, results } from '#poll/server/state.ts'
import * as posts from '#post/server/post.ts'

type Input = ParsedInput<typeof endPollAsStaff>

export async function show(db: Db, topicId: string): Promise<Output<typeof pollForStaff>> {
  const { rows } = await sql<{ results: ResultsView }>`select ${results} as results from poll where topic_id = ${topicId}`.execute(db)
  if (!rows[0]) throw Missing()
  return rows[0]
}

export async function endAsStaff(tx: Db, by: Staff, client: ClientInfo, { topicId, reason }: Input): Promise<void> {
  await posts.lockAnyThread(tx, topicId)
  const { resultsKey, isEnded } = await lockPoll(tx, topicId)
  if (isEnded) throw PollEnded()
  await end(tx, { topicId, resultsKey }, 'staff')
  await audit.note(tx, by.staff, client, { action: 'poll.end', about: `topic ${topicId}`, reason })
}

export async function remove(tx: Db, by: Staff, client: ClientInfo, { topicId, reason }: Input): Promise<void> {
  await posts.lockAnyThread(tx, topicId)
  const { title, resultsKey } = await lockPoll(tx, topicId)
  const before = await tx.selectFrom('poll').select(options.as('options')).where('topic_id', '=', topicId).executeTakeFirstOrThrow()
  await tx.deleteFrom('poll').where('topic_id', '=', topicId).execute()
  invalidatePoll(tx, topicId, resultsKey)
  const texts = { title, options: before.options.map(({ label }) => label) }
  await audit.note(tx, by.staff, client, { action: 'poll.remove', about: `topic ${topicId}`, reason, before: texts })
}

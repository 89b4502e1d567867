import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { isEnded } from '#poll/server/state.ts'

export type LockedPoll = { topicId: string; title: string; resultsKey: string; isEnded: boolean }

/** Locks a poll: votes in progress are counted before, later ones wait. */
export async function lockPoll(tx: Db, topicId: string): Promise<LockedPoll> {
  const row = await tx
    .selectFrom('poll')
    .select(['topic_id as topicId', 'title', 'results_key as resultsKey', isEnded.as('isEnded')])
    .where('topic_id', '=', topicId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

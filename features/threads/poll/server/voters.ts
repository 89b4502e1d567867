import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ErasedMember, MergedMembers } from '#base/server/moments.ts'
import { invalidateResults, isEnded } from '#poll/server/state.ts'
import type { ResultRule } from '#poll/thread-part.ts'

type Poll = { topicId: string; showsResults: ResultRule; resultsKey: string; isEnded: boolean }

/** Two members are one voter: in a poll where both voted, the vote of the one who stays counts. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`
    insert into poll_ballot (topic_id, member_id, option_ids, voted_at)
    select topic_id, ${into}, option_ids, voted_at from poll_ballot where member_id = ${from} on conflict do nothing`.execute(tx)
  await removeBallots(tx, from)
}

/** The votes of an erased member go. */
export async function memberErased(tx: Db, { memberId }: ErasedMember): Promise<void> {
  await removeBallots(tx, memberId)
}

async function removeBallots(tx: Db, memberId: string): Promise<void> {
  const { rows } = await sql<Poll>`
    with removed as (delete from poll_ballot where member_id = ${memberId} returning topic_id)
    select topic_id as "topicId", shows_results as "showsResults", results_key as "resultsKey", ${isEnded} as "isEnded"
    from poll where topic_id in (select topic_id from removed)`.execute(tx)
  for (const poll of rows) invalidateResults(tx, poll.topicId, poll)
}

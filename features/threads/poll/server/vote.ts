import { sql } from 'kysely'
import { Missing, NotAllowed, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { OptionGone, PollEnded, ThreadClosed, TooManyChosen, type vote as voteCall } from '#poll/contract.ts'
import { maxOptions } from '#poll/server/publish.ts'
import { invalidateResults, isEnded } from '#poll/server/state.ts'
import type { ResultRule } from '#poll/thread-part.ts'
import * as posts from '#post/server/post.ts'
import { FunctionClosed } from '#setting/contract.ts'

type Row = posts.Thread & { maxChoices: number; showsResults: ResultRule; resultsKey: string; isEnded: boolean; chosen: number }

/**
 * Votes, or replaces the member's vote. One statement locks the poll and the chosen options against an end or an edit, but not against other
 * voters, and writes the ballot. The row that comes back is judged afterwards: a refusal undoes the ballot.
 */
export async function vote(tx: Db, member: Member, { topicId, optionIds }: ParsedInput<typeof voteCall>): Promise<void> {
  if ((await maxOptions(tx)) === 0) throw FunctionClosed()
  const wanted = [...new Set(optionIds)]
  const { rows } = await sql<Row>`
    with place as materialized (
      select ${posts.threadColumns}, poll.max_choices as "maxChoices", poll.shows_results as "showsResults", poll.results_key as "resultsKey",
        ${isEnded} as "isEnded"
      from poll join topic on topic.id = poll.topic_id where poll.topic_id = ${topicId} for share of poll
    ), chosen as materialized (
      select id from poll_option where topic_id = (select id from place) and id = any(${wanted}::bigint[]) order by id for share
    ), ballot as (
      insert into poll_ballot (topic_id, member_id, option_ids)
      select ${topicId}, ${member.id}, array_agg(id) from chosen having count(*) > 0
      on conflict (topic_id, member_id) do update set option_ids = excluded.option_ids, voted_at = excluded.voted_at
    )
    select place.*, (select count(*)::int from chosen) as chosen from place`.execute(tx)
  const poll = posts.requireVisible(member, rows[0])
  if (poll.status !== 'published') throw Missing()
  if (!member.may('poll.vote', poll.tagId)) throw NotAllowed()
  if (poll.isEnded) throw PollEnded()
  if (!poll.takesComments) throw ThreadClosed()
  if (poll.chosen < wanted.length) throw OptionGone()
  if (wanted.length > poll.maxChoices) throw TooManyChosen({ most: poll.maxChoices })
  invalidateResults(tx, topicId, poll)
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { ResultsView } from '#poll/contract.ts'
import type { PollView, ResultRule } from '#poll/thread-part.ts'

/** The options of `poll` in their order. */
export const options = sql<{ id: string; label: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', poll_option.id::text, 'label', label) order by place), '[]')
  from poll_option where poll_option.topic_id = poll.topic_id)`

/** A poll ends at its time, even before the job comes that notes it. */
export const isEnded = sql<boolean>`(poll.ended_at is not null or coalesce(poll.ends_at <= clock_timestamp(), false))`

/** The view of `poll`, in which the time of the end is still the database's. */
export const definition = sql<PollView>`jsonb_build_object('title', poll.title, 'options', ${options}, 'maxChoices', poll.max_choices,
  'endsAt', poll.ends_at, 'isEnded', ${isEnded}, 'isPublic', poll.is_public, 'showsResults', poll.shows_results, 'version', poll.version)`

export function viewOf(poll: PollView): PollView {
  return { ...poll, endsAt: poll.endsAt && new Date(poll.endsAt).toISOString() }
}

/** The counts of `poll`. */
export const results = sql<ResultsView>`(
  select jsonb_build_object('voters', (select count(*) from poll_ballot where poll_ballot.topic_id = poll.topic_id),
    'votes', coalesce(jsonb_agg(jsonb_build_object('optionId', option_id::text, 'count', votes) order by option_id), '[]'))
  from (
    select option_id, count(*) as votes from poll_ballot, unnest(option_ids) as option_id
    where poll_ballot.topic_id = poll.topic_id group by option_id) as counted)`

/** Everybody may see the results of `poll`. */
export const showsAll = sql<boolean>`(poll.shows_results = 'always' or ${isEnded})`

/** The channel of a poll's state; with the key, of the results that only voters see. */
export function channelOf(topicId: string, resultsKey?: string): string {
  return resultsKey ? `poll:${topicId}:${resultsKey}` : `poll:${topicId}`
}

/** Invalidates all that shows the poll, after a change of anything but votes. */
export function invalidatePoll(tx: Db, topicId: string, resultsKey: string): void {
  invalidate(tx, `topic:${topicId}`, channelOf(topicId), channelOf(topicId, resultsKey))
}

/** After votes: pages hold no results, and a stream that shows none must not say that somebody voted. */
export function invalidateResults(tx: Db, topicId: string, poll: { showsResults: ResultRule; resultsKey: string; isEnded: boolean }): void {
  if (poll.showsResults === 'always' || poll.isEnded) invalidate(tx, channelOf(topicId))
  if (poll.showsResults === 'voted') invalidate(tx, channelOf(topicId, poll.resultsKey))
}

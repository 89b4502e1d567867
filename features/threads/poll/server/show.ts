import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { pollVoters, PollStateView, ResultsView } from '#poll/contract.ts'
import * as may from '#poll/server/may.ts'
import { maxOptions } from '#poll/server/publish.ts'
import { definition, results, showsAll, viewOf } from '#poll/server/state.ts'
import type { PollView } from '#poll/thread-part.ts'
import * as posts from '#post/server/post.ts'
import * as user from '#user/server/user.ts'

type Row = posts.Thread & {
  poll: PollView
  resultsKey: string
  showsAll: boolean
  mine: string[] | null
  /** Null where this viewer may not see them. */
  results: ResultsView | null
}

/** A poll as this viewer sees it, in a thread that they may see. An asker withdraws it with the words of their question. */
async function find(db: Db, viewer: Viewer, topicId: string): Promise<Row> {
  const { rows } = await sql<Row>`
    select ${posts.threadColumns}, ${definition} as poll, poll.results_key as "resultsKey", ${showsAll} as "showsAll", mine.option_ids::text[] as mine,
      case when ${showsAll} or (poll.shows_results = 'voted' and mine.member_id is not null) then ${results} end as results
    from poll join topic on topic.id = poll.topic_id
    left join poll_ballot as mine on mine.topic_id = poll.topic_id and mine.member_id = ${viewer.id}
    where poll.topic_id = ${topicId}`.execute(db)
  const row = posts.requireVisible(viewer, rows[0])
  if (row.isWithdrawn) throw Missing()
  return row
}

export async function show(db: Db, viewer: Viewer, topicId: string): Promise<PollStateView> {
  const [row, most] = await Promise.all([find(db, viewer, topicId), maxOptions(db)])
  const rule = { thread: row, isEnded: row.poll.isEnded, isOn: most > 0 }
  return {
    ...viewOf(row.poll),
    results: row.results,
    resultsKey: row.results && !row.showsAll ? row.resultsKey : null,
    mine: row.mine ?? [],
    takesVotes: may.takesVotes(rule),
    may: { vote: may.vote(viewer, rule), edit: may.edit(viewer, rule), end: may.end(viewer, rule) },
    maxOptions: most,
  }
}

/** Whether this viewer may see the results of a poll in a thread that they may see. */
export async function seesResults(db: Db, viewer: Viewer, topicId: string): Promise<boolean> {
  return (await find(db, viewer, topicId)).results !== null
}

/** The voters for an option. In a poll that is not public nobody learns them, staff included. */
export async function voters(db: Db, viewer: Viewer, input: ParsedInput<typeof pollVoters>): Promise<Output<typeof pollVoters>> {
  const { topicId, optionId, page } = input
  const { poll, results: visible } = await find(db, viewer, topicId)
  if (!poll.isPublic || !visible || !poll.options.some(({ id }) => id === optionId)) throw Missing()
  const which = db
    .selectFrom('poll_ballot')
    .select(['member_id', 'voted_at as at'])
    .where('topic_id', '=', topicId)
    .where(sql<boolean>`option_ids @> array[${optionId}::bigint]`)
  const { people, ...pages } = await user.peoplePage(db, which, page)
  return { members: people.map(({ member, at }) => ({ member, at })), ...pages }
}

import { sql } from 'kysely'
import { publishStream } from '#base/server/live/live.ts'
import { pollNews, type PollNews, type ResultsView } from '#poll/contract.ts'
import * as may from '#poll/server/may.ts'
import { maxOptions } from '#poll/server/publish.ts'
import { channelOf, isEnded, results, showsAll } from '#poll/server/state.ts'
import * as posts from '#post/server/post.ts'

type Row = posts.Thread & { pollVersion: number; isEnded: boolean; results: ResultsView | null }

/** The stream of a poll. One read serves all subscribers, so it holds the results that all of them may see. */
export const streams = [
  publishStream(
    pollNews,
    ({ topicId, resultsKey }) => channelOf(topicId, resultsKey),
    async (db, { topicId, resultsKey = null }) => {
      const { rows } = await sql<Row>`
        select ${posts.threadColumns}, poll.version as "pollVersion", ${isEnded} as "isEnded",
          case when ${showsAll} or ${resultsKey}::uuid is not null then ${results} end as results
        from poll join topic on topic.id = poll.topic_id
        where poll.topic_id = ${topicId} and topic.status = 'published' and topic.withdrawn_at is null
          and (${resultsKey}::uuid is null or (poll.shows_results = 'voted' and results_key = ${resultsKey}))`.execute(db)
      const [row] = rows
      if (!row) return null
      const { pollVersion: version, isEnded: isOver, results: visible } = row
      const takesVotes = may.takesVotes({ thread: row, isEnded: isOver, isOn: (await maxOptions(db)) > 0 })
      const data = { version, isEnded: isOver, takesVotes, results: visible }
      return { id: idOf(data), data, seenBy: (viewer) => posts.mayView(viewer, row) }
    },
  ),
]

/** The id of a state, which says nothing that the state does not. */
function idOf({ version, isEnded: isOver, takesVotes, results: visible }: PollNews): string {
  const counts = visible ? [visible.voters, ...visible.votes.map(({ optionId, count }) => `${optionId}:${count}`)] : []
  return [version, isOver ? 'ended' : takesVotes ? 'open' : 'closed', ...counts].join('-')
}

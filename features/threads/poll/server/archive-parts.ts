import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'
import { options, results } from '#poll/server/state.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'polls',
    by: ['topic.author_id'],
    rows: (memberId) => sql`
      select poll.topic_id as "topicId", poll.title, ${options} as options, max_choices as "maxChoices", is_public as "isPublic",
        shows_results as "showsResults", poll.created_at as "createdAt", poll.ends_at as "endsAt", poll.ended_at as "endedAt",
        case when poll.shows_results = 'always' or poll.ended_at is not null then ${results} end as results
      from poll join topic on topic.id = poll.topic_id where topic.author_id = ${memberId} order by poll.topic_id`,
  },
  {
    name: 'votes',
    by: ['poll_ballot.member_id'],
    rows: (memberId) => sql`
      select topic_id as "topicId", voted_at as "votedAt",
        (select jsonb_agg(label order by place) from poll_option where poll_option.id = any(option_ids)) as options
      from poll_ballot where member_id = ${memberId} order by voted_at`,
  },
]

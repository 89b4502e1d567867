import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'bounties',
    by: ['topic.author_id'],
    rows: (memberId) => sql`
      select topic_id as "questionId", state, points, cents, days, ends_at as "endsAt" from bounty join topic on topic.id = topic_id
      where author_id = ${memberId} order by topic_id`,
  },
  {
    name: 'bounties-earned',
    by: ['bounty_share.member_id'],
    rows: (memberId) => sql`
      select topic_id as "questionId", comment_id as "answerId", currency, amount, at from bounty_share where member_id = ${memberId} order by at`,
  },
]

import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'waiting-posts',
    by: ['review.author_id'],
    rows: (memberId) => sql`
      select kind, post_id as "postId", topic_id as "topicId", is_edit as "isEdit", coalesce(own_title, title) as title, coalesce(own_body, body) as body, ai_generated as "aiGenerated",
        state, asked_at as "askedAt", decided_at as "decidedAt", reason_zh as "reasonZh", reason_en as "reasonEn"
      from review where author_id = ${memberId} order by id`,
  },
]

import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Tally } from '#user/server/user.ts'

/** What each member has on the page under a topic. */
export async function tallyUnder(tx: Db, topicId: string): Promise<Tally[]> {
  const { rows } = await sql<Tally>`
    select author_id::text as "memberId", sum(comments)::int as comments, sum(replies)::int as replies
    from (
      select author_id, 1 as comments, 0 as replies from comment where topic_id = ${topicId} and status = 'published'
      union all
      select author_id, 0, 1 from reply where topic_id = ${topicId} and status = 'published'
    ) as remark
    group by author_id
    order by author_id`.execute(tx)
  return rows
}

import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { cleanLook } from '#member-cleanup/contract.ts'

/** The preview of a clean-up: every post that is not deleted already, as the clean-up takes it. */
export async function previewClean(db: Db, memberId: string): Promise<Output<typeof cleanLook>> {
  const { rows } = await sql<Record<keyof Output<typeof cleanLook>, string>>`
    with post as (
      select 'topic' as kind, id, status from topic where author_id = ${memberId} and status <> 'deleted'
      union all select 'comment', id, status from comment where author_id = ${memberId} and status <> 'deleted'
      union all select 'reply', id, status from reply where author_id = ${memberId} and status <> 'deleted')
    select
      count(*) filter (where status = 'published' and kind = 'topic') as topics,
      count(*) filter (where status = 'published' and kind = 'comment') as comments,
      count(*) filter (where status = 'published' and kind = 'reply') as replies,
      count(*) filter (where status = 'pending' and not ${isRejected}) as waiting,
      count(*) filter (where status = 'pending' and ${isRejected}) as rejected,
      (select count(*) from report_case where author_id = ${memberId} and outcome is null and report_count > 0
        and (kind, thing_id) in (select kind, id from post)) as reported
    from post`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('Nothing was counted')
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as Output<typeof cleanLook>
}

const isRejected = sql`exists (select from review where review.kind = post.kind and review.post_id = post.id and state = 'rejected')`

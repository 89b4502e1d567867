import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'reports',
    by: ['report.reporter_id'],
    rows: (memberId) => sql`
      select kind, title, excerpt, name_zh as "categoryZh", name_en as "categoryEn", reason, status, reported_at as "reportedAt", report.decided_at as "decidedAt",
        (select json_agg(file_id order by position) from report_picture where report_id = report.id) as pictures
      from report join report_case on report_case.id = case_id left join report_category on report_category.id = category_id
      where reporter_id = ${memberId} order by report.id`,
  },
  {
    name: 'removals',
    by: ['removal.author_id'],
    rows: (memberId) => sql`
      select kind, thing_id as "postId", title, excerpt, why, removed_at as "removedAt", appeal, appealed_at as "appealedAt", appeal_outcome as "appealOutcome", answer,
        put_back_at as "putBackAt"
      from removal where author_id = ${memberId} order by id`,
  },
]

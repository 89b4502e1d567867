import { sql } from 'kysely'
import type { Staff } from '#base/server/route.ts'

/** What it takes to decide about reports and appeals. */
export const right = 'report.decide'

/** Whether the member they speak as wrote what a case is about, or reported it. */
export function isOwn({ id }: Pick<Staff, 'id'>) {
  return sql<boolean>`(report_case.author_id = ${id} or exists (select from report where case_id = report_case.id and reporter_id = ${id}))`
}

import { sql } from 'kysely'
import type { Staff } from '#base/server/http/route.ts'

/** What it takes to decide about reports and appeals. */
export const right = 'report.decide'

/** Whether the member they speak as wrote what a case is about, or reported it. */
export function isOwn({ id }: Pick<Staff, 'id'>) {
  return sql<boolean>`(report_case.author_id = ${id} or exists (select from report where case_id = report_case.id and reporter_id = ${id}))`
}

/** Whether the member they speak as wrote what a removal took away. */
export function isWrittenBy({ id }: Pick<Staff, 'id'>) {
  return sql<boolean>`(removal.author_id = ${id})`
}

/** Whether they took it away, as staff or as the member they speak as. */
export function isTakenAwayBy({ id, staff }: Pick<Staff, 'id' | 'staff'>) {
  return sql<boolean>`(removal.removed_by is not distinct from ${staff.id} or removal.removed_by_member is not distinct from ${id})`
}

/** Whether somebody else judges an appeal about it. */
export function isForAnother(by: Pick<Staff, 'id' | 'staff'>) {
  return sql<boolean>`(${isWrittenBy(by)} or ${isTakenAwayBy(by)})`
}

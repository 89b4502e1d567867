import { sql } from 'kysely'
import type { Staff } from '#base/server/http/route.ts'

/** The right to decide reports and appeals. */
export const right = 'report.decide'

/** Whether the actor's forum member wrote or reported the post of a case. */
export function isOwn({ id }: Pick<Staff, 'id'>) {
  return sql<boolean>`(report_case.author_id = ${id} or exists (select from report where case_id = report_case.id and reporter_id = ${id}))`
}

/** Whether the actor's forum member wrote the removed post. */
export function isWrittenBy({ id }: Pick<Staff, 'id'>) {
  return sql<boolean>`(removal.author_id = ${id})`
}

/** Whether the actor removed it, as staff or as a forum member. */
export function isTakenAwayBy({ id, staff }: Pick<Staff, 'id' | 'staff'>) {
  return sql<boolean>`(removal.removed_by is not distinct from ${staff.id} or removal.removed_by_member is not distinct from ${id})`
}

/** Whether an appeal about it has to be judged by another member of staff. */
export function isForOtherStaff(by: Pick<Staff, 'id' | 'staff'>) {
  return sql<boolean>`(${isWrittenBy(by)} or ${isTakenAwayBy(by)})`
}

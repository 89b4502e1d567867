import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

type StaffLoginRow = { owes_password: boolean; totp_confirmed: boolean; is_administrator: boolean }

/**
 * The steps that a member of staff must complete before any other action. A passkey is no second factor here: the administration's login
 * does not accept one.
 */
export async function pendingStaffSteps(
  db: Db,
  { owes_password, totp_confirmed, ...staff }: StaffLoginRow,
): Promise<('password' | 'secondFactor')[]> {
  const owesSecondFactor = !totp_confirmed && needsSecondFactor(staff, await setting.all(db))
  return [...(owes_password ? (['password'] as const) : []), ...(owesSecondFactor ? (['secondFactor'] as const) : [])]
}

function needsSecondFactor({ is_administrator }: Pick<StaffLoginRow, 'is_administrator'>, settings: Settings): boolean {
  const { staffSecondFactor, administratorSecondFactor } = settings
  return staffSecondFactor || (is_administrator && administratorSecondFactor && isReachedFromNetwork())
}

export function isAdministrator(staffId: string) {
  return sql<boolean>`exists (
    select from staff_role_holding join staff_role on staff_role.id = role_id
    where staff_role_holding.staff_id = ${sql.ref(staffId)} and is_administrator)`
}

/**
 * How a member logs in to the forum. Members with a staff account log in through the administration where it requires more than a password,
 * and are refused while they owe it a step: the forum is no way around it.
 */
export async function forumLoginPath(db: Db, memberId: string): Promise<'open' | 'fromAdministration' | 'shut'> {
  const staff = await db
    .selectFrom('staff')
    .select(['disabled_at', 'owes_password', 'totp_confirmed', isAdministrator('staff.id').as('is_administrator')])
    .where('speaks_as', '=', memberId)
    .executeTakeFirst()
  if (!staff) return 'open'
  if (staff.disabled_at || (await pendingStaffSteps(db, staff)).length > 0) return 'shut'
  return staff.totp_confirmed ? 'fromAdministration' : 'open'
}

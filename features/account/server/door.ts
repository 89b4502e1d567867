import type { Db } from '#base/server/database.ts'
import * as setting from '#setting/server/setting.ts'

type Owing = { owes_password: boolean; totp_confirmed: boolean }

/** What somebody of staff has to do before they may do anything but that. */
export async function owed(db: Db, { owes_password, totp_confirmed }: Owing): Promise<('password' | 'secondFactor')[]> {
  const { staffSecondFactor } = await setting.all(db)
  return [...(owes_password ? (['password'] as const) : []), ...(staffSecondFactor && !totp_confirmed ? (['secondFactor'] as const) : [])]
}

/**
 * How a member comes into the forum. Those who speak for staff come from the administration where it asks for more than a password,
 * and not at all while they owe it something: the forum is no way around it.
 */
export async function doorOf(db: Db, memberId: string): Promise<'open' | 'fromAdministration' | 'shut'> {
  const staff = await db
    .selectFrom('staff')
    .select(['disabled_at', 'owes_password', 'totp_confirmed'])
    .where('speaks_as', '=', memberId)
    .executeTakeFirst()
  if (!staff) return 'open'
  if (staff.disabled_at || (await owed(db, staff)).length > 0) return 'shut'
  return staff.totp_confirmed ? 'fromAdministration' : 'open'
}

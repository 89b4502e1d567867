import type { Db } from '#base/server/database.ts'
import * as setting from '#setting/server/setting.ts'

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
  const { staffSecondFactor } = await setting.all(db)
  if (staff.disabled_at || staff.owes_password || (staffSecondFactor && !staff.totp_confirmed)) return 'shut'
  return staff.totp_confirmed ? 'fromAdministration' : 'open'
}

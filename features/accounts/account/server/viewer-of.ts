import { memberOf, memberRightsColumns } from '#account/server/member-rights.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'

/** A member with their current rights, outside of any request: for notifications to them. Null once the account is closed. */
export async function viewerOf(db: Db, memberId: string): Promise<Member | null> {
  const row = await db
    .selectFrom('member')
    .select(['id', ...memberRightsColumns])
    .where('id', '=', memberId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return row ? memberOf(db, '', row) : null
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import * as role from '#role/server/role.ts'

/** A member with what they may do now, where nobody asks: for what is sent to them. Null once the account has ended. */
export async function viewerOf(db: Db, memberId: string): Promise<Member | null> {
  const row = await db
    .selectFrom('member')
    .select(['id', 'is_official'])
    .select(sql<string[]>`array(select role_id::text from role_holding where member_id = member.id and during @> now())`.as('roles'))
    .where('id', '=', memberId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return { id: row.id, sessionId: '', isOfficial: row.is_official, ...(await role.rightsOfMember(db, row.roles, row.is_official)) }
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import * as role from '#role/server/role.ts'

/** Whose session this is, with what they may do now, while it lasts. For what cannot carry a token, such as the address of a picture. */
export async function ownerOfSession(db: Db, sessionId: string): Promise<Member | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['member.id', 'is_official'])
    .select(sql<string[]>`array(select role_id::text from role_holding where member_id = member.id and during @> now())`.as('roles'))
    .where('session.id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return { id: row.id, sessionId, isOfficial: row.is_official, ...(await role.rightsOfMember(db, row.roles, row.is_official)) }
}

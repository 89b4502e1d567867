import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Ban, Member } from '#base/server/http/route.ts'
import * as role from '#role/server/role.ts'
import * as user from '#user/server/user.ts'

/** The columns that decide what a member may do. */
export type MemberRightsRow = { id: string; is_official: boolean; roles: string[]; bans: Ban[]; isWaiting: boolean }

/** The columns, beside the id, that every query for a member's rights selects. */
export const memberRightsColumns = [
  sql<boolean>`member.is_official`.as('is_official'),
  sql<string[]>`array(select role_id::text from role_holding where member_id = member.id and during @> now())`.as('roles'),
  role.bansOn('member.id').as('bans'),
  user.isApprovalPending('member.id').as('isWaiting'),
] as const

/**
 * A member with their current rights; the one place that computes them, however the member was identified. A member whose approval is
 * pending has the rights of a visitor.
 */
export async function memberOf(
  db: Db,
  sessionId: string,
  { id, is_official: isOfficial, roles, bans, isWaiting }: MemberRightsRow,
): Promise<Member> {
  const rights = await (isWaiting ? role.rightsOfVisitor(db) : role.rightsOfMember(db, roles, isOfficial))
  return { id, sessionId, isOfficial, ...rights, ...(bans.length > 0 && { bans }), ...(isWaiting && { isAwaitingApproval: true }) }
}

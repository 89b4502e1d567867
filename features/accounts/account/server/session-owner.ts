import { memberOf, memberRightsColumns } from '#account/server/member-rights.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'

/** The owner of a live session with their current rights. For requests that cannot carry a token, such as the URL of a picture. */
export async function ownerOfSession(db: Db, sessionId: string): Promise<Member | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['member.id', ...memberRightsColumns])
    .where('session.id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return row ? memberOf(db, sessionId, row) : null
}

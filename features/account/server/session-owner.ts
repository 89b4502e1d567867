import { memberOf, standing } from '#account/server/member-now.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'

/** Whose session this is, with what they may do now, while it lasts. For what cannot carry a token, such as the address of a picture. */
export async function ownerOfSession(db: Db, sessionId: string): Promise<Member | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['member.id', ...standing])
    .where('session.id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  return row ? memberOf(db, sessionId, row) : null
}

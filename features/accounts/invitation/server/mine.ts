import { sql } from 'kysely'
import { Missing, NotAllowed, type Answer, type Output } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { TooManyInvitations, type makeInvitation, type myInvitations } from '#invitation/contract.ts'
import { linkOf, make, revoke, stateNow, viewOf } from '#invitation/server/codes.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const days = 30
const most = 100

export async function list(db: Db, member: Member, { origin }: ClientInfo): Promise<Answer<typeof myInvitations>> {
  const rows = await db
    .selectFrom('invitation')
    .select(['id', 'hash', 'code', 'note', 'made_at as madeAt', 'until', stateNow.as('state')])
    .where('member_id', '=', member.id)
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  const ids = rows.map(({ id }) => id)
  const uses = await db
    .selectFrom('invitation_use')
    .select(['invitation_id', 'member_id'])
    .where('invitation_id', '=', anyOf(ids))
    .orderBy('used_at')
    .execute()
  const people = await user.authors(
    db,
    uses.map(({ member_id }) => member_id),
  )
  const joined = Map.groupBy(uses, ({ invitation_id }) => invitation_id)
  const { invitationsPerMonth: aMonth } = await setting.all(db)
  return {
    mayInvite: member.may('invite'),
    left: Math.max(0, aMonth - (await madeThisMonth(db, member))),
    aMonth,
    invitations: rows.map((row) => ({
      ...viewOf(row, origin),
      joined: (joined.get(row.id) ?? []).flatMap(({ member_id }) => people.get(member_id) ?? []),
    })),
  }
}

/** Makes one more, within the monthly limit. Locks the member, so that parallel requests are counted. */
export async function add(tx: Db, member: Member, note: string, { origin }: ClientInfo): Promise<Output<typeof makeInvitation>> {
  if (!member.may('invite')) throw NotAllowed()
  await tx.selectFrom('member').select('id').where('id', '=', member.id).forNoKeyUpdate().executeTakeFirstOrThrow()
  const { invitationsPerMonth } = await setting.all(tx)
  if ((await madeThisMonth(tx, member)) >= invitationsPerMonth) throw TooManyInvitations({ most: invitationsPerMonth })
  const until = new Date(Date.now() + days * 86_400_000)
  const { code } = await make(tx, { member_id: member.id }, { uses: 1, until, note })
  return { code, link: linkOf(origin, code) }
}

export async function end(tx: Db, { id }: Member, invitationId: string): Promise<void> {
  if (!(await revoke(tx, sql<boolean>`id = ${invitationId} and member_id = ${id}`))) throw Missing()
}

async function madeThisMonth(db: Db, { id }: Member): Promise<number> {
  const { count } = await db
    .selectFrom('invitation')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', id)
    .where(sql<boolean>`made_at > now() - ${days} * interval '1 day'`)
    .executeTakeFirstOrThrow()
  return count
}

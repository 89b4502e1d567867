import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { linkOf, make, revoke, stateNow, viewOf } from '#invitation/server/codes.ts'
import type { addInvitation, invitationList, joinedBy } from '#invitation/staff-contract.ts'
import * as user from '#user/server/user.ts'

const keys = { made: { by: sql`invitation.made_at`, as: 'timestamptz' } } as const

export async function list(
  db: Db,
  input: ParsedInput<typeof invitationList>,
  { origin }: ClientInfo,
): Promise<Answer<typeof invitationList>> {
  const { state, of } = input
  let query = db
    .selectFrom('invitation')
    .leftJoin('staff', 'staff.id', 'staff_id')
    .select([
      'invitation.id',
      'hash',
      'code',
      'note',
      'invitation.made_at as madeAt',
      'until',
      'uses',
      'used',
      'member_id',
      'account as staff',
    ])
    .select(stateNow.as('state'))
  if (state) query = query.where(stateNow, '=', state)
  if (of) query = query.where('member_id', of === 'members' ? 'is not' : 'is', null)
  const page = await paged(db, query, { ...input, keys, id: sql`invitation.id` })
  const people = await user.authors(
    db,
    page.rows.flatMap(({ member_id }) => member_id ?? []),
  )
  return {
    ...page,
    rows: page.rows.map(({ member_id, ...row }) => ({
      ...viewOf(row, origin),
      member: (member_id && people.get(member_id)) || null,
    })),
  }
}

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  input: ParsedInput<typeof addInvitation>,
): Promise<Output<typeof addInvitation>> {
  const terms = { uses: input.uses, until: input.days ? new Date(Date.now() + input.days * 86_400_000) : null, note: input.note }
  const { id, code } = await make(tx, { staff_id: by.id }, terms)
  await audit.note(tx, by, client, { action: 'invitation.add', about: `invitation ${id}`, after: input })
  return { invitationId: id, code, link: linkOf(client.origin, code) }
}

export async function end(tx: Db, by: StaffActor, client: ClientInfo, invitationId: string): Promise<void> {
  if (!(await revoke(tx, sql<boolean>`id = ${invitationId}`))) throw Missing()
  await audit.note(tx, by, client, { action: 'invitation.revoke', about: `invitation ${invitationId}` })
}

export async function joined(db: Db, invitationId: string): Promise<Answer<typeof joinedBy>> {
  const rows = await db
    .selectFrom('invitation_use')
    .select(['member_id', 'used_at'])
    .where('invitation_id', '=', invitationId)
    .orderBy('used_at')
    .execute()
  const people = await user.authors(
    db,
    rows.map(({ member_id }) => member_id),
  )
  return {
    joined: rows.flatMap(({ member_id, used_at }) => {
      const member = people.get(member_id)
      return member ? [{ member, at: used_at }] : []
    }),
  }
}

import type { Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { UndoneAlready } from '#batch/contract.ts'
import type { Change } from '#batch/server/batch.ts'
import { HeldLonger } from '#member/contract.ts'
import { lockUnlessStaff } from '#member/server/lock.ts'
import * as role from '#role/server/role.ts'

type RoleGrant = { roleId: string; /** `no`, `forGood`, or the time of its end. */ held: string }

/** Gives a member one more role. Writes no audit entry. A longer holding stays. */
export async function giveRole(
  tx: Db,
  by: StaffActor,
  memberId: string,
  roleId: string,
  endsAt: string | undefined,
): Promise<Change | null> {
  await lockUnlessStaff(tx, memberId)
  const before = await heldNow(tx, memberId, roleId)
  const newEnd = endsAt === undefined ? 'forGood' : new Date(endsAt).toISOString()
  if (before !== newEnd && lasts(before) > lasts(newEnd)) throw HeldLonger()
  return change(tx, by, memberId, { roleId, before, after: newEnd })
}

export async function takeRole(tx: Db, by: StaffActor, memberId: string, roleId: string): Promise<Change | null> {
  await lockUnlessStaff(tx, memberId)
  return change(tx, by, memberId, { roleId, before: await heldNow(tx, memberId, roleId), after: 'no' })
}

/** Undoes either, where the role's holding is unchanged. */
export async function undoRoleChange(tx: Db, by: StaffActor, memberId: string, { before, after }: Change): Promise<void> {
  await lockUnlessStaff(tx, memberId)
  const [was, left] = [before as RoleGrant, after as RoleGrant]
  if ((await heldNow(tx, memberId, left.roleId)) !== left.held) throw UndoneAlready()
  const isOver = was.held !== 'forGood' && was.held !== 'no' && Date.parse(was.held) <= Date.now()
  await change(tx, by, memberId, { roleId: left.roleId, before: left.held, after: isOver ? 'no' : was.held })
}

type RoleChange = { roleId: string; before: string; after: string }

// A batch continues after a refusal, so every check precedes every change.
async function change(tx: Db, by: StaffActor, memberId: string, { roleId, before, after }: RoleChange): Promise<Change | null> {
  if (before === after) return null
  await role.assertRolesGivable(tx, by, [roleId])
  const others = (await role.heldBy(tx, memberId)).filter((one) => one.roleId !== roleId)
  const own = after === 'no' ? [] : [{ roleId, endsAt: after === 'forGood' ? null : new Date(after) }]
  await role.setRoles(tx, memberId, [...others.map(({ roleId: other, endsAt }) => ({ roleId: other, endsAt })), ...own])
  return { before: { roleId, held: before }, after: { roleId, held: after } }
}

async function heldNow(tx: Db, memberId: string, roleId: string): Promise<string> {
  const holding = (await role.heldBy(tx, memberId)).find((one) => one.roleId === roleId)
  if (!holding) return 'no'
  return holding.endsAt?.toISOString() ?? 'forGood'
}

function lasts(end: string): number {
  if (end === 'no') return 0
  return end === 'forGood' ? Number.POSITIVE_INFINITY : Date.parse(end)
}

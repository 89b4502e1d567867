import * as proof from '#account/server/account.ts'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import * as failures from '#staff/server/failures.ts'
import * as official from '#staff/server/official-member.ts'
import * as staffRole from '#staff/server/roles.ts'
import * as secondFactor from '#staff/server/second-factor.ts'
import * as session from '#staff/server/session.ts'
import type { staffRoles } from '#staff/contract.ts'
import * as user from '#user/server/user.ts'

export { purgeUndecryptable } from '#staff/server/second-factor.ts'
export { withoutSession } from '#staff/server/session.ts'

export type StaffRole = Output<typeof staffRoles>['roles'][number]

/** The roles with their rights, the administrator first. */
export async function roles(db: Db): Promise<StaffRole[]> {
  return (await staffRole.list(db)).roles
}

export type NewStaff = { id: string; account: string; password: string }

/**
 * Adds a member of staff, an administrator where no roles are given, with their official member; both have the same random password, which
 * is returned.
 */
export async function add(tx: Db, account: string, roleIds?: readonly string[]): Promise<NewStaff> {
  const password = proof.randomPassword()
  return { id: await addWithHash(tx, account, await proof.hashPassword(password), roleIds), account, password }
}

/** The same with a password hash; returns the id. */
export async function addWithHash(tx: Db, account: string, password_hash: string, roleIds?: readonly string[]): Promise<string> {
  const names = { account, account_key: user.nameKey(account), password_hash }
  const { id } = await tx
    .insertInto('member')
    .values({ ...names, is_official: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const staff = await tx
    .insertInto('staff')
    .values({ ...names, speaks_as: id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await staffRole.assign(tx, staff.id, roleIds ?? [await staffRole.administrator(tx)])
  await official.syncMembers(tx, [staff.id])
  return staff.id
}

/**
 * Resets the password of a member of staff, here and in the forum, to a random one, removes the second factor and ends all sessions. Null
 * for an unknown account.
 */
export async function resetPassword(tx: Db, account: string): Promise<NewStaff | null> {
  const password = proof.randomPassword()
  const password_hash = await proof.hashPassword(password)
  const staff = await tx
    .updateTable('staff')
    .set({ password_hash })
    .where('account_key', '=', user.nameKey(account))
    .returning(['id', 'account', 'speaks_as'])
    .executeTakeFirst()
  if (!staff) return null
  await tx.updateTable('member').set({ password_hash }).where('id', '=', staff.speaks_as).execute()
  await proof.endAllSessions(tx, staff.speaks_as, 'password changed')
  // Failures with the old password do not block the new one.
  await failures.clear(tx, account)
  await secondFactor.remove(tx, staff.id)
  await session.end(tx, { staffId: staff.id }, 'password changed')
  return { id: staff.id, account: staff.account, password }
}

/** Whether another active member of staff has this right. */
export async function hasOthersWithRight(db: Db, staffId: string, right: string): Promise<boolean> {
  const other = await withRight(db, right).select('staff.id').where('staff.id', '<>', staffId).limit(1).executeTakeFirst()
  return other !== undefined
}

/** The official members of all active staff with this right. */
export async function membersWithRight(db: Db, right: string): Promise<string[]> {
  const rows = await withRight(db, right).select('speaks_as').distinct().execute()
  return rows.map(({ speaks_as }) => speaks_as)
}

function withRight(db: Db, right: string) {
  return db
    .selectFrom('staff')
    .innerJoin('staff_role_holding', 'staff_role_holding.staff_id', 'staff.id')
    .innerJoin('staff_role', 'staff_role.id', 'role_id')
    .leftJoin('staff_role_right', (join) =>
      join.onRef('staff_role_right.role_id', '=', 'staff_role.id').on('staff_role_right.right_name', '=', right),
    )
    .where('disabled_at', 'is', null)
    .where((row) => row.or([row('is_administrator', '=', true), row('right_name', 'is not', null)]))
}

/** Whether the actor is the only one with this right: a single administrator decides their own cases, too. */
export async function isOnlyHolder(db: Db, actor: StaffActor, right: string): Promise<boolean> {
  return actor.isAdministrator && !(await hasOthersWithRight(db, actor.id, right))
}

export async function exists(db: Db): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined
}

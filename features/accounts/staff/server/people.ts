import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { versionOf } from '#base/server/security/secret.ts'
import { LastAdministrator, NameTaken, StaffChanged, type addStaff, type editStaff, type staffList } from '#staff/contract.ts'
import * as official from '#staff/server/official-member.ts'
import * as roles from '#staff/server/roles.ts'
import * as session from '#staff/server/session.ts'
import * as staff from '#staff/server/staff.ts'
import * as user from '#user/server/user.ts'

const heldRoles = sql<string[]>`array(select role_id::text from staff_role_holding where staff_id = staff.id order by 1)`

export async function list(db: Db): Promise<Output<typeof staffList>> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'account', 'speaks_as', 'totp_confirmed', 'disabled_at', 'last_seen_at', heldRoles.as('roleIds')])
    .orderBy('id')
    .execute()
  const members = await user.authors(
    db,
    rows.map(({ speaks_as }) => speaks_as),
  )
  return {
    staff: rows.map(({ id, account, roleIds, ...row }) => ({
      id,
      account,
      speaksAs: { id: row.speaks_as, name: members.get(row.speaks_as)?.name ?? account },
      roleIds,
      hasSecondFactor: row.totp_confirmed,
      isDisabled: row.disabled_at !== null,
      version: versionOf({ roleIds, isDisabled: row.disabled_at !== null }),
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    })),
  }
}

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { account, roleIds }: ParsedInput<typeof addStaff>,
): Promise<Output<typeof addStaff>> {
  await roles.refuseRoles(tx, by, roleIds)
  if (await user.isTaken(tx, account)) throw NameTaken()
  const created = await staff.add(tx, account, roleIds).catch((error: unknown) => {
    throw isDuplicate(error) ? NameTaken() : error
  })
  await requireNewPassword(tx, created.id)
  await audit.note(tx, by, client, { action: 'staff.add', about: `staff ${created.id}`, after: { account, roleIds } })
  return { staffId: created.id, password: created.password }
}

/**
 * Changes the roles of staff, locks or unlocks them. Refused for staff with more rights than the actor; one administrator always remains.
 */
export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { staffId, version, roleIds, isDisabled }: ParsedInput<typeof editStaff>,
): Promise<void> {
  const before = await lock(tx, staffId)
  const now = versionOf({ roleIds: before.roleIds, isDisabled: before.isDisabled })
  if (version && version !== now) throw StaffChanged({ by: (await audit.lastActor(tx, `staff ${staffId}`, 'staff.edit')) ?? '' })
  await roles.refuseRoles(tx, by, [...before.roleIds, ...roleIds])
  await roles.assign(tx, staffId, roleIds)
  await tx
    .updateTable('staff')
    .set({ disabled_at: isDisabled ? sql`coalesce(disabled_at, now())` : null })
    .where('id', '=', staffId)
    .execute()
  if (!(await hasAdministrator(tx))) throw LastAdministrator()
  await official.syncMembers(tx, [staffId])
  if (isDisabled) {
    await session.end(tx, { staffId }, 'locked out')
    await session.endInForum(tx, staffId)
  }
  await audit.note(tx, by, client, { action: 'staff.edit', about: `staff ${staffId}`, before, after: { roleIds, isDisabled } })
}

export async function reset(tx: Db, by: StaffActor, client: ClientInfo, staffId: string): Promise<{ password: string }> {
  const { account, roleIds } = await lock(tx, staffId)
  await roles.refuseRoles(tx, by, roleIds)
  const renewed = await staff.resetPassword(tx, account)
  if (!renewed) throw Missing()
  await requireNewPassword(tx, staffId)
  await audit.note(tx, by, client, { action: 'staff.reset', about: `staff ${staffId}` })
  return { password: renewed.password }
}

// The password was known to the member of staff who set it.
async function requireNewPassword(tx: Db, staffId: string): Promise<void> {
  await tx.updateTable('staff').set({ owes_password: true }).where('id', '=', staffId).execute()
}

async function lock(tx: Db, staffId: string) {
  // Serialised, so that two administrators cannot lock each other at the same time.
  await tx.selectFrom('staff_role').select('id').where('is_administrator', '=', true).forUpdate().execute()
  const row = await tx
    .selectFrom('staff')
    .select(['account', 'disabled_at', heldRoles.as('roleIds')])
    .where('id', '=', staffId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return { account: row.account, roleIds: row.roleIds, isDisabled: row.disabled_at !== null }
}

async function hasAdministrator(tx: Db): Promise<boolean> {
  const row = await tx
    .selectFrom('staff')
    .innerJoin('staff_role_holding', 'staff_role_holding.staff_id', 'staff.id')
    .innerJoin('staff_role', 'staff_role.id', 'role_id')
    .select('staff.id')
    .where('is_administrator', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

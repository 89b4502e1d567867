import { sql } from 'kysely'
import { Missing, NotAllowed, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { versionOf } from '#base/server/security/secret.ts'
import * as audit from '#audit/server/audit.ts'
import { MoreThanOwn, RoleChanged } from '#role/contract.ts'
import * as official from '#staff/server/official-member.ts'
import { RoleInUse, type staffRoles } from '#staff/contract.ts'
import { staffRights, type addStaffRole, type editStaffRole } from '#staff/right-contract.ts'

export async function list(db: Db): Promise<Output<typeof staffRoles>> {
  const rows = await db
    .selectFrom('staff_role')
    .select(['id', 'name_zh', 'name_en', 'is_administrator'])
    .select(sql<string[]>`array(select right_name from staff_role_right where role_id = staff_role.id order by 1)`.as('rights'))
    .select(sql<number>`(select count(*)::int from staff_role_holding where role_id = staff_role.id)`.as('holders'))
    .orderBy('is_administrator', 'desc')
    .orderBy('id')
    .execute()
  const roles = rows.map(({ name_zh, name_en, is_administrator, ...row }) => ({
    ...row,
    name: { zh: name_zh, en: name_en },
    version: versionOf({ zh: name_zh, en: name_en, rights: row.rights }),
    isAdministrator: is_administrator,
  }))
  return { roles, rights: [...staffRights] }
}

export async function add(tx: Db, by: StaffActor, client: ClientInfo, form: ParsedInput<typeof addStaffRole>): Promise<{ roleId: string }> {
  refuseEscalation(by, form.rights)
  const { id } = await tx.insertInto('staff_role').values({ name_zh: form.zh, name_en: form.en }).returning('id').executeTakeFirstOrThrow()
  await setRights(tx, id, form.rights)
  await audit.note(tx, by, client, { action: 'staffRole.add', about: `staffRole ${id}`, after: form })
  return { roleId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { roleId, version, ...form }: ParsedInput<typeof editStaffRole>,
): Promise<void> {
  const before = await lock(tx, roleId)
  if (version && version !== versionOf(before)) throw RoleChanged({ by: (await audit.lastActor(tx, `staffRole ${roleId}`)) ?? '' })
  refuseEscalation(by, [...before.rights, ...form.rights])
  await tx.updateTable('staff_role').set({ name_zh: form.zh, name_en: form.en }).where('id', '=', roleId).execute()
  await tx.deleteFrom('staff_role_right').where('role_id', '=', roleId).execute()
  await setRights(tx, roleId, form.rights)
  await official.syncMembersOfRole(tx, roleId)
  await audit.note(tx, by, client, { action: 'staffRole.edit', about: `staffRole ${roleId}`, before, after: form })
}

export async function remove(tx: Db, by: StaffActor, client: ClientInfo, roleId: string): Promise<void> {
  const before = await lock(tx, roleId)
  refuseEscalation(by, before.rights)
  const holder = await tx.selectFrom('staff_role_holding').select('staff_id').where('role_id', '=', roleId).limit(1).executeTakeFirst()
  if (holder) throw RoleInUse()
  await tx.deleteFrom('staff_role').where('id', '=', roleId).execute()
  await audit.note(tx, by, client, { action: 'staffRole.remove', about: `staffRole ${roleId}`, before })
}

/** Replaces the roles of a member of staff. */
export async function assign(tx: Db, staffId: string, roleIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('staff_role_holding').where('staff_id', '=', staffId).execute()
  if (roleIds.length === 0) return
  await tx
    .insertInto('staff_role_holding')
    .values([...new Set(roleIds)].map((role_id) => ({ staff_id: staffId, role_id })))
    .execute()
}

export async function administrator(db: Db): Promise<string> {
  return (await db.selectFrom('staff_role').select('id').where('is_administrator', '=', true).executeTakeFirstOrThrow()).id
}

/** Refuses roles with rights that the actor does not have. */
export async function refuseRoles(db: Db, by: StaffActor, roleIds: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('staff_role')
    .select(['id', 'is_administrator'])
    .select(sql<string[]>`array(select right_name from staff_role_right where role_id = staff_role.id)`.as('rights'))
    .where('id', '=', anyOf(roleIds))
    .forUpdate()
    .execute()
  if (rows.length < new Set(roleIds).size) throw Missing()
  // Only administrators have all rights, including those of later versions.
  if (rows.some((row) => row.is_administrator) && !by.isAdministrator) throw MoreThanOwn()
  refuseEscalation(
    by,
    rows.flatMap(({ rights }) => rights),
  )
}

function refuseEscalation(by: StaffActor, rights: readonly string[]): void {
  if (!rights.every((right) => by.may(right))) throw MoreThanOwn()
}

async function lock(tx: Db, roleId: string) {
  const role = await tx
    .selectFrom('staff_role')
    .select(['name_zh as zh', 'name_en as en', 'is_administrator'])
    .select(sql<string[]>`array(select right_name from staff_role_right where role_id = staff_role.id order by 1)`.as('rights'))
    .where('id', '=', roleId)
    .forUpdate()
    .executeTakeFirst()
  if (!role) throw Missing()
  if (role.is_administrator) throw NotAllowed()
  return { zh: role.zh, en: role.en, rights: role.rights }
}

async function setRights(tx: Db, roleId: string, rights: readonly string[]): Promise<void> {
  if (rights.length === 0) return
  await tx
    .insertInto('staff_role_right')
    .values([...new Set(rights)].map((right_name) => ({ role_id: roleId, right_name })))
    .execute()
}

import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'
import { DefaultStays, RightHasNoPlace, RoleChanged, RoleHeld } from '#role/contract.ts'
import type { addRole, editRole, removeRole, roleList } from '#role/staff-contract.ts'
import { differenceOf, assertNoEscalation, type RightGrant } from '#role/server/privilege-escalation.ts'
import { cardsOf, refuseSold, tasksOf } from '#role/server/sold.ts'

type RightGrants = ParsedInput<typeof addRole>['rights']

const rightsHere = sql<{ right: string; tagId: string | null }[]>`coalesce((
  select jsonb_agg(jsonb_build_object('right', right_name, 'tagId', tag_id::text) order by right_name collate "C", tag_id)
  from role_right where role_id = role.id), '[]')`
const holders = sql<number>`(select count(distinct member_id)::int from role_holding where role_id = role.id and during @> now())`

export async function list(db: Db): Promise<Output<typeof roleList>> {
  const [roles, tags] = await Promise.all([
    db
      .selectFrom('role')
      .select(['id', 'name_zh', 'name_en', 'is_default', 'sort', 'version', rightsHere.as('rights'), holders.as('holders')])
      .select([cardsOf('role.id').as('cards'), tasksOf('role.id').as('tasks')])
      .orderBy('is_default', 'desc')
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    db.selectFrom('tag').select(['id', 'parent_id', 'name_zh', 'name_en', 'is_restricted']).orderBy('sort').orderBy('id').execute(),
  ])
  return {
    roles: roles.map(({ name_zh: zh, name_en: en, is_default: isDefault, ...role }) => ({ ...role, name: { zh, en }, isDefault })),
    tagRights: [...tagRights],
    plainRights: [...globalRights],
    tags: tags.map(({ id, parent_id: parentId, name_zh: zh, name_en: en, is_restricted: isRestricted }) => ({
      id,
      parentId,
      name: { zh, en },
      isRestricted,
    })),
  }
}

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { zh, en, sort, rights }: ParsedInput<typeof addRole>,
): Promise<{ roleId: string }> {
  assertNoEscalation(by, [], rights)
  const { id } = await tx.insertInto('role').values({ name_zh: zh, name_en: en, sort }).returning('id').executeTakeFirstOrThrow()
  await saveRights(tx, id, rights)
  await bumpVersions(tx, [], rights)
  invalidateRights(tx)
  await audit.note(tx, by, client, { action: 'role.add', about: `role ${id}`, after: { zh, en, sort, rights } })
  return { roleId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { roleId, version, ...form }: ParsedInput<typeof editRole>,
): Promise<void> {
  const { version: now, isDefault: _, ...before } = await lock(tx, roleId)
  if (now !== version) throw RoleChanged({ by: (await audit.lastActor(tx, `role ${roleId}`)) ?? '' })
  const { zh, en, sort, rights } = form
  assertNoEscalation(by, before.rights, rights)
  await tx
    .updateTable('role')
    .set({ name_zh: zh, name_en: en, sort, version: version + 1 })
    .where('id', '=', roleId)
    .execute()
  await tx.deleteFrom('role_right').where('role_id', '=', roleId).execute()
  await saveRights(tx, roleId, rights)
  await bumpVersions(tx, before.rights, rights)
  invalidateRights(tx)
  await audit.note(tx, by, client, { action: 'role.edit', about: `role ${roleId}`, before, after: form })
}

export async function makeDefault(tx: Db, by: StaffActor, client: ClientInfo, roleId: string): Promise<void> {
  const before = await tx.selectFrom('role').select('id').where('is_default', '=', true).forUpdate().executeTakeFirst()
  assertNoEscalation(by, [], (await lock(tx, roleId)).rights)
  // The default role cannot be sold.
  await refuseSold(tx, client, roleId)
  await tx.updateTable('role').set({ is_default: false }).where('is_default', '=', true).execute()
  await tx.updateTable('role').set({ is_default: true }).where('id', '=', roleId).execute()
  invalidateRights(tx)
  await audit.note(tx, by, client, { action: 'role.default', about: `role ${roleId}`, before: before?.id ?? null, after: roleId })
}

export async function remove(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { roleId, evenIfHeld }: ParsedInput<typeof removeRole>,
): Promise<void> {
  const { isDefault, ...before } = await lock(tx, roleId)
  if (isDefault) throw DefaultStays()
  assertNoEscalation(by, before.rights, [])
  await refuseSold(tx, client, roleId)
  const { count } = await tx
    .selectFrom('role_holding')
    .select(sql<number>`count(distinct member_id)::int`.as('count'))
    .where('role_id', '=', roleId)
    .where(sql<boolean>`during @> now()`)
    .executeTakeFirstOrThrow()
  if (count > 0 && !evenIfHeld) throw RoleHeld({ count })
  await tx.deleteFrom('role_holding').where('role_id', '=', roleId).execute()
  await tx.deleteFrom('role').where('id', '=', roleId).execute()
  invalidateRights(tx)
  await audit.note(tx, by, client, { action: 'role.remove', about: `role ${roleId}`, before: { ...before, holders: count } })
}

async function lock(tx: Db, roleId: string) {
  const role = await tx
    .selectFrom('role')
    .select(['name_zh as zh', 'name_en as en', 'sort', 'version', 'is_default as isDefault', rightsHere.as('rights')])
    .where('id', '=', roleId)
    .forUpdate()
    .executeTakeFirst()
  if (!role) throw Missing()
  return role
}

async function saveRights(tx: Db, roleId: string, rights: RightGrants): Promise<void> {
  const plain: readonly string[] = globalRights
  if (rights.some(({ right, tagId }) => tagId !== null && plain.includes(right))) throw RightHasNoPlace()
  const tagIds = [...new Set(rights.flatMap(({ tagId }) => tagId ?? []))]
  const tags = await tx.selectFrom('tag').select('id').where('id', '=', anyOf(tagIds)).forShare().execute()
  if (tags.length < tagIds.length) throw Missing()
  if (rights.length === 0) return
  await tx
    .insertInto('role_right')
    .values(rights.map(({ right, tagId }) => ({ role_id: roleId, right_name: right, tag_id: tagId })))
    .onConflict((there) => there.doNothing())
    .execute()
}

// The form of a tag shows the roles that may view and post there, so an open form must not overwrite this change.
async function bumpVersions(tx: Db, before: readonly RightGrant[], after: readonly RightGrant[]): Promise<void> {
  const tagIds = new Set(differenceOf(before, after).flatMap(({ tagId }) => tagId ?? []))
  await tx
    .updateTable('tag')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', anyOf([...tagIds]))
    .execute()
}

// The rights decide what every page shows.
function invalidateRights(tx: Db): void {
  invalidate(tx, 'role', 'tags', 'everything')
}

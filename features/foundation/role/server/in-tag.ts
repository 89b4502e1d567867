import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'

type RoleRight = { roleId: string; right: string }
type Change = { given: readonly RoleRight[]; taken: readonly RoleRight[] }

/** Gives roles rights in one tag and takes others from them. Each changed role gets an audit entry and a new version. */
export async function changeInTag(tx: Db, by: StaffActor, client: ClientInfo, tagId: string, { given, taken }: Change): Promise<void> {
  const roleIds = [...new Set([...given, ...taken].map(({ roleId }) => roleId))]
  if (roleIds.length === 0) return
  const locked = await tx
    .updateTable('role')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', anyOf(roleIds))
    .returning('id')
    .execute()
  const before = await rightsIn(tx, tagId, roleIds)
  await sql`
    delete from role_right using unnest(${taken.map(({ roleId }) => roleId)}::bigint[], ${taken.map(({ right }) => right)}::text[]) as taken(role_id, right_name)
    where tag_id = ${tagId} and role_right.role_id = taken.role_id and role_right.right_name = taken.right_name`.execute(tx)
  const rows = given.map(({ roleId, right }) => ({ role_id: roleId, right_name: right, tag_id: tagId }))
  if (rows.length > 0) {
    await tx
      .insertInto('role_right')
      .values(rows)
      .onConflict((there) => there.doNothing())
      .execute()
  }
  const after = await rightsIn(tx, tagId, roleIds)
  const actions = locked.map(({ id }) => ({
    action: 'role.edit' as const,
    about: `role ${id}`,
    before: { tagId, rights: before.get(id) ?? [] },
    after: { tagId, rights: after.get(id) ?? [] },
  }))
  await audit.noteAll(tx, by, client, actions)
}

async function rightsIn(db: Db, tagId: string, roleIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('role_right')
    .select(['role_id', sql<string[]>`array_agg(right_name order by right_name collate "C")`.as('rights')])
    .where('tag_id', '=', tagId)
    .where('role_id', '=', anyOf(roleIds))
    .groupBy('role_id')
    .execute()
  return new Map(rows.map(({ role_id, rights }) => [role_id, rights]))
}

import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { setModerator } from '#role/server/role.ts'
import { rightsOf } from '#staff/server/session.ts'

const moderatorRights = ['content.edit', 'content.remove']

/**
 * Aligns the official members of these staff with their rights: staff who may edit and remove posts get the moderators' read and write
 * access in the forum, to know what they moderate; the members of locked staff are disabled.
 */
export async function syncMembers(tx: Db, staffIds: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('staff')
    .select(['speaks_as', 'disabled_at', account.isAdministrator('staff.id').as('is_administrator'), rightsOf('staff.id').as('rights')])
    .where('id', '=', anyOf(staffIds))
    .execute()
  for (const { speaks_as, disabled_at, is_administrator, rights } of rows) {
    const mayKeep = is_administrator || moderatorRights.every((right) => rights.includes(right))
    await setModerator(tx, speaks_as, mayKeep && !disabled_at)
    await tx
      .updateTable('member')
      .set({ deactivated_at: disabled_at, deactivated_as: disabled_at && 'disabled' })
      .where('id', '=', speaks_as)
      .where(sql<boolean>`deactivated_as is distinct from 'cancelled'`)
      .execute()
    invalidate(tx, `member:${speaks_as}`)
  }
}

/** The same for all holders of a role. */
export async function syncMembersOfRole(tx: Db, roleId: string): Promise<void> {
  const rows = await tx.selectFrom('staff_role_holding').select('staff_id').where('role_id', '=', roleId).execute()
  await syncMembers(
    tx,
    rows.map(({ staff_id }) => staff_id),
  )
}

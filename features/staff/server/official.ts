import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { keepOrder } from '#role/server/role.ts'
import { rightsOf } from '#staff/server/session.ts'

const needed = ['content.edit', 'content.remove']

/**
 * Makes the members that these staff speak as fit what their staff may do: while the staff may edit and remove here, they see and write in the
 * forum wherever those do who keep order, who must know what they keep order about; and they are disabled while the staff are locked out.
 */
export async function fit(tx: Db, staffIds: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('staff')
    .select(['speaks_as', 'disabled_at', account.isAdministrator('staff.id').as('is_administrator'), rightsOf('staff.id').as('rights')])
    .where('id', '=', anyOf(staffIds))
    .execute()
  for (const { speaks_as, disabled_at, is_administrator, rights } of rows) {
    const mayKeep = is_administrator || needed.every((right) => rights.includes(right))
    await keepOrder(tx, speaks_as, mayKeep && !disabled_at)
    await tx
      .updateTable('member')
      .set({ deactivated_at: disabled_at, deactivated_as: disabled_at && 'disabled' })
      .where('id', '=', speaks_as)
      .where(sql<boolean>`deactivated_as is distinct from 'cancelled'`)
      .execute()
    invalidate(tx, `member:${speaks_as}`)
  }
}

/** The same for all who hold a role. */
export async function fitHolders(tx: Db, roleId: string): Promise<void> {
  const rows = await tx.selectFrom('staff_holding').select('staff_id').where('role_id', '=', roleId).execute()
  await fit(
    tx,
    rows.map(({ staff_id }) => staff_id),
  )
}

import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { StaffActor } from '#base/server/http/route.ts'
import { SpeaksForStaff } from '#member/contract.ts'
import * as role from '#role/server/role.ts'

/** Locks and returns the member; concurrent decisions about them wait. */
export async function lock(tx: Db, memberId: string) {
  const row = await tx
    .selectFrom('member')
    .select([
      'id',
      'account',
      'nickname',
      'avatar',
      'about',
      'is_official',
      'deactivated_at',
      'deactivated_as',
      'deactivated_because',
      'freed_account',
      'freed_nickname',
    ])
    .select(['version', 'hint_question', 'merged_into'])
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  return row
}

/** The same, except members of staff accounts, which are managed with the staff. */
export async function lockUnlessStaff(tx: Db, memberId: string) {
  const row = await lock(tx, memberId)
  if (row.is_official) throw SpeaksForStaff()
  return row
}

/** The same, for changes to login methods: an actor who sets a password could log in with it, and use every right of the member. */
export async function lockForLoginChange(tx: Db, by: StaffActor, memberId: string): Promise<void> {
  await lockUnlessStaff(tx, memberId)
  const heldRoles = await role.heldNow(tx, memberId)
  await role.assertRolesGivable(
    tx,
    by,
    heldRoles.map(({ id }) => id),
  )
}

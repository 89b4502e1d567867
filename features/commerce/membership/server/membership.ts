import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ErasedMember, MergedMembers } from '#base/server/moments.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as role from '#role/server/role.ts'

export { lockMembers } from '#membership/server/buy.ts'

/**
 * Moves a member's orders and gifts to the account they are merged into, with the roles that they paid for: a role that the other account
 * does not hold moves as it is, and one that it holds is extended by the remaining time. Its start is moved to the earliest of its
 * orders, so that each can be refunded.
 */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  const { rows } = await sql<{ roleId: string; holdingId: string; heldUntil: Date | null; isHeld: boolean; seconds: number }>`
    select its.role_id as "roleId", its.id as "holdingId", other.id is not null as "isHeld", nullif(upper(other.during), 'infinity') as "heldUntil",
      extract(epoch from least(upper(its.during), now() + interval '1000 years') - clock_timestamp())::float as seconds
    from role_holding as its left join role_holding as other
      on other.member_id = ${into} and other.role_id = its.role_id and other.during @> clock_timestamp()
    where its.member_id = ${from} and its.during @> clock_timestamp()
      and exists (select from membership_running as bought where bought.member_id = ${from} and bought.role_id = its.role_id)`.execute(tx)
  for (const { roleId, holdingId, isHeld, heldUntil, seconds } of rows) {
    if (!isHeld) await tx.updateTable('role_holding').set({ member_id: into }).where('id', '=', holdingId).execute()
    else if (heldUntil) {
      await role.prolong(tx, into, roleId, seconds)
      await role.backdate(tx, into, roleId, holdingId)
    }
  }
  for (const column of ['buyer_id', 'member_id'] as const)
    await tx
      .updateTable('membership_order')
      .set({ [column]: into })
      .where(column, '=', from)
      .execute()
  await sql`
    update membership_gift as its set member_id = ${into} where member_id = ${from}
      and not exists (select from membership_gift as same where same.task_id = its.task_id and same.member_id = ${into})`.execute(tx)
  invalidate(tx, `member:${from}`, `member:${into}`)
}

/** Erases the notes of a member's gifts. */
export async function memberErased(tx: Db, { memberId }: ErasedMember): Promise<void> {
  await tx.updateTable('membership_order').set({ note: null }).where('buyer_id', '=', memberId).execute()
}

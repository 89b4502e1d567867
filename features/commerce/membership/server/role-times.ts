import { Missing, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { memberRoleTimes } from '#membership/order-contract.ts'
import { rolesOf } from '#membership/server/orders.ts'

export async function roleTimes(db: Db, memberId: string): Promise<Output<typeof memberRoleTimes>> {
  const member = await db
    .selectFrom('member')
    .select((row) => ['id', row.fn.coalesce('nickname', 'account').as('name')])
    .where('id', '=', memberId)
    .executeTakeFirst()
  if (!member) throw Missing()
  return { member, roles: await rolesOf(db, memberId) }
}

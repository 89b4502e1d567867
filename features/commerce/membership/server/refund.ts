import type { Db } from '#base/server/database/database.ts'
import * as role from '#role/server/role.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { sql, type RawBuilder } from 'kysely'

type RefundParams = {
  orderId: string
  number: string
  transactionId: string | null
  /** Whole cents and points that go back to the buyer. */
  sums: Record<'cny' | 'points', string | bigint>
  by: wallet.Actor
  reason?: string
  group?: string | undefined
}

/**
 * Ends an order whose holder and buyer are locked: refunds a part of its price, takes the remaining time off the role, and returns its
 * units to stock. Returns the id of the transaction, or null without a payment.
 */
export async function refundOrder(
  tx: Db,
  { orderId, number, transactionId, sums, by, reason, group }: RefundParams,
): Promise<string | null> {
  const [cny, points] = [toMinor(sums.cny), toMinor(sums.points)]
  const isPaid = transactionId !== null && (cny > 0n || points > 0n)
  const cause = { kind: 'membershipRefunded', source: `order:${number}`, by, reason, group } as const
  const repaid = isPaid ? await wallet.repay(tx, transactionId, { ...cause, account: 'membership', sums: { cny, points } }) : null
  const { rows } = await sql<{ memberId: string; roleId: string | null; seconds: number }>`
    with units as (
      update membership_specification as its set sold = sold - quantity from membership_order as bought
      where bought.id = ${orderId} and its.id = specification_id and stock is not null)
    select member_id as "memberId", role_id as "roleId", ${secondsLeft} as seconds from membership_order as bought where id = ${orderId}`.execute(
    tx,
  )
  await tx
    .insertInto('membership_refund')
    .values({ order_id: orderId, cents: String(cny), points: String(points), transaction_id: repaid?.id ?? null })
    .execute()
  const [its] = rows
  if (its?.roleId && its.seconds > 0) await role.shorten(tx, its.memberId, its.roleId, its.seconds)
  return repaid?.id ?? null
}

/**
 * The seconds of `bought` that its holder still has. Time that staff took away is not taken twice, and a role that they gave again later
 * does not count.
 */
export const secondsLeft = sql<number>`coalesce((
  select extract(epoch from least(upper(held.during), upper(bought.during)) - greatest(lower(bought.during), clock_timestamp()))
    from role_holding as held
    where held.member_id = bought.member_id and held.role_id = bought.role_id and held.during @> clock_timestamp()
      and held.during && bought.during and lower(held.during) <= lower(bought.during) and upper(bought.during) > clock_timestamp()), 0)::float`

/** The unused part of an amount that was paid for `bought`, as far as its holder still has the role. */
export const restOf = {
  cents: restIn(sql`bought.cents`),
  points: restIn(sql`bought.points`),
} as const

function restIn(amount: RawBuilder<unknown>): RawBuilder<string> {
  return sql`least(membership_remainder(${amount}, bought.during, bought.unit, clock_timestamp()),
    ceil(${amount} * ${secondsLeft} / extract(epoch from upper(bought.during) - lower(bought.during))::float)::bigint)`
}

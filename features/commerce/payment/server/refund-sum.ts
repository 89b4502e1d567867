import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Order } from '#payment/server/lock-payment.ts'
import type { EventFacts } from '#payment/server/inbox.ts'

type Told = Pick<EventFacts, 'allCents' | 'paidAt'>

/**
 * What of a told refund is not booked yet. Each told sum is the whole of the refunds until then, in whatever order they are told: so this
 * one has no more than is left of any sum that contains it. Null where the amount is not clear: while a refund of ours is under way, which
 * a sum may contain or not, or where less is left than the provider says.
 */
export async function unbookedCents(tx: Db, order: Order, { allCents, paidAt }: Told, cents: bigint | null): Promise<bigint | null> {
  if (allCents === undefined) return cents
  if (cents === null && (await isUnderWay(tx, order.id))) return null
  const [own = 0n, ...others] = await leftOfSums(tx, order, { allCents, paidAt })
  const amount = cents ?? own
  const left = others.reduce((least, one) => (one < least ? one : least), amount)
  return left === amount || left <= 0n ? left : null
}

/** The most that a told refund can be by the sums that contain it, its own or that of another event of it; null if none was told. */
export async function leftBySums(tx: Db, order: Order, { allCents, paidAt, providerNumber }: EventFacts): Promise<bigint | null> {
  const { rows } = await sql<{ cents: string | null; at: string | null }>`
    select facts ->> 'allCents' as cents, facts ->> 'paidAt' as at from payment_event
    where provider = ${order.provider} and kind = 'refund' and facts ->> 'providerNumber' = ${providerNumber ?? null} and facts ? 'allCents'
    order by (facts ->> 'allCents')::bigint limit 1`.execute(tx)
  const [told] = allCents === undefined ? rows : [{ cents: allCents, at: paidAt ?? null }]
  if (!told?.cents) return null
  const left = await leftOfSums(tx, order, { allCents: told.cents, paidAt: told.at ?? undefined })
  const least = left.reduce((one, other) => (other < one ? other : one))
  return least > 0n ? least : 0n
}

async function isUnderWay(tx: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql`select from payment_refund where order_id = ${orderId} and state = 'asked' limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * What is left of this sum without the booked refunds that it contains, and of each that is not smaller. A refund whose own sum was told
 * is in every sum that is not smaller; another one is in those that were told after it.
 */
async function leftOfSums(tx: Db, { id, provider, provider_number }: Order, { allCents, paidAt }: Told): Promise<bigint[]> {
  const { rows } = await sql<{ cents: string }>`
    with booked as (
      select cents, returned_at, coalesce(
        (select (facts ->> 'allCents')::bigint from payment_event as event where event.id = back.reported_by),
        (select min((facts ->> 'allCents')::bigint) from payment_event as event where event.provider = ${provider} and kind = 'refund'
          and facts ->> 'providerNumber' = back.provider_number)) as all_cents
      from payment_refund as back where order_id = ${id} and state = 'done')
    select told.cents - (select coalesce(sum(cents), 0) from booked
      where coalesce(all_cents <= told.cents, returned_at is null or returned_at <= told.at)) as cents
    from (
      select ${allCents}::bigint as cents, ${paidAt ?? null}::timestamptz as at, 0 as place
      union select (facts ->> 'allCents')::bigint, (facts ->> 'paidAt')::timestamptz, 1 from payment_event
      where provider = ${provider} and kind = 'refund' and facts ->> 'paymentNumber' = ${provider_number}
        and (facts ->> 'allCents')::bigint >= ${allCents}::bigint
    ) as told order by place`.execute(tx)
  return rows.map(({ cents }) => BigInt(cents))
}

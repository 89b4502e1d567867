import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { datedNumber } from '#base/server/dated-number.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Member } from '#base/server/http/route.ts'
import { CouponUsed, NotOnSale, PriceChanged, SoldOut, type buyMembership } from '#membership/contract.ts'
import { holderOf, offerOf, type Offer } from '#membership/server/quote.ts'
import { refundOrder } from '#membership/server/refund.ts'
import * as notification from '#notification/server/notification.ts'
import * as role from '#role/server/role.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as user from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'

type PurchaseResult = Output<typeof buyMembership>

/**
 * Buys a card for the buyer or for another member, at the price that the buyer saw: charges it, writes the order, extends the role and
 * takes the stock, all in one transaction.
 */
export async function buy(tx: Db, member: Member, input: ParsedInput<typeof buyMembership>): Promise<PurchaseResult> {
  if (input.note) await sensitiveWord.refuseIn(tx, { note: input.note })
  const holderId = await holderOf(tx, member, input.receiver)
  await lockMembers(tx, [member.id, holderId])
  const offer = await offerOf(tx, member, holderId, input)
  const { due, endedOrders, restValue } = offer
  const rest = endedOrders.length > 0 ? restValue : { cents: 0n, points: 0n }
  const matchesSeen = (amount: bigint, off: bigint, seen: bigint) => (amount > off ? amount - off : 0n) === seen
  if (!matchesSeen(due.cents, rest.cents, input.cash) || !matchesSeen(due.points, rest.points, input.points)) throw PriceChanged()
  if (due.cents > 0n) await secondFactor.requireRecentProof(tx, member)

  const number = datedNumber(offer.now, offer.zone)
  const by = { kind: 'member', id: member.id } as const
  const group = endedOrders.length > 0 ? `upgrade:${number}` : undefined
  for (const one of endedOrders) await refundOrder(tx, { ...one, sums: { cny: one.cents, points: one.points }, by, group })
  const sums = { cny: due.cents, points: due.points }
  const isFree = due.cents === 0n && due.points === 0n
  const cause = { kind: 'membership', source: `order:${number}`, by, group } as const
  const charged = isFree ? null : await wallet.charge(tx, { ...cause, from: member.id, account: 'membership', sums })
  const order = await writeOrder(tx, member, input, offer, { number, transactionId: charged?.id ?? null })
  if (endedOrders.length > 0) await linkUpgrade(tx, endedOrders, order.id)
  await role.extend(tx, offer.holderId, offer.role_id, order.during)
  if (offer.couponCodeId !== null) await countUse(tx, offer.couponCodeId)
  if (order.unitsLeft !== null) invalidate(tx, 'membership')
  if (offer.holderId !== member.id) await notifyReceiver(tx, member, input, offer)
  return { orderId: order.id, number, startsAt: order.starts_at.toISOString(), endsAt: order.ends_at.toISOString() }
}

/**
 * Locks members in the order of their ids, which serializes their purchases, gifts and refunds. Sent together with the next statement.
 */
export async function lockMembers(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`/* with the commit */ select from member where id = ${anyOf(ids)} order by id for no key update`.execute(tx)
}

type WrittenOrder = { id: string; during: string; starts_at: Date; ends_at: Date; unitsLeft: string | null }

/**
 * Writes the order and takes its units out of stock. From here on concurrent buyers of limited stock wait for each other. Refuses if it
 * went off sale, changed its price or sold out meanwhile. The range is calculated in SQL: a JavaScript Date has no microseconds, and
 * ranges must meet exactly.
 */
async function writeOrder(
  tx: Db,
  member: Member,
  { specificationId, quantity, note }: ParsedInput<typeof buyMembership>,
  offer: Offer,
  { number, transactionId }: { number: string; transactionId: string | null },
): Promise<WrittenOrder> {
  const { holderId, price, due, duration, unit, anchorDay, zone } = offer
  const fits = sql`its.id = ${specificationId} and its.is_enabled and its.removed_at is null and card.is_on_sale and card.removed_at is null
    and its.cents * ${quantity}::int = ${String(price.cents)}::bigint and its.points * ${quantity}::int = ${String(price.points)}::bigint`
  const { rows } = await sql<WrittenOrder>`
    with taken as (
      update membership_specification as its set sold = sold + ${quantity}::int from membership_card as card
      where card.id = its.card_id and ${fits} and sold + ${quantity}::int <= stock returning stock - sold as units_left),
    unlimited as (
      select null::bigint as units_left from membership_specification as its join membership_card as card on card.id = its.card_id
      where ${fits} and stock is null for share of its),
    begins as (
      select coalesce((
        select upper(during) from role_holding
        where member_id = ${holderId} and role_id = ${offer.role_id} and during @> clock_timestamp()), clock_timestamp()) as start)
    insert into membership_order (number, buyer_id, member_id, note, card_id, specification_id, role_id, names, quantity, duration, unit, price_cents,
      price_points, cents, points, coupon_code_id, anchor_day, zone, transaction_id, during)
    select ${number}, ${member.id}::bigint, ${holderId}::bigint, ${(holderId !== member.id && note) || null}::text, ${offer.card_id}::bigint,
      ${specificationId}::bigint, ${offer.role_id}::bigint, ${JSON.stringify(offer.names)}::jsonb, ${quantity}::int, ${duration}::int, ${unit},
      ${String(price.cents)}::bigint, ${String(price.points)}::bigint, ${String(due.cents)}::bigint, ${String(due.points)}::bigint,
      ${offer.couponCodeId}::bigint, ${anchorDay}::int, ${zone}, ${transactionId}::bigint,
      tstzrange(start, membership_end(start, ${duration * quantity}::int, ${unit}, ${anchorDay}::int, ${zone}), '[)')
    from begins, (select * from taken union all select * from unlimited) as place
    returning id, during::text, lower(during) as starts_at, upper(during) as ends_at, (select units_left from taken) as "unitsLeft"`.execute(
    tx,
  )
  const [order] = rows
  if (!order) throw await refusalFor(tx, specificationId, quantity)
  return order
}

async function linkUpgrade(tx: Db, ends: Offer['endedOrders'], orderId: string): Promise<void> {
  await tx
    .updateTable('membership_refund')
    .set({ upgrade_id: orderId })
    .where('order_id', '=', anyOf(ends.map((one) => one.orderId)))
    .execute()
}

async function countUse(tx: Db, codeId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('membership_coupon_code')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('id', '=', codeId)
    .where((row) => row.or([row('max_uses', 'is', null), row('uses', '<', row.ref('max_uses'))]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw CouponUsed()
}

async function refusalFor(tx: Db, specificationId: string, quantity: number) {
  const row = await tx
    .selectFrom('membership_specification')
    .innerJoin('membership_card', 'membership_card.id', 'card_id')
    .select(
      sql<boolean>`is_enabled and membership_specification.removed_at is null and is_on_sale and membership_card.removed_at is null`.as(
        'isOnSale',
      ),
    )
    .select(sql<boolean>`coalesce(sold + ${quantity} > stock, false)`.as('isSoldOut'))
    .where('membership_specification.id', '=', specificationId)
    .executeTakeFirst()
  if (!row?.isOnSale) return NotOnSale()
  return row.isSoldOut ? SoldOut() : PriceChanged()
}

async function notifyReceiver(tx: Db, member: Member, { note }: ParsedInput<typeof buyMembership>, offer: Offer): Promise<void> {
  const giver = (await user.authors(tx, [member.id])).get(member.id)
  await notification.notify(tx, offer.holderId, {
    kind: 'membershipGiven',
    name: giver?.name ?? '',
    card: offer.names.card,
    note: note ?? '',
    endsAt: offer.endsAt.toISOString(),
  })
}

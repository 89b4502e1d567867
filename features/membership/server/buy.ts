import { sql } from 'kysely'
import type { Output, Taken } from '#base/contract.ts'
import { randomDigits } from '#base/random-digits.ts'
import { dayAt } from '#base/server/calendar.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import { invalidate } from '#base/server/invalidation.ts'
import type { Member } from '#base/server/route.ts'
import { AboveMinorLimit, CouponUsed, NotOnSale, PriceChanged, SoldOut, type buyMembership } from '#membership/contract.ts'
import { offerOf, type Offer } from '#membership/server/quote.ts'
import { giveBack } from '#membership/server/refund.ts'
import * as notice from '#notice/server/notice.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as role from '#role/server/role.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as user from '#user/server/user.ts'
import { yuanIn } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Bought = Output<typeof buyMembership>

/**
 * Buys a card at the price that the buyer saw, for them or for another member: charges it, writes the order, extends the role and takes the stock,
 * all or nothing.
 */
export async function buy(tx: Db, member: Member, input: Taken<typeof buyMembership>): Promise<Bought> {
  if (input.note) await sensitiveWord.refuseIn(tx, { note: input.note })
  await lockMembers(tx, [member.id, (input.receiver && (await user.idOf(tx, input.receiver))) || member.id])
  const offer = await offerOf(tx, member, input)
  const { due, ends, left } = offer
  const rest = ends.length > 0 ? left : { cents: 0n, points: 0n }
  const isAsSeen = (amount: bigint, off: bigint, seen: bigint) => (amount > off ? amount - off : 0n) === seen
  if (!isAsSeen(due.cents, rest.cents, input.cash) || !isAsSeen(due.points, rest.points, input.points)) throw PriceChanged()
  if (due.cents > 0n) await secondFactor.mustHaveProved(tx, member)
  await refuseMinor(tx, member.id, due.cents)

  const { rows } = await sql<{ id: string }>`select nextval(pg_get_serial_sequence('membership_order', 'id'))::text as id`.execute(tx)
  const orderId = rows[0]?.id ?? ''
  const by = { kind: 'member', id: member.id } as const
  const group = ends.length > 0 ? `upgrade:${orderId}` : undefined
  for (const one of ends) await giveBack(tx, { ...one, sums: { cny: one.cents, points: one.points }, upgradeId: orderId, by, group })
  const isFree = due.cents === 0n && due.points === 0n
  const charged = isFree
    ? null
    : await wallet.charge(tx, {
        from: member.id,
        account: 'membership',
        sums: { cny: due.cents, points: due.points },
        kind: 'membership',
        source: `order:${orderId}`,
        by,
        group,
      })
  const order = await write(tx, member, input, offer, { orderId, transactionId: charged?.id ?? null })
  await role.extend(tx, offer.holderId, offer.role_id, order.during)
  await takeStock(tx, input, offer)
  if (offer.holderId !== member.id) await tellReceiver(tx, member, input, offer)
  return { orderId, number: order.number, startsAt: order.starts_at.toISOString(), endsAt: order.ends_at.toISOString() }
}

/** Locks members in the order of their ids: their purchases, gifts and refunds come one after another. */
export async function lockMembers(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', anyOf(ids)).orderBy('id').forNoKeyUpdate().execute()
}

type Written = { number: string; during: string; starts_at: Date; ends_at: Date }

async function write(
  tx: Db,
  member: Member,
  { specificationId, quantity, note }: Taken<typeof buyMembership>,
  offer: Offer,
  { orderId, transactionId }: { orderId: string; transactionId: string | null },
): Promise<Written> {
  const number = `${dayAt(offer.now, offer.zone).replaceAll('-', '')}${randomDigits(12)}`
  const isGift = offer.holderId !== member.id
  // The range is worked out again where it is written: a Date of the program has no microseconds, and ranges must meet exactly.
  const { rows } = await sql<Written>`
    with begins as (
      select coalesce((
        select upper(during) from role_holding
        where member_id = ${offer.holderId} and role_id = ${offer.role_id} and during @> clock_timestamp()), clock_timestamp()) as start)
    insert into membership_order (id, number, buyer_id, member_id, note, card_id, specification_id, role_id, names, quantity, duration, unit,
      price_cents, price_points, cents, points, coupon_code_id, anchor_day, zone, transaction_id, during)
    select ${orderId}, ${number}, ${member.id}, ${offer.holderId}, ${(isGift && note) || null}, ${offer.card_id}, ${specificationId}, ${offer.role_id},
      ${JSON.stringify(offer.names)}::jsonb, ${quantity}, ${offer.duration}, ${offer.unit}, ${String(offer.price.cents)}, ${String(offer.price.points)},
      ${String(offer.due.cents)}, ${String(offer.due.points)}, ${offer.couponCodeId}, ${offer.anchorDay}, ${offer.zone}, ${transactionId},
      tstzrange(start, membership_end(start, ${offer.duration * quantity}::int, ${offer.unit}, ${offer.anchorDay}::int, ${offer.zone}), '[)')
    from begins returning number, during::text, lower(during) as starts_at, upper(during) as ends_at`.execute(tx)
  const [order] = rows
  if (!order) throw new Error('The order was not written')
  return order
}

/** Last, for all who buy the same wait for each other from here on. Refuses where it went off sale, changed its price or sold out meanwhile. */
async function takeStock(tx: Db, { specificationId, quantity }: Taken<typeof buyMembership>, offer: Offer): Promise<void> {
  const { rows } = await sql<{ left: string | null }>`
    update membership_specification as its set sold = sold + ${quantity} from membership_card as card
    where its.id = ${specificationId} and card.id = its.card_id and its.is_enabled and its.removed_at is null and card.is_on_sale
      and card.removed_at is null and its.cents * ${quantity} = ${String(offer.price.cents)}::bigint
      and its.points * ${quantity} = ${String(offer.price.points)}::bigint and (stock is null or sold + ${quantity} <= stock)
    returning (stock - sold)::text as left`.execute(tx)
  const [taken] = rows
  if (!taken) throw await reasonOf(tx, specificationId, quantity)
  if (taken.left !== null) invalidate(tx, 'membership')
  if (offer.couponCodeId === null) return
  const { numUpdatedRows } = await tx
    .updateTable('membership_coupon_code')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('id', '=', offer.couponCodeId)
    .where((row) => row.or([row('max_uses', 'is', null), row('uses', '<', row.ref('max_uses'))]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw CouponUsed()
}

async function reasonOf(tx: Db, specificationId: string, quantity: number) {
  const row = await tx
    .selectFrom('membership_specification')
    .innerJoin('membership_card', 'membership_card.id', 'card_id')
    .select(sql<boolean>`is_enabled and membership_specification.removed_at is null and is_on_sale and membership_card.removed_at is null`.as('isOnSale'))
    .select(sql<boolean>`coalesce(sold + ${quantity} > stock, false)`.as('isSoldOut'))
    .where('membership_specification.id', '=', specificationId)
    .executeTakeFirst()
  if (!row?.isOnSale) return NotOnSale()
  return row.isSoldOut ? SoldOut() : PriceChanged()
}

async function refuseMinor(tx: Db, memberId: string, cents: bigint): Promise<void> {
  const caps = cents > 0n ? await realName.capsOf(tx, memberId) : null
  if (!caps) return
  const { spent } = await tx
    .selectFrom('membership_order')
    .select(sql<string>`coalesce(sum(cents), 0)`.as('spent'))
    .where('buyer_id', '=', memberId)
    .where('at', '>', sql<Date>`clock_timestamp() - interval '24 hours'`)
    .executeTakeFirstOrThrow()
  if (cents > BigInt(caps.onceCents)) throw AboveMinorLimit({ limit: yuanIn(BigInt(caps.onceCents)), per: 'once' })
  if (cents + BigInt(spent) > BigInt(caps.dayCents)) throw AboveMinorLimit({ limit: yuanIn(BigInt(caps.dayCents)), per: 'day' })
}

async function tellReceiver(tx: Db, member: Member, { note }: Taken<typeof buyMembership>, offer: Offer): Promise<void> {
  const giver = (await user.authors(tx, [member.id])).get(member.id)
  await notice.tell(tx, offer.holderId, {
    kind: 'membershipGiven',
    name: giver?.name ?? '',
    card: offer.names.card,
    note: note ?? '',
    endsAt: offer.endsAt.toISOString(),
  })
}

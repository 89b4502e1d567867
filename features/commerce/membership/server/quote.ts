import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import {
  HeldForGood,
  HeldTooLong,
  NothingToUpgrade,
  NotOnSale,
  ReceiverHoldsForGood,
  ReceiverIsSelf,
  ReceiverTakesNothing,
  ReceiverUnknown,
  SoldOut,
  maxYears,
  UpgradeWorthLess,
  type membershipQuote,
  type Unit,
} from '#membership/contract.ts'
import { normalizeCode } from '#membership/coupon-code.ts'
import { priceView } from '#membership/server/cards.ts'
import { discountOf, refuseCoupon, type Coupon, type Sum } from '#membership/server/coupon.ts'
import { serializeAmount, type Minor } from '#wallet/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'

type QuoteParams = ParsedInput<typeof membershipQuote>

const saleSettings = setting.currentWithin('allowCash')

type Names = { zh: string; en: string }

/** Everything that determines the price and effect of a purchase. */
type PurchaseFacts = {
  card_id: string
  role_id: string
  names: { role: Names; card: Names; specification: Names }
  cents: string
  points: string
  stock: string | null
  sold: string
  duration: number
  unit: Unit
  isOnSale: boolean
  isHeld: boolean
  heldUntil: Date | null
  now: Date
  startsAt: Date
  anchorDay: number
  endsAt: Date
  isTooLong: boolean
  coupon: Coupon | null
  rest: { orderId: string; number: string; roleId: string; transactionId: string | null; cents: string; points: string; seconds: number }[]
  settings: Parameters<typeof saleSettings.read>[0]
  receiver: { isThere: boolean; isBlocked: boolean } | null
}

/** A purchase with its amount due, in whole cents and points. */
export type Offer = Omit<PurchaseFacts, 'settings' | 'cents' | 'points' | 'coupon' | 'stock' | 'sold'> & {
  holderId: string
  zone: string
  price: Sum
  discount: Sum
  due: Sum
  couponCodeId: string | null
  /** The orders that an upgrade ends, with their refunds. */
  endedOrders: PurchaseFacts['rest']
  restValue: Sum
}

/** Calculates an offer, or refuses. In a transaction that holds both members' locks only stock, prices and coupons can still change. */
export async function offerOf(db: Db, member: Member, holderId: string, params: QuoteParams): Promise<Offer> {
  const { timeZone: zone } = await setting.all(db)
  const { settings, cents, points, coupon, stock, sold, ...facts } = await factsOf(db, { ...params, memberId: member.id, holderId, zone })
  const { allowCash } = saleSettings.read(settings)
  const isGift = holderId !== member.id
  if (!facts.isOnSale || (cents !== '0' && !allowCash)) throw NotOnSale()
  if (facts.receiver && (!facts.receiver.isThere || facts.receiver.isBlocked)) throw ReceiverTakesNothing()
  if (facts.isHeld && facts.heldUntil === null) throw isGift ? ReceiverHoldsForGood() : HeldForGood()
  if (facts.isTooLong) throw HeldTooLong({ years: maxYears })
  if (stock !== null && BigInt(sold) + BigInt(params.quantity) > BigInt(stock)) throw SoldOut()

  const times = BigInt(params.quantity)
  const price = sum(BigInt(cents) * times, BigInt(points) * times)
  if (params.coupon) refuseCoupon(coupon, price)
  const discount = params.coupon && coupon ? discountOf(coupon, price) : sum(0n, 0n)
  const due = sum(price.cents - discount.cents, price.points - discount.points)
  const left = facts.rest.reduce((so, one) => sum(so.cents + BigInt(one.cents), so.points + BigInt(one.points)), sum(0n, 0n))
  if (params.upgrades && (isGift || facts.rest.length === 0)) throw NothingToUpgrade()
  if (params.upgrades && (left.cents > due.cents || (left.cents === 0n && left.points > due.points))) throw UpgradeWorthLess()
  const ends = params.upgrades ? facts.rest : []
  return {
    ...facts,
    holderId,
    zone,
    price,
    discount,
    due,
    restValue: left,
    endedOrders: ends,
    couponCodeId: (params.coupon && coupon?.codeId) || null,
  }
}

/** The price of a purchase, with the member's funds and shortfall. */
export async function quote(db: Db, member: Member, params: QuoteParams): Promise<Output<typeof membershipQuote>> {
  const offer = await offerOf(db, member, await holderOf(db, member, params.receiver), params)
  const accounts = await wallet.accountsOf(db, member.id)
  const [hasCash, back] = [
    (await wallet.visibleCurrencies(db)).includes('cny'),
    offer.endedOrders.length > 0 ? offer.restValue : sum(0n, 0n),
  ]
  const toPay = sum(nonNegative(offer.due.cents - back.cents), nonNegative(offer.due.points - back.points))
  const have = sum(accounts.cny.balance, accounts.points.balance)
  const missing = sum(nonNegative(toPay.cents - have.cents), nonNegative(toPay.points - have.points))
  const balances = { cash: hasCash ? serializeAmount('cny', have.cents) : null, points: serializeAmount('points', have.points) }
  return {
    price: priceView(offer.price),
    discount: priceView(offer.discount),
    rest: offer.rest.length > 0 ? priceView(offer.restValue) : null,
    toPay: priceView(toPay),
    have: balances,
    missing: priceView(missing),
    startsAt: offer.startsAt.toISOString(),
    endsAt: offer.endsAt.toISOString(),
    heldUntil: offer.heldUntil?.toISOString() ?? null,
  }
}

function sum(cents: bigint, points: bigint): Sum {
  return { cents: cents as Minor, points: points as Minor }
}

function nonNegative(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}

/** The holder of a card: the buyer, or the named receiver. */
export async function holderOf(db: Db, member: Member, receiver: string | undefined): Promise<string> {
  if (receiver === undefined) return member.id
  const id = await user.memberIdByName(db, receiver)
  if (id === null) throw ReceiverUnknown()
  if (id === member.id) throw ReceiverIsSelf()
  return id
}

type FactsParams = QuoteParams & { memberId: string; holderId: string; zone: string }

async function factsOf(db: Db, params: FactsParams): Promise<PurchaseFacts> {
  const { specificationId, quantity, memberId, holderId, zone } = params
  const { rows } = await sql<PurchaseFacts>`
    select card_id, role.id as role_id, its.cents, its.points, stock, sold, duration, unit, ${saleSettings.values} as settings,
      jsonb_build_object('role', jsonb_build_object('zh', role.name_zh, 'en', role.name_en),
        'card', jsonb_build_object('zh', card.name_zh, 'en', card.name_en),
        'specification', jsonb_build_object('zh', its.name_zh, 'en', its.name_en)) as names,
      its.is_enabled and its.removed_at is null and card.is_on_sale and card.removed_at is null as "isOnSale",
      held.isHeld is true as "isHeld", held.until as "heldUntil", clock.now, begins.start as "startsAt", anchor.day as "anchorDay",
      ends.at as "endsAt", ends.at > clock.now + make_interval(years => ${maxYears}) as "isTooLong",
      ${couponQuery(params)} as coupon, ${restQuery(memberId)} as rest, ${receiverQuery(params)} as receiver
    from membership_specification as its join membership_card as card on card.id = card_id join role on role.id = card.role_id,
      lateral (select clock_timestamp() as now) as clock
      left join lateral (
        select true as isHeld, nullif(upper(during), 'infinity') as until from role_holding
        where member_id = ${holderId} and role_id = card.role_id and during @> clock.now) as held on true,
      lateral (select coalesce(held.until, clock.now) as start) as begins,
      lateral (select coalesce((
        select anchor_day from membership_order as before
        where before.member_id = ${holderId} and before.role_id = card.role_id and before.unit in ('month', 'year') and upper(before.during) = begins.start
        order by before.id desc limit 1), extract(day from begins.start at time zone ${zone}::text))::int as day) as anchor,
      lateral (select membership_end(begins.start, duration * ${quantity}::int, unit, anchor.day, ${zone}) as at) as ends
    where its.id = ${specificationId}`.execute(db)
  const [facts] = rows
  if (!facts) throw Missing()
  return facts
}

function couponQuery({ coupon, memberId }: FactsParams): RawBuilder<Coupon | null> {
  if (!coupon) return sql`null::json`
  return sql`(
    select json_build_object('codeId', code.id::text, 'percent', percent, 'cents', coupon.cents, 'points', coupon.points, 'minCents', min_cents,
      'isOpen', coupon.is_enabled and starts_at <= clock.now and (ends_at is null or ends_at > clock.now),
      'isForCard', not exists (select from membership_coupon_card where coupon_id = coupon.id and card_id <> its.card_id)
        or exists (select from membership_coupon_card as fits where fits.coupon_id = coupon.id and fits.card_id = its.card_id),
      'isUsedUp', coalesce(uses >= max_uses, false), 'usesPerMember', uses_per_member,
      'usesOfMember', (
        select count(*) from membership_order join membership_coupon_code as used on used.id = coupon_code_id
        where buyer_id = ${memberId} and used.coupon_id = coupon.id))
    from membership_coupon_code as code join membership_coupon as coupon on coupon.id = coupon_id where code = ${normalizeCode(coupon)})`
}

// An order before a gift of the same role is left out: its end would shift the gift. The latest orders count as far as the role lasts: a
// role that was bought again after staff had shortened it covers only one of the overlapping orders.
function restQuery(memberId: string): RawBuilder<PurchaseFacts['rest']> {
  return sql`(
    select coalesce(json_agg(json_build_object('orderId', mine.id::text, 'number', mine.number, 'roleId', mine.role_id::text, 'transactionId', mine.transaction_id::text,
      'cents', membership_remainder(mine.cents, mine.during, mine.unit, clock.now)::text,
      'points', membership_remainder(mine.points, mine.during, mine.unit, clock.now)::text,
      'seconds', mine.seconds) order by mine.id desc), '[]')
    from (
      select running.*, left_of.seconds, sum(left_of.seconds) over (partition by role_id order by lower(during) desc, id desc) as from_end
      from membership_running as running, lateral (
        select extract(epoch from upper(during) - greatest(lower(during), clock.now)) as seconds) as left_of
      where member_id = ${memberId}) as mine
      join role_holding as held on held.member_id = mine.member_id and held.role_id = mine.role_id and held.during @> clock.now
      join membership_upgrade on from_card_id = mine.card_id and membership_upgrade.card_id = its.card_id
    where mine.buyer_id = ${memberId} and mine.role_id <> card.role_id and clock.now + make_interval(secs => mine.from_end) <= coalesce(upper(held.during), 'infinity') + interval '1 second'
      and not exists (
        select from membership_running as gift where gift.member_id = ${memberId} and gift.role_id = mine.role_id and gift.buyer_id <> ${memberId}
          and lower(gift.during) > lower(mine.during)))`
}

function receiverQuery({ memberId, holderId }: FactsParams): RawBuilder<PurchaseFacts['receiver']> {
  if (memberId === holderId) return sql`null::json`
  return sql`(
    select json_build_object('isThere', deactivated_at is null and not ${user.isApprovalPending('member.id')} and not exists (
        select from member_ban where member_id = member.id and function = 'money' and lifted_at is null and (ends_at is null or ends_at > clock.now)),
      'isBlocked', exists (select from member_block where how = 'blocked'
        and (member_id, other_id) in ((${memberId}::bigint, ${holderId}::bigint), (${holderId}::bigint, ${memberId}::bigint))))
    from member where id = ${holderId})`
}

import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import type { PriceView, Unit } from '#membership/contract.ts'
import type {
  membershipChoices,
  membershipOrder,
  membershipOrders,
  membershipOrderTotals,
  orderStates,
} from '#membership/order-contract.ts'
import { priceView } from '#membership/server/cards.ts'
import { restOf, secondsLeft } from '#membership/server/refund.ts'
import { laterOrderNumber } from '#membership/server/refund-by-hand.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

const id = sql`bought.id`
const keys = { at: { by: sql`bought.at`, as: 'timestamptz' } } as const

export async function list(db: Db, input: ParsedInput<typeof membershipOrders>): Promise<Answer<typeof membershipOrders>> {
  const source = sql<{
    id: string
    at: Date
  }>`(select bought.id, bought.at from membership_order as bought where ${await filterCondition(db, input)})`
  const page = await paged(db, db.selectFrom(source.as('bought')).select('bought.id'), { ...input, keys, id })
  const ids = page.rows.map((row) => row.id)
  const hasCash = await showsCash(db)
  const rows = await rowsWhere(db, sql`bought.id = ${anyOf(ids)} order by bought.id`)
  const views = rows.map((row) => viewOf(row, hasCash))
  return { ...page, rows: views.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)) }
}

export async function totals(db: Db, input: ParsedInput<typeof membershipOrderTotals>): Promise<Output<typeof membershipOrderTotals>> {
  const condition = await filterCondition(db, input)
  const { rows } = await sql<Record<'count' | 'cents' | 'points' | 'refunds' | 'backCents' | 'backPoints', string>>`
    select its.*, back.* from
      (select count(*) as count, coalesce(sum(cents), 0) as cents, coalesce(sum(points), 0) as points from membership_order as bought where ${condition}) as its,
      (select count(*) as refunds, coalesce(sum(refund.cents), 0) as "backCents", coalesce(sum(refund.points), 0) as "backPoints"
        from membership_refund as refund join membership_order as bought on bought.id = order_id where ${condition}) as back`.execute(db)
  const { count = 0, cents = '0', points = '0', refunds = 0, backCents = '0', backPoints = '0' } = rows[0] ?? {}
  const hasCash = await showsCash(db)
  return {
    count: Number(count),
    refunds: Number(refunds),
    paid: visiblePrice({ cents, points }, hasCash),
    refunded: visiblePrice({ cents: backCents, points: backPoints }, hasCash),
  }
}

/** One order, with the effects of a refund by this member of staff. */
export async function show(db: Db, by: Staff, orderId: string): Promise<Answer<typeof membershipOrder>> {
  const [row] = await rowsWhere(db, sql`bought.id = ${orderId}`)
  const { rows } = await sql<Detail>`
    select note, bought.transaction_id::text as "transactionId", back.transaction_id::text as "refundId", upgrade_id::text as "upgradeId",
      ${restOf.cents}::text as cents, ${restOf.points}::text as points, ${secondsLeft} as seconds,
      ${laterOrderNumber} as number, (select id::text from membership_order where number = ${laterOrderNumber}) as "laterId",
      ${by.id}::bigint in (ledger.current_member(buyer_id), ledger.current_member(member_id)) as "isOwn",
      (select deactivated_as in ('cancelled', 'erased') from member where id = ledger.current_member(buyer_id)) is true as "isClosed",
      exists (select from money_request where state = 'waiting' and reverses = bought.transaction_id) as "isWaiting"
    from membership_order as bought left join membership_refund as back on back.order_id = bought.id where bought.id = ${orderId}`.execute(
    db,
  )
  const [details] = rows
  if (!row || !details) throw Missing()
  const hasCash = await showsCash(db)
  const { note, transactionId, refundId, upgradeId, number, laterId, isOwn, isWaiting } = details
  const isBlocked = number !== null && details.seconds > 0
  const isThere = row.refundedAt === null && !isOwn && !isWaiting && !details.isClosed && !isBlocked
  return {
    ...viewOf(row, hasCash),
    note,
    transactionId,
    refundId,
    upgradeId,
    rest: visiblePrice(details, hasCash),
    endsRole: details.seconds > 0,
    later: !isBlocked || laterId === null ? null : { id: laterId, number },
    isOwn,
    isWaiting,
    canRefund: isThere && (BigInt(row.cents) > 0n || BigInt(row.points) > 0n || details.seconds > 0),
  }
}

export async function choices(db: Db): Promise<Output<typeof membershipChoices>> {
  const cards = await db
    .selectFrom('membership_card')
    .select(['id', 'name_zh as zh', 'name_en as en'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const all = await db
    .selectFrom('membership_specification')
    .select(['id', 'card_id', 'name_zh as zh', 'name_en as en'])
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const named = ({ id: itsId, zh, en }: { id: string; zh: string; en: string }) => ({ id: itsId, name: { zh, en } })
  return { cards: cards.map((card) => ({ ...named(card), specifications: all.filter((one) => one.card_id === card.id).map(named) })) }
}

/** Whether the site has balances; without them no page shows money. */
export async function showsCash(db: Db): Promise<boolean> {
  return (await wallet.visibleCurrencies(db)).includes('cny')
}

export function visiblePrice(sums: { cents: string | bigint; points: string | bigint }, hasCash: boolean): PriceView {
  return { ...priceView(sums), ...(!hasCash && { cash: null }) }
}

type Detail = Record<'note' | 'transactionId' | 'refundId' | 'upgradeId' | 'number' | 'laterId', string | null> &
  Record<'isOwn' | 'isClosed' | 'isWaiting', boolean> & { cents: string; points: string; seconds: number }

type Filter = ParsedInput<typeof membershipOrderTotals>
type State = (typeof orderStates)[number]

const isRefunded = sql`exists (select from membership_refund where order_id = bought.id)`
const stateCondition = {
  running: sql`upper(during) > now() and not ${isRefunded}`,
  ended: sql`upper(during) <= now() and not ${isRefunded}`,
  refunded: isRefunded,
} as const satisfies Record<State, RawBuilder<unknown>>

/** The condition of a filter; each term has an index. */
async function filterCondition(
  db: Db,
  { number, card, specification, member, from, until, state, gift, coupon }: Filter,
): Promise<RawBuilder<unknown>> {
  const { timeZone } = await setting.current(db, 'timeZone')
  return sql.join(
    [
      sql`true`,
      ...(number ? [sql`bought.number = ${number}`] : []),
      ...(card ? [sql`bought.card_id = ${card}`] : []),
      ...(specification ? [sql`bought.specification_id = ${specification}`] : []),
      // A union uses both indexes; an `or` of the columns would read neither in order.
      ...(member
        ? [
            sql`bought.id in (select id from membership_order where buyer_id = ${member} union select id from membership_order where member_id = ${member})`,
          ]
        : []),
      ...(from ? [sql`bought.at >= ${startOfDay(from, timeZone)}`] : []),
      ...(until ? [sql`bought.at < ${startOfDay(addDays(until, 1), timeZone)}`] : []),
      ...(state ? [stateCondition[state]] : []),
      ...(gift ? [sql`buyer_id <> member_id`] : []),
      ...(coupon ? [sql`coupon_code_id is not null`] : []),
    ],
    sql` and `,
  )
}

type Names = { zh: string; en: string }
type Row = {
  id: string
  number: string
  at: Date
  cardId: string
  specificationId: string
  names: { role: Names; card: Names; specification: Names }
  buyerId: string
  buyerName: string
  holderId: string
  holderName: string
  quantity: number
  duration: number
  unit: Unit
  priceCents: string
  pricePoints: string
  cents: string
  points: string
  coupon: string | null
  startsAt: Date
  endsAt: Date
  isOver: boolean
  refundedAt: Date | null
  backCents: string | null
  backPoints: string | null
  isUpgrade: boolean
}

async function rowsWhere(db: Db, condition: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select bought.id, number, bought.at, card_id as "cardId", specification_id as "specificationId", names, buyer_id as "buyerId",
      coalesce(buyer.nickname, buyer.account) as "buyerName", member_id as "holderId", coalesce(holder.nickname, holder.account) as "holderName",
      quantity, duration, unit, price_cents as "priceCents", price_points as "pricePoints", bought.cents, bought.points, code as coupon,
      lower(during) as "startsAt", upper(during) as "endsAt", ${secondsLeft} = 0 as "isOver", back.at as "refundedAt",
      back.cents as "backCents", back.points as "backPoints", upgrade_id is not null as "isUpgrade"
    from membership_order as bought join member as buyer on buyer.id = buyer_id join member as holder on holder.id = member_id
      left join membership_refund as back on back.order_id = bought.id left join membership_coupon_code as coupon on coupon.id = coupon_code_id
    where ${condition}`.execute(db)
  return rows
}

function viewOf(
  { names, buyerId, buyerName, holderId, holderName, priceCents, pricePoints, cents, points, ...rest }: Row,
  hasCash: boolean,
): z.input<typeof membershipOrders.row> {
  const { isOver, refundedAt, backCents, backPoints, isUpgrade, ...row } = rest
  const back = { cents: backCents ?? '0', points: backPoints ?? '0' }
  return {
    ...row,
    ...names,
    buyer: { id: buyerId, name: buyerName },
    holder: { id: holderId, name: holderName },
    isGift: buyerId !== holderId,
    price: visiblePrice({ cents: priceCents, points: pricePoints }, hasCash),
    paid: visiblePrice({ cents, points }, hasCash),
    state: refundedAt ? 'refunded' : isOver ? 'ended' : 'running',
    refund: refundedAt && { ...visiblePrice(back, hasCash), at: refundedAt, isUpgrade },
  }
}

import { sql } from 'kysely'
import { z } from 'zod'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { AbovePaidCash, AbovePaidPoints, BuyerClosed, LaterOrder, NothingLeft, OrderRefunded } from '#membership/contract.ts'
import { refundWays, type refundMembershipOrder } from '#membership/order-contract.ts'
import { lockMembers } from '#membership/server/buy.ts'
import { priceView } from '#membership/server/cards.ts'
import { refundOrder, restOf, secondsLeft } from '#membership/server/refund.ts'
import * as notification from '#notification/server/notification.ts'
import { serializeAmount, toMinor, OwnAccount, toYuan, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type RefundInput = { orderId: string; way: (typeof refundWays)[number]; cents: string; points: string }

/** Refunds one order, immediately or on approval. */
export async function refundByHand(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { orderId, way, cash = toMinor(0), points = toMinor(0), reason }: ParsedInput<typeof refundMembershipOrder>,
): Promise<Output<typeof refundMembershipOrder>> {
  const input = { orderId, way, cents: String(cash), points: String(points) }
  const { isWaiting, transactionIds } = await wallet.moveByHand(tx, by, client, orderRefund, { input, reason })
  return { isWaiting, transactionId: transactionIds[0] ?? null }
}

/** The refund of an order. Staff do not refund an order that they bought or hold. */
export const orderRefund: wallet.ManualMove<RefundInput> = {
  kind: 'orderRefund',
  input: z.object({ orderId: z.string(), way: z.enum(refundWays), cents: z.string(), points: z.string() }),
  async check(tx, by, input) {
    const order = await lockOrder(tx, input.orderId)
    if (order.isRefunded) throw OrderRefunded()
    if (by.id === order.buyerId || by.id === order.holderId) throw OwnAccount()
    if (order.isClosed) throw BuyerClosed()
    if (order.laterNumber !== null && order.seconds > 0) throw LaterOrder({ number: order.laterNumber })
    const { transactionId } = order
    const number = { order: { id: input.orderId, number: order.number } }
    return { ...sumsOf(input, order), memberId: order.buyerId, ...(transactionId !== null && { reverses: transactionId }), detail: number }
  },
  async execute(tx, _, input, { by, reason }) {
    const order = await lockOrder(tx, input.orderId)
    const { cents, points } = sumsOf(input, order)
    const sums = { cny: cents, points }
    const repaidId = await refundOrder(tx, {
      orderId: input.orderId,
      number: order.number,
      transactionId: order.transactionId,
      sums,
      by,
      reason,
    })
    await notifyMembers(tx, order, sums, reason)
    const amounts = {
      ...(cents > 0n && { cny: serializeAmount('cny', cents) }),
      ...(points > 0n && { points: serializeAmount('points', points) }),
    }
    const after = { order: order.number, member: order.buyerName, ...amounts }
    return {
      transactionIds: repaidId === null ? [] : [repaidId],
      note: { action: 'membershipOrder.refund', about: `membershipOrder ${input.orderId}`, after },
    }
  },
}

type Names = { zh: string; en: string }
type Order = {
  number: string
  /** The current accounts of buyer and holder, after merges. */
  buyerId: string
  buyerName: string
  holderId: string
  card: Names
  transactionId: string | null
  cents: string
  points: string
  restCents: string
  restPoints: string
  seconds: number
  isRefunded: boolean
  isClosed: boolean
  laterNumber: string | null
}

/** The order, with its buyer and holder locked against purchases, upgrades and refunds. */
async function lockOrder(tx: Db, orderId: string): Promise<Order> {
  const { rows: people } = await sql<{ id: string }>`
    select its.id::text from membership_order as bought,
      lateral (values (buyer_id), (member_id), (ledger.current_member(buyer_id)), (ledger.current_member(member_id))) as its (id)
    where bought.id = ${orderId}`.execute(tx)
  await lockMembers(
    tx,
    people.map(({ id }) => id),
  )
  const { rows } = await sql<Order>`
    select number, buyer.id::text as "buyerId", coalesce(buyer.nickname, buyer.account) as "buyerName", ledger.current_member(bought.member_id)::text as "holderId",
      names -> 'card' as card, bought.transaction_id::text as "transactionId", bought.cents::text, bought.points::text,
      ${restOf.cents}::text as "restCents", ${restOf.points}::text as "restPoints", ${secondsLeft} as seconds,
      back.order_id is not null as "isRefunded", coalesce(buyer.deactivated_as in ('cancelled', 'erased'), false) as "isClosed",
      ${laterOrderNumber}::text as "laterNumber"
    from membership_order as bought join member as buyer on buyer.id = ledger.current_member(buyer_id)
      left join membership_refund as back on back.order_id = bought.id
    where bought.id = ${orderId}`.execute(tx)
  const [order] = rows
  if (!order) throw Missing()
  return order
}

/** The number of the last order that continues the role of `bought` and would be shifted by its end; null if there is none. */
export const laterOrderNumber = sql`(
  select later.number from membership_order as later join role_holding as held
      on held.member_id = later.member_id and held.role_id = later.role_id and held.during && later.during and lower(held.during) <= lower(later.during)
    where later.member_id = bought.member_id and later.role_id = bought.role_id and lower(later.during) > lower(bought.during)
      and upper(later.during) > clock_timestamp() and upper(bought.during) > clock_timestamp()
      and not exists (select from membership_refund where order_id = later.id)
    order by lower(later.during) desc limit 1)`

/** The refunded amounts, in whole cents and points. */
function sumsOf({ way, cents, points }: RefundInput, order: Order): { cents: Minor; points: Minor } {
  const all = { cents: toMinor(order.cents), points: toMinor(order.points) }
  const rest = { cents: toMinor(order.restCents), points: toMinor(order.restPoints) }
  const sums = { all, rest, amount: { cents: toMinor(cents), points: toMinor(points) } }[way]
  if (sums.cents > all.cents) throw AbovePaidCash({ paid: toYuan(all.cents) })
  if (sums.points > all.points) throw AbovePaidPoints({ paid: Number(all.points) })
  const [isPaid, isNothing] = [all.cents > 0n || all.points > 0n, sums.cents === 0n && sums.points === 0n]
  if (isNothing && (isPaid || order.seconds === 0)) throw NothingLeft()
  return sums
}

async function notifyMembers(tx: Db, { buyerId, holderId, card, seconds }: Order, sums: wallet.Sums, reason: string): Promise<void> {
  await notification.notify(tx, buyerId, {
    kind: 'membershipRefunded',
    card,
    paid: priceView({ cents: sums.cny, points: sums.points }),
    reason,
  })
  if (holderId !== buyerId && seconds > 0) await notification.notify(tx, holderId, { kind: 'membershipTaken', card, reason })
}

import { sql, type RawBuilder } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member, Staff } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import * as contract from '#payment/contract.ts'
import { notifyEnded, show } from '#payment/server/member-payments.ts'
import { currentAccount } from '#payment/server/refund.ts'
import { yuan } from '#payment/server/yuan.ts'
import type { Actor } from '#wallet/server/wallet.ts'
import type { declineRefund, refundRequests, RefundRequestView } from '#payment/refund-contract.ts'

/** Asks staff for a refund of the member's payment. One request of a payment waits at a time. */
export async function ask(
  tx: Db,
  member: Member,
  { number, reason }: ParsedInput<typeof contract.askForRefund>,
): Promise<contract.PaymentView> {
  const { state, refundRequest } = await show(tx, member, number)
  if (state !== 'paid') throw contract.NotPaid()
  if (refundRequest?.state === 'waiting') throw contract.AskedAlready()
  const { rows } = await sql<{ id: string }>`
    insert into payment_refund_request (order_id, reason)
    select id, ${reason} from payment_order where number = ${number} and refundable_cents(id) > 0
    on conflict do nothing returning id`.execute(tx)
  if (rows.length === 0) throw contract.NothingToRefund()
  return show(tx, member, number)
}

/** Withdraws the member's request. */
export async function withdraw(tx: Db, member: Member, number: string): Promise<contract.PaymentView> {
  await show(tx, member, number)
  const { rows } = await sql`
    update payment_refund_request as its set state = 'withdrawn', ended_at = clock_timestamp()
    from payment_order as paid where paid.id = order_id and paid.number = ${number} and its.state = 'waiting' returning its.id`.execute(tx)
  if (rows.length === 0) throw contract.NothingAsked()
  return show(tx, member, number)
}

/** Waiting requests, oldest first. */
export async function list(db: Db): Promise<Output<typeof refundRequests>> {
  return { rows: await waiting(db, sql`true`) }
}

/** The waiting request of a payment. */
export async function ofPayment(db: Db, orderId: string): Promise<RefundRequestView | null> {
  const [row = null] = await waiting(db, sql`paid.id = ${orderId}`)
  return row
}

async function waiting(db: Db, condition: RawBuilder<unknown>): Promise<RefundRequestView[]> {
  const { rows } = await sql<Omit<RefundRequestView, 'askedAt' | 'member'> & { askedAt: Date; memberId: string; memberName: string }>`
    select its.id::text, paid.number as "paymentNumber", payer.id::text as "memberId", coalesce(payer.nickname, payer.account) as "memberName",
      paid.provider, paid.cents as amount, greatest(refundable_cents(paid.id), 0)::text as refundable, its.reason, its.asked_at as "askedAt"
    from payment_refund_request as its join payment_order as paid on paid.id = order_id join member as payer on payer.id = ledger.current_member(paid.member_id)
    where its.state = 'waiting' and ${condition} order by its.asked_at, its.id limit 100`.execute(db)
  return rows.map(({ memberId, memberName, amount, refundable, askedAt, ...its }) => ({
    ...its,
    member: { id: memberId, name: memberName },
    amount: yuan(amount),
    refundable: yuan(refundable),
    askedAt: askedAt.toISOString(),
  }))
}

/** Declines a request; its member reads why. */
export async function decline(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { requestId, reason }: ParsedInput<typeof declineRefund>,
): Promise<void> {
  const { rows } = await sql<{ state: string; number: string; memberId: string; cents: string }>`
    select its.state, paid.number, paid.member_id as "memberId", paid.cents from payment_refund_request as its
    join payment_order as paid on paid.id = order_id where its.id = ${requestId} for update of its`.execute(tx)
  const [row] = rows
  if (!row) throw Missing()
  if (row.state !== 'waiting') throw contract.NotWaiting()
  await end(tx, requestId, { state: 'declined', decided_by: by.staff.id, answer: reason })
  const memberId = await currentAccount(tx, row.memberId)
  await notification.notify(tx, memberId, { kind: 'paymentRefundDeclined', currency: 'cny', amount: yuan(row.cents), reason })
  notifyEnded(tx, memberId)
  await audit.note(tx, by.staff, client, { action: 'payment.declineRefund', about: `payment ${row.number}`, reason })
}

/**
 * A refund by staff answers the request of its payment, and so does what leaves nothing to refund: a refund that the provider made, or a
 * dispute. The caller holds the order's lock.
 */
export async function answerByRefund(tx: Db, orderId: string, by: Actor): Promise<void> {
  const isByStaff = by.kind === 'staff'
  if (!isByStaff && (await isRefundable(tx, orderId))) return
  const row = await tx
    .selectFrom('payment_refund_request')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
  if (row) await end(tx, row.id, { state: 'refunded', decided_by: isByStaff ? by.id : null })
}

async function isRefundable(tx: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select refundable_cents(${orderId}) > 0 as is`.execute(tx)
  return rows[0]?.is ?? false
}

type Ending = { state: 'refunded' | 'declined'; decided_by: string | null; answer?: string }

async function end(tx: Db, id: string, ending: Ending): Promise<void> {
  await tx
    .updateTable('payment_refund_request')
    .set({ ...ending, ended_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

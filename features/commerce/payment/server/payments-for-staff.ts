import { sql } from 'kysely'
import type { z } from 'zod'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import { events } from '#payment/server/events-for-staff.ts'
import * as find from '#payment/server/find-payments.ts'
import * as refundRequest from '#payment/server/refund-request.ts'
import { disputesWhere, refundsWhere } from '#payment/server/refunds-for-staff.ts'
import type { paymentList, paymentTotals, staffPayment, StaffPaymentView } from '#payment/staff-contract.ts'
import { yuan } from '#payment/server/yuan.ts'
import * as wallet from '#wallet/server/wallet.ts'

// A payment has few events; the limit protects the page from a provider that repeats endlessly.
const maxEvents = 200

const keys = { at: { by: sql`paid.created_at`, as: 'timestamptz' } } as const
const id = sql`paid.id`

export async function list(db: Db, input: ParsedInput<typeof paymentList>): Promise<Answer<typeof paymentList>> {
  const condition = await find.payments(db, input)
  const source = sql<{ id: string; created_at: Date }>`(select paid.id, paid.created_at from payment_order as paid where ${condition})`
  const page = await paged(db, db.selectFrom(source.as('paid')).select('paid.id'), { ...input, keys, id })
  const ids = page.rows.map((row) => row.id)
  return { ...page, rows: (await rowsWhere(db, find.withIds(id, ids))).map(view) }
}

export async function totals(db: Db, input: ParsedInput<typeof paymentTotals>): Promise<Answer<typeof paymentTotals>> {
  const { rows } = await sql<Record<'count' | 'paid' | 'refunded' | 'disputed', string>>`
    with found as (select paid.id, paid.state, paid.cents from payment_order as paid where ${await find.payments(db, input)})
    select (select count(*) from found) as count,
      (select coalesce(sum(cents), 0) from found where state = 'paid') as paid,
      (select coalesce(sum(back.cents), 0) from payment_refund as back join found on found.id = order_id where back.state <> 'failed') as refunded,
      (select coalesce(sum(its.cents), 0) from payment_dispute as its join found on found.id = order_id where its.state <> 'won') as disputed`.execute(
    db,
  )
  const { count = '0', paid = '0', refunded = '0', disputed = '0' } = rows[0] ?? {}
  return { count: Number(count), paid: yuan(paid), refunded: yuan(refunded), disputed: yuan(disputed) }
}

/** One payment, with the actions available to this member of staff. */
export async function show(db: Db, by: Staff, number: string): Promise<Answer<typeof staffPayment>> {
  const [row] = await rowsWhere(db, sql`paid.number = ${number}`)
  if (!row) throw Missing()
  const { cny } = await wallet.accountsOf(db, row.member.id)
  return {
    ...view(row),
    expiresAt: row.expiresAt,
    closedAt: row.closedAt,
    takenAt: row.takenAt,
    transactionId: row.transactionId,
    refundable: yuan(row.refundable),
    balance: yuan(cny.balance - cny.owed),
    events: await events(db, find.eventsOf(number), maxEvents),
    refunds: await refundsWhere(db, sql`back.order_id = ${row.id} order by back.asked_at desc, back.id desc`),
    disputes: await disputesWhere(db, sql`disputed.order_id = ${row.id} order by disputed.opened_at desc, disputed.id desc`),
    refundRequest: await refundRequest.ofPayment(db, row.id),
    isOwn: row.member.id === by.id,
    isWaiting: row.isWaiting,
  }
}

type PaymentRow = z.input<typeof paymentList.row>
type Row = Pick<StaffPaymentView, 'id' | 'number' | 'member' | 'provider' | 'method' | 'state' | 'providerNumber'> & {
  cents: string
  refunded: string
  refundable: string
  createdAt: Date
  expiresAt: Date
  paidAt: Date | null
  takenAt: Date | null
  closedAt: Date | null
  transactionId: string | null
  isWaiting: boolean
}

async function rowsWhere(db: Db, condition: find.Condition): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select paid.id::text, number, ${find.payer} as member, provider, method, cents,
      (select coalesce(sum(back.cents), 0) from payment_refund as back where order_id = paid.id and back.state <> 'failed') as refunded,
      greatest(refundable_cents(paid.id), 0) as refundable, ${find.stateOf} as state, created_at as "createdAt", expires_at as "expiresAt", paid_at as "paidAt",
      taken_at as "takenAt", closed_at as "closedAt", provider_number as "providerNumber", transaction_id::text as "transactionId",
      exists (select from money_request where state = 'waiting' and reverses = paid.transaction_id) as "isWaiting"
    from payment_order as paid join member as payer on payer.id = ledger.current_member(paid.member_id) where ${condition}`.execute(db)
  return rows
}

function view({ id, number, member, provider, method, cents, refunded, state, createdAt, paidAt, providerNumber }: Row): PaymentRow {
  return { id, number, member, provider, method, amount: yuan(cents), refunded: yuan(refunded), state, createdAt, paidAt, providerNumber }
}

import { sql } from 'kysely'
import type { z } from 'zod'
import type { Answer, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import * as find from '#payment/server/find-payments.ts'
import type { disputeList, refundList, refundTotals } from '#payment/staff-contract.ts'
import { yuan } from '#payment/server/yuan.ts'

export async function list(db: Db, input: ParsedInput<typeof refundList>): Promise<Answer<typeof refundList>> {
  const condition = await find.refunds(db, input)
  const source = sql<{ id: string; asked_at: Date }>`(select back.id, back.asked_at from payment_refund as back where ${condition})`
  const keys = { asked: { by: sql`back.asked_at`, as: 'timestamptz' } } as const
  const page = await paged(db, db.selectFrom(source.as('back')).select('back.id'), { ...input, keys, id: sql`back.id` })
  const ids = page.rows.map((row) => row.id)
  return { ...page, rows: await refundsWhere(db, find.withIds(sql`back.id`, ids)) }
}

export async function totals(db: Db, input: ParsedInput<typeof refundTotals>): Promise<Answer<typeof refundTotals>> {
  const { rows } = await sql<Record<'count' | 'asked' | 'done' | 'failed', string>>`
    select count(*) as count, coalesce(sum(cents) filter (where state = 'asked'), 0) as asked, coalesce(sum(cents) filter (where state = 'done'), 0) as done,
      coalesce(sum(cents) filter (where state = 'failed'), 0) as failed
    from payment_refund as back where ${await find.refunds(db, input)}`.execute(db)
  const { count = '0', asked: open = '0', done = '0', failed = '0' } = rows[0] ?? {}
  return { count: Number(count), asked: yuan(open), done: yuan(done), failed: yuan(failed) }
}

export async function disputeRows(db: Db, input: ParsedInput<typeof disputeList>): Promise<Answer<typeof disputeList>> {
  const source = sql<{
    id: string
    opened_at: Date
  }>`(select disputed.id, disputed.opened_at from payment_dispute as disputed where ${find.disputes(input)})`
  const keys = { opened: { by: sql`disputed.opened_at`, as: 'timestamptz' } } as const
  const page = await paged(db, db.selectFrom(source.as('disputed')).select('disputed.id'), { ...input, keys, id: sql`disputed.id` })
  const ids = page.rows.map((row) => row.id)
  return { ...page, rows: await disputesWhere(db, find.withIds(sql`disputed.id`, ids)) }
}

type RefundRow = z.input<typeof refundList.row>
type DisputeRow = z.input<typeof disputeList.row>
type Refund = Omit<RefundRow, 'amount'> & { cents: string }

/** Refunds, by a condition on `back` and an order in SQL. */
export async function refundsWhere(db: Db, condition: find.Condition): Promise<RefundRow[]> {
  const { rows } = await sql<Refund>`
    select back.id::text, back.number, paid.number as "paymentNumber", ${find.payer} as member, back.provider,
      back.cents, back.reason, back.state, back.asked_at as "askedAt", back.ended_at as "endedAt", back.provider_number as "providerNumber", back.problem,
      back.transaction_id::text as "transactionId", back.reported_by is not null as "isFromProvider"
    from payment_refund as back left join payment_order as paid on paid.id = back.order_id left join member as payer on payer.id = ledger.current_member(paid.member_id)
    where ${condition}`.execute(db)
  return rows.map(({ cents, ...its }) => ({ ...its, amount: yuan(cents) }))
}

type Dispute = Omit<DisputeRow, 'amount'> & { cents: string }

/** Disputes, by a condition on `disputed` and an order in SQL. */
export async function disputesWhere(db: Db, condition: find.Condition): Promise<DisputeRow[]> {
  const { rows } = await sql<Dispute>`
    select disputed.id::text, paid.number as "paymentNumber", ${find.payer} as member,
      disputed.provider, disputed.provider_number as "providerNumber", disputed.cents, disputed.reason, disputed.state, disputed.opened_at as "openedAt",
      disputed.respond_by as "respondBy", disputed.link,
      disputed.ended_at as "endedAt", disputed.transaction_id::text as "transactionId"
    from payment_dispute as disputed join payment_order as paid on paid.id = disputed.order_id join member as payer on payer.id = ledger.current_member(paid.member_id)
    where ${condition}`.execute(db)
  return rows.map(({ cents, ...its }) => ({ ...its, amount: yuan(cents) }))
}

import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { publishPrivateStream } from '#base/server/live/live.ts'
import type { Member } from '#base/server/http/route.ts'
import * as contract from '#payment/contract.ts'
import { enabledProviders } from '#payment/server/providers.ts'
import type { NextStep } from '#payment/server/providers/provider.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'

const perPage = 20

/** A payment of the member, or of an account merged into theirs, whose entries are in their log. */
export async function show(db: Db, member: Member, number: string): Promise<contract.PaymentView> {
  const [row] = await viewsOf(db, sql`number = ${number} and ledger.is_same_member(member_id, ${member.id})`)
  if (!row) throw Missing()
  return row
}

export function openOf(db: Db, member: Member): Promise<contract.PaymentView[]> {
  return viewsOf(db, sql`member_id = ${member.id} and state = 'open' and expires_at > now()`)
}

export async function list(
  db: Db,
  member: Member,
  { before }: ParsedInput<typeof contract.paymentList>,
): Promise<Output<typeof contract.paymentList>> {
  const further = before ? sql`and paid.id < (select id from payment_order where number = ${before})` : sql``
  const found = await viewsOf(db, sql`member_id in (${user.withMergedIds(member.id)}) ${further}`, perPage + 1)
  const rows = found.slice(0, perPage)
  return { rows, next: found.length > perPage ? (rows.at(-1)?.number ?? null) : null }
}

type Part = { cents: string; state: string; at: string; ended: string | null }
type Row = {
  number: string
  provider: contract.ProviderName
  method: contract.PaidMethod
  cents: string
  state: contract.PaymentView['state']
  return_to: string | null
  started: unknown
  created_at: Date
  expires_at: Date
  paid_at: Date | null
  provider_number: string | null
  refunds: Part[]
  disputes: Part[]
  asked: { state: 'waiting' | 'refunded' | 'declined' | 'withdrawn'; at: string; answer: string | null } | null
  refundable: string
}

async function viewsOf(db: Db, condition: RawBuilder<unknown>, most = 100): Promise<contract.PaymentView[]> {
  const part = (column: string) =>
    sql`json_agg(json_build_object('cents', cents::text, 'state', state, 'at', ${sql.ref(column)}, 'ended', ended_at) order by id)`
  const [{ rows }, on] = await Promise.all([
    sql<Row>`
      select number, provider, method, cents, state, return_to, started, created_at, expires_at, paid_at, provider_number,
        coalesce((select ${part('asked_at')} from payment_refund where order_id = paid.id), '[]') as refunds,
        coalesce((select ${part('opened_at')} from payment_dispute where order_id = paid.id), '[]') as disputes,
        (select json_build_object('state', state, 'at', asked_at, 'answer', answer)
          from payment_refund_request where order_id = paid.id order by id desc limit 1) as asked,
        refundable_cents(paid.id) as refundable
      from payment_order as paid where ${condition} order by paid.id desc limit ${most}`.execute(db),
    enabledProviders(db),
  ])
  return rows.map((row) => viewOf(row, row.state === 'open' && !on.includes(row.provider)))
}

function viewOf(row: Row, isOff: boolean): contract.PaymentView {
  const yuan = (cents: string) => serializeAmount('cny', toMinor(cents))
  const time = (at: string) => new Date(at).toISOString()
  const partOf = ({ cents, ended }: Part) => ({ amount: yuan(cents), endedAt: ended && time(ended) })
  return {
    number: row.number,
    provider: row.provider,
    method: row.method,
    amount: yuan(row.cents),
    state: row.state,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    providerNumber: row.provider_number,
    isOff,
    start: row.state === 'open' && !isOff ? nextStep(row.started as NextStep | null) : null,
    returnTo: row.return_to,
    refunds: row.refunds.map((one) => ({ ...partOf(one), state: one.state as contract.RefundPart['state'], askedAt: time(one.at) })),
    refundRequest: row.asked && { state: row.asked.state, askedAt: time(row.asked.at), answer: row.asked.answer },
    canAskRefund: BigInt(row.refundable) > 0n && row.asked?.state !== 'waiting',
    disputes: row.disputes.map((one) => ({ ...partOf(one), state: one.state as contract.DisputePart['state'], openedAt: time(one.at) })),
  }
}

/** The payer's next step, without internal properties. */
function nextStep(start: NextStep | null): contract.PaymentView['start'] {
  return start && { go: start.go, to: start.to }
}

const channel = (memberId: string) => `payment:${memberId}`

/** Notifies the member's stream at the commit that a payment was paid or closed. */
export function notifyEnded(tx: Db, memberId: string): void {
  invalidate(tx, channel(memberId))
}

/** The stream of the member's payments that ended lately. */
export const streams = [
  publishPrivateStream(contract.paymentNews, channel, async (db, { id }) => {
    const { rows } = await sql<{ number: string; state: string }>`
      select number, state from payment_order where member_id in (${user.withMergedIds(id)}) and state <> 'open'
      order by coalesce(paid_at, closed_at) desc limit 20`.execute(db)
    const [latest] = rows
    return { id: latest ? `${latest.number}-${latest.state}` : 'none', data: { ended: rows.map(({ number }) => number) } }
  }),
]

import { z } from 'zod'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import type { StatementLine } from '#payment/server/providers/provider.ts'
import { listAll, type Client } from '#payment/server/providers/stripe-client.ts'
import { settledCents } from '#payment/server/providers/stripe-dispute.ts'
import { orderNumberIn, orderNumberOf } from '#payment/server/providers/stripe-metadata.ts'

const Source = z.object({
  id: z.string(),
  amount: z.int().optional(),
  currency: z.string().optional(),
  payment_intent: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
const BalanceMove = z.object({
  id: z.string(),
  reporting_category: z.string(),
  amount: z.int(),
  fee: z.int(),
  currency: z.string(),
  exchange_rate: z.number().positive().nullable(),
  created: z.int(),
  source: z.union([Source, z.string()]).nullable(),
})
type BalanceMove = z.infer<typeof BalanceMove>

/** Stripe's categories of moves. A failed refund comes in again. */
const kinds: Record<string, StatementLine['kind']> = {
  charge: 'payment',
  charge_failure: 'dispute',
  refund: 'refund',
  partial_capture_reversal: 'refund',
  refund_failure: 'refundFailure',
  dispute: 'dispute',
  dispute_reversal: 'disputeReversal',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
}

/** Moves between accounts of our own, and reserves, move nothing between payers and us. */
const ownMoves = /^(payout|topup|transfer|connect_|risk_reserved_funds|minimum_balance|financing_|advance|anticipation_|climate_|issuing_)/

function kindOf(category: string): StatementLine['kind'] | null {
  return kinds[category] ?? (ownMoves.test(category) ? null : 'other')
}

/** All moves of a day; null while the day is not over. */
export async function statementOf(api: Client, day: string): Promise<StatementLine[] | null> {
  const [from, until] = [startOfDay(day, 'UTC'), startOfDay(addDays(day, 1), 'UTC')]
  if (Date.now() < until.getTime()) return null
  const created = { gte: from.getTime() / 1000, lt: until.getTime() / 1000 }
  const moved = await api.request(
    (sdk) => listAll(sdk.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })),
    z.array(BalanceMove),
    10 * 60_000,
  )
  const lines: StatementLine[] = []
  for (const one of moved.toReversed().filter((one) => !isCancelledOut(one, moved))) {
    const line = await lineOf(api, one)
    if (line) lines.push(line)
  }
  return lines
}

/** A refund that failed on the same day moved nothing. */
function isCancelledOut(one: BalanceMove, among: readonly BalanceMove[]): boolean {
  const other = { refund: 'refund_failure', refund_failure: 'refund' }[one.reporting_category]
  const source = sourceOf(one)?.id
  return source !== undefined && among.some((its) => its.reporting_category === other && sourceOf(its)?.id === source)
}

function sourceOf({ source }: BalanceMove): z.infer<typeof Source> | null {
  return typeof source === 'string' ? null : source
}

/**
 * A line in yuan. An account in another currency has each amount in that currency, with the exchange rate; amounts that never were in
 * yuan are left out.
 */
async function lineOf(api: Client, moved: BalanceMove): Promise<StatementLine | null> {
  const { id, amount, created, reporting_category: category } = moved
  const kind = kindOf(category)
  const source = sourceOf(moved)
  const isDisputed = kind === 'dispute' || kind === 'disputeReversal'
  const rate = moved.currency === 'cny' ? 1 : moved.exchange_rate
  if (isDisputed && (source?.currency ?? 'cny') !== 'cny') return disputeLine(api, moved)
  if (!kind || rate === null || (source?.currency ?? 'cny') !== 'cny') return null
  const yuan = (its: number) => BigInt(Math.round(its / rate))
  const at = new Date(created * 1000)
  if (kind === 'fee') return { kind, number: null, providerNumber: id, cents: 0n, feeCents: yuan(moved.fee - amount), at }
  const isPayment = category === 'charge' || category === 'charge_failure'
  return {
    kind,
    number: source ? (orderNumberIn(source) ?? (isDisputed ? await orderNumberOf(api, source.payment_intent ?? null) : null)) : null,
    providerNumber: (isPayment && source?.payment_intent) || source?.id || id,
    ...(!isPayment && source?.payment_intent && { paymentNumber: source.payment_intent }),
    cents: source?.currency === 'cny' && source.amount !== undefined ? BigInt(source.amount) : yuan(Math.abs(amount)),
    feeCents: yuan(moved.fee),
    at,
  }
}

/** A dispute in the card's currency, by the part of the payment that it took. One of another shop is left out. */
async function disputeLine(api: Client, moved: BalanceMove): Promise<StatementLine | null> {
  const intent = sourceOf(moved)?.payment_intent ?? null
  const number = await orderNumberOf(api, intent)
  if (intent === null || number === null) return null
  const { id, currency, fee, created } = moved
  const sum = Math.abs(moved.amount)
  const of = (amount: number) => settledCents(api, { payment_intent: intent, balance_transactions: [{ amount: -amount, currency }] })
  const [cents, feeCents] = [await of(sum), fee === 0 ? 0n : await of(Math.abs(fee))]
  return {
    kind: cents === null ? 'other' : moved.amount < 0 ? 'dispute' : 'disputeReversal',
    number,
    providerNumber: sourceOf(moved)?.id ?? id,
    paymentNumber: intent,
    cents: cents ?? 0n,
    feeCents: fee < 0 ? -(feeCents ?? 0n) : (feeCents ?? 0n),
    at: new Date(created * 1000),
  }
}

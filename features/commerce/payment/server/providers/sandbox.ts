import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#base/server/database/database.ts'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import {
  NotVerified,
  readSigned,
  type Payment,
  type Provider,
  type RefundStatus,
  type RefundRequest,
  type ProviderEvent,
  type StatementLine,
} from '#payment/server/providers/provider.ts'

const header = 'x-sandbox-signature'
const maxAgeMs = 5 * 60_000
const identity = { seller: 'teahouse', app: 'sandbox' }

const Notification = z.object({
  id: z.string(),
  at: z.number(),
  payment: z.object({
    number: z.string(),
    providerNumber: z.string(),
    cents: z.string().regex(/^\d{1,15}$/),
    currency: z.string(),
    seller: z.string(),
    app: z.string(),
    paidAt: z.iso.datetime(),
  }),
})

/**
 * A provider that moves no money: a page of ours on which the payer chooses the outcome. It signs and is queried like real providers, so
 * that everything but the money is tested.
 */
export function sandbox(db: Db, secret: Buffer): Provider {
  return {
    name: 'sandbox',
    zone: 'Asia/Shanghai',

    async start({ number, cents, method }) {
      await db
        .insertInto('payment_sandbox')
        .values({ number, cents: String(cents) })
        .onConflict((there) => there.doNothing())
        .execute()
      const page = `/payment/sandbox?number=${number}`
      return method === 'qr' ? { go: 'qr', to: absoluteUrl(page) } : { go: 'page', to: page }
    },

    verify: (call) => verifyNotification(secret, call),
    acknowledge: (isTaken) => ({ status: isTaken ? 200 : 400, type: 'text/plain; charset=utf-8', body: isTaken ? 'success' : 'fail' }),

    async query(number) {
      const row = await db.selectFrom('payment_sandbox').selectAll().where('number', '=', number).executeTakeFirst()
      if (!row) return { state: 'unknown' }
      if (row.outcome === 'paid') return { state: 'paid', payment: paymentOf(row) }
      return { state: row.outcome === 'waiting' ? 'open' : 'closed' }
    },

    async close(number) {
      const closed = await db
        .updateTable('payment_sandbox')
        .set({ outcome: 'closed' })
        .where('number', '=', number)
        .where('outcome', '<>', 'paid')
        .returning('number')
        .executeTakeFirst()
      return closed !== undefined
    },

    refund: (refund) => createRefund(db, refund),
    queryRefund: ({ number }) => findRefund(db, number),

    statement: (day) => statementOf(db, day),
    identity: () => Promise.resolve(identity),
    testKeys: () => Promise.resolve([]),
  }
}

/** Refunds a payment of the sandbox, and refuses anything else. */
async function createRefund(db: Db, { number, cents, paid }: RefundRequest): Promise<RefundStatus> {
  await sql`
    insert into payment_sandbox_refund (number, cents, paid_number)
    select ${number}, ${cents}, its.number from payment_sandbox as its where its.number = ${paid.number} and outcome = 'paid'
    on conflict do nothing`.execute(db)
  const refund = await findRefund(db, number)
  return refund.state === 'unknown' ? { state: 'failed', problem: 'Nothing was paid by this number.' } : refund
}

async function findRefund(db: Db, number: string): Promise<RefundStatus> {
  const row = await db.selectFrom('payment_sandbox_refund').selectAll().where('number', '=', number).executeTakeFirst()
  return row ? { state: 'done', providerNumber: `R${number}`, cents: BigInt(row.cents), returnedAt: row.at } : { state: 'unknown' }
}

/** Charges a fee of 0.6 percent, and returns it with a refund, as real providers do. */
async function statementOf(db: Db, day: string): Promise<StatementLine[]> {
  const zone = 'Asia/Shanghai'
  const period = { from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) }
  const payments = await db
    .selectFrom('payment_sandbox')
    .selectAll()
    .where('outcome', '=', 'paid')
    .where('paid_at', '>=', period.from)
    .where('paid_at', '<', period.until)
    .execute()
  const refunds = await db
    .selectFrom('payment_sandbox_refund')
    .selectAll()
    .where('at', '>=', period.from)
    .where('at', '<', period.until)
    .execute()
  return [
    ...payments.map(paymentOf).map(({ number, providerNumber, cents, paidAt }) => {
      return { kind: 'payment', number, providerNumber, cents, feeCents: feeOf(cents), at: paidAt } as const
    }),
    ...refunds.map(({ number, cents, at }) => {
      return {
        kind: 'refund',
        number,
        providerNumber: `R${number}`,
        cents: BigInt(cents),
        feeCents: 0n - feeOf(BigInt(cents)),
        at,
      } as const
    }),
  ]
}

function feeOf(cents: bigint): bigint {
  return (cents * 6n + 500n) / 1000n
}

type Row = { number: string; cents: string; paid_at: Date | null }

export function paymentOf({ number, cents, paid_at }: Row): Payment {
  return { number, providerNumber: `S${number}`, cents: BigInt(cents), currency: 'CNY', ...identity, paidAt: paid_at ?? new Date(0) }
}

export function signNotification(secret: Buffer, payment: Payment, at = Date.now()): Pick<RawRequest, 'headers' | 'body'> {
  const content = { ...payment, cents: String(payment.cents), paidAt: payment.paidAt.toISOString() }
  const body = Buffer.from(JSON.stringify({ id: `paid:${payment.number}`, at, payment: content }))
  return { headers: { [header]: signatureOf(secret, body) }, body }
}

async function verifyNotification(secret: Buffer, { headers, body, at }: RawRequest): Promise<ProviderEvent[]> {
  const actual = Buffer.from(String(headers[header] ?? ''))
  const expected = Buffer.from(signatureOf(secret, body))
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw new NotVerified('The signature is not the sandbox’s')
  const { id, at: signedAt, payment } = await readSigned(() => Notification.parse(JSON.parse(body.toString())))
  if (Math.abs(at.getTime() - signedAt) > maxAgeMs) throw new NotVerified('It was signed too long ago')
  const { cents, paidAt } = payment
  return [{ eventId: id, kind: 'paid', payment: { ...payment, cents: BigInt(cents), paidAt: new Date(paidAt) } }]
}

function signatureOf(secret: Buffer, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

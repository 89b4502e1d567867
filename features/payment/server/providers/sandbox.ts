import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Db } from '#base/server/database.ts'
import type { RawCall } from '#base/server/hook.ts'
import { wholeAddress } from '#base/server/site-address.ts'
import { NotVerified, type Payment, type Provider, type Said } from '#payment/server/providers/provider.ts'

const header = 'x-sandbox-signature'
const patienceMs = 5 * 60_000
const us = { seller: 'teahouse', app: 'sandbox' }

const Notification = z.object({
  id: z.string(),
  at: z.number(),
  payment: z.object({
    number: z.string(),
    providerNumber: z.string(),
    cents: z.string(),
    currency: z.string(),
    seller: z.string(),
    app: z.string(),
    paidAt: z.iso.datetime(),
  }),
})

/**
 * A provider that moves no money: a page of ours on which one says what becomes of a payment. It signs as real ones do, and is asked as they are, so
 * that everything but the money is tried out.
 */
export function sandbox(db: Db, secret: Buffer): Provider {
  return {
    name: 'sandbox',

    async start({ number, cents, method }) {
      await db
        .insertInto('payment_sandbox')
        .values({ number, cents: String(cents) })
        .onConflict((there) => there.doNothing())
        .execute()
      const page = `/payment/sandbox?number=${number}`
      return method === 'qr' ? { go: 'qr', to: wholeAddress(page) } : { go: 'page', to: page }
    },

    verify: (call) => Promise.resolve(verified(secret, call)),
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

    us: () => Promise.resolve(us),
  }
}

type Row = { number: string; cents: string; paid_at: Date | null }

export function paymentOf({ number, cents, paid_at }: Row): Payment {
  return { number, providerNumber: `S${number}`, cents: BigInt(cents), currency: 'CNY', ...us, paidAt: paid_at ?? new Date(0) }
}

/** The notification of a payment, signed as the sandbox signs. */
export function signed(secret: Buffer, payment: Payment, at = Date.now()): Pick<RawCall, 'headers' | 'body'> {
  const told = { ...payment, cents: String(payment.cents), paidAt: payment.paidAt.toISOString() }
  const body = Buffer.from(JSON.stringify({ id: `paid:${payment.number}`, at, payment: told }))
  return { headers: { [header]: signatureOf(secret, body) }, body }
}

function verified(secret: Buffer, { headers, body, at }: RawCall): Said {
  const shown = Buffer.from(String(headers[header] ?? ''))
  const right = Buffer.from(signatureOf(secret, body))
  if (shown.length !== right.length || !timingSafeEqual(shown, right)) throw new NotVerified('The signature is not the sandbox’s')
  const { id, at: signedAt, payment } = Notification.parse(JSON.parse(body.toString()))
  if (Math.abs(at.getTime() - signedAt) > patienceMs) throw new NotVerified('It was signed too long ago')
  return { eventId: id, kind: 'paid', payment: { ...payment, cents: BigInt(payment.cents), paidAt: new Date(payment.paidAt) } }
}

function signatureOf(secret: Buffer, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import { dayAt, addDays } from '#base/server/calendar.ts'
import type { ParsedInput } from '#base/contract.ts'
import type { topUp } from '#payment/contract.ts'
import { disputeTold, paidIn, takes, workOff } from '#payment/testing/factories.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import * as order from '#payment/server/order.ts'
import type { Payment } from '#payment/server/providers/provider.ts'
import { toMinor } from '#wallet/contract.ts'

/** A member's payment begun with the sandbox; returns its number. */
export async function beginPayment(database: Database, memberId: string, cents: number): Promise<string> {
  const viewer = { id: memberId } as Member
  const context: PrepareContext<ParsedInput<typeof topUp>, Member> = {
    db: database.app,
    viewer,
    input: { amount: toMinor(cents), provider: 'sandbox', method: 'page' },
    client: {
      origin: '',
      ip: '127.0.0.1',
      isLocal: true,
      language: 'en',
      userAgent: '',
      authorization: undefined,
      csrf: '',
    } satisfies ClientInfo,
    inSeparateTransaction: (write) => transact(database, write),
    upload: null,
    idempotencyKey: null,
  }
  const begun = await order.begin(context)
  await transact(database, (tx) => order.topUp(tx, viewer, begun))
  return begun.number
}

/** The sandbox collects a payment and sends its notification, optionally with other data. */
export async function notifyPaid(database: Database, number: string, other: Partial<Payment> = {}): Promise<void> {
  await takes(database, number)
  const payment = await paidIn(database, number, other)
  const event = { eventId: `paid:${number}:${payment.providerNumber}`, kind: 'paid', payment } as const
  const body = Buffer.from(JSON.stringify({ ...payment, cents: String(payment.cents) }))
  await transact(database, (tx) => storeEvent(tx, 'sandbox', event, { headers: {}, body }))
  await workOff(database)
}

/** An open payment, a completed one, a disputed one, one with a wrong amount, and a differing statement. */
export async function somePayments(database: Database, memberId: string): Promise<{ number: string; eventId: string }> {
  await beginPayment(database, memberId, 5_000)
  const number = await beginPayment(database, memberId, 100_000)
  await notifyPaid(database, number)
  const disputed = await beginPayment(database, memberId, 20_000)
  await notifyPaid(database, disputed)
  await disputeTold(database, disputed, { cents: 20_000n, state: 'open' })
  const other = await beginPayment(database, memberId, 10_000)
  await notifyPaid(database, other, { cents: 9_900n })
  const event = await database.app.selectFrom('payment_event').select('id').where('state', '=', 'suspended').executeTakeFirstOrThrow()
  const sums = { paid_count: 3, paid_cents: '129900', refunded_count: 0, refunded_cents: '0', fee_cents: '0' }
  const { id } = await database.app
    .insertInto('payment_statement')
    .values({ provider: 'sandbox', day: sql`${addDays(dayAt(Date.now(), 'Asia/Shanghai'), -1)}::date`, ...sums })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.app
    .insertInto('payment_difference')
    .values({ statement_id: id, kind: 'otherAmount', number: other, cents_here: '10000', cents_there: '9900' })
    .execute()
  return { number, eventId: event.id }
}

import { transact, type Database } from '#base/server/database/database.ts'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { secretOf } from '#base/server/security/secret.ts'
import type { Forum, Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { topUp } from '#payment/contract.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import type { Dispute, Payment, ReportedRefund } from '#payment/server/providers/provider.ts'
import { paymentOf, signNotification } from '#payment/server/providers/sandbox.ts'
import { queryDue } from '#payment/server/query.ts'
import { refundDue } from '#payment/server/refund.ts'
import { processInbox } from '#payment/server/settle.ts'
import { sql } from 'kysely'

/** A forum whose members top up with the sandbox. */
export async function withSandbox({ database }: Forum, more: Parameters<typeof applySettings>[1] = {}): Promise<void> {
  await transact(database, (tx) => applySettings(tx, { allowCash: true, paymentProviders: ['sandbox'], ...more }))
  database.invalidations.announce(new Set(['setting', 'everything']))
}

let keys = 0

/** The same person at the machine of the server, where alone the sandbox is. */
export function atMachine<Who extends Person>(who: Who): Who {
  return Object.assign(Object.create(Object.getPrototypeOf(who) as object) as Who, who, { ip: '127.0.0.1' })
}

export function tops(who: Person, amount: unknown, more: Record<string, unknown> = {}) {
  const input = { amount, provider: 'sandbox', method: 'page', ...more }
  return atMachine(who).tryCall(topUp, input as never, { 'idempotency-key': `a-key-for-payment-${++keys}` })
}

/** The payment of an order in the sandbox, with overridden properties. */
export async function paidIn({ app }: Database, number: string, other: Partial<Payment> = {}): Promise<Payment> {
  const row = await app.selectFrom('payment_sandbox').selectAll().where('number', '=', number).executeTakeFirstOrThrow()
  return { ...paymentOf({ ...row, paid_at: new Date() }), ...other }
}

/** The sandbox's signed notification of a payment. */
export async function notification({ app }: Database, payment: Payment, at?: number): Promise<Pick<RawRequest, 'headers' | 'body'>> {
  return signNotification(await secretOf(app, 'payment sandbox'), payment, at)
}

/** Processes everything pending, as the jobs do. */
export async function workOff(database: Database): Promise<void> {
  await processInbox(database)
  await refundDue(database)
}

/** A credited payment of a member; returns its number. */
export async function paidTopUp({ database, app }: Forum, who: Person, amount: string): Promise<string> {
  const { body } = await tops(who, amount)
  await takes(database, body.number)
  await tell(app, await notification(database, await paidIn(database, body.number)))
  await processInbox(database)
  return body.number
}

/** Marks an order as paid in the sandbox, without a notification. */
export async function takes({ app }: Database, number: string): Promise<void> {
  await sql`update payment_sandbox set outcome = 'paid', paid_at = now() where number = ${number}`.execute(app)
}

/** Sends a notification of the sandbox and returns the response's status. */
export async function tell(app: Forum['app'], { headers, body }: Pick<RawRequest, 'headers' | 'body'>): Promise<number> {
  const typed = { 'content-type': 'application/json', ...headers } as never
  return (await app.inject({ method: 'POST', url: '/hook/payment/sandbox', headers: typed, payload: body })).statusCode
}

/** Runs the next query of an order; with `isOver`, after its expiry. */
export async function letAsk(database: Database, number: string, isOver = false): Promise<void> {
  await sql`update payment_order set query_at = now() ${isOver ? sql`, expires_at = now() - interval '1 second'` : sql``} where number = ${number}`.execute(
    database.app,
  )
  await queryDue(database)
  await processInbox(database)
}

let refunds = 0

/** Receives and processes an event of a refund that was made at the provider, each with a new event number. */
export async function refundTold(database: Database, number: string | null, fields: Partial<ReportedRefund>): Promise<void> {
  await storeRefund(database, number, fields)
  await workOff(database)
}

/** Receives such an event without processing it. */
export async function storeRefund(database: Database, number: string | null, fields: Partial<ReportedRefund>): Promise<void> {
  const paymentNumber = number === null ? null : `S${number}`
  const base = { refundNumber: null, providerNumber: `T${number}`, number, paymentNumber, cents: null, currency: 'CNY' }
  const refund = { ...base, state: 'done' as const, at: new Date(), ...fields }
  const event = { eventId: `refund:${number}:${++refunds}`, kind: 'refund', refund } as const
  await transact(database, (tx) => storeEvent(tx, 'sandbox', event, { headers: {}, body: Buffer.from('{}') }))
}

let disputes = 0

/** Receives and processes a dispute event of a payment, each with a new event number. */
export async function disputeTold(
  database: Database,
  number: string,
  fields: Partial<Dispute> & Pick<Dispute, 'cents' | 'state'>,
): Promise<void> {
  await storeDispute(database, number, fields)
  await workOff(database)
}

/** Receives such an event without processing it. */
export async function storeDispute(
  database: Database,
  number: string,
  fields: Partial<Dispute> & Pick<Dispute, 'cents' | 'state'>,
): Promise<void> {
  const dispute = { providerNumber: `D${number}`, number, currency: 'CNY', reason: 'fraudulent', ...fields }
  const event = { eventId: `dispute:${number}:${++disputes}`, kind: 'dispute', dispute } as const
  await transact(database, (tx) => storeEvent(tx, 'sandbox', event, { headers: {}, body: Buffer.from('{}') }))
}

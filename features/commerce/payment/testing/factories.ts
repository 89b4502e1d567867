import pg from 'pg'
import { pino } from 'pino'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { secretOf } from '#base/server/security/secret.ts'
import type { Forum, Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { topUp } from '#payment/contract.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import type { Dispute, Payment, ReportedRefund } from '#payment/server/providers/provider.ts'
import * as reconcile from '#payment/reconcile-contract.ts'
import { paymentOf, signNotification } from '#payment/server/providers/sandbox.ts'
import { queryDue } from '#payment/server/query.ts'
import { refundDue } from '#payment/server/refund.ts'
import { processInbox } from '#payment/server/settle.ts'
import { fetchStatements } from '#payment/server/statement.ts'
import type { Staffer } from '#staff/testing/factories.ts'
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

/** Days of the sandbox, each before the previous one, because statements are immutable. */
export class Days {
  /** The day whose statement is fetched next. */
  day = dayAt(Date.now(), 'Asia/Shanghai')
  readonly forum: Forum
  readonly chief: Staffer
  private readonly owner: pg.Client

  constructor(forum: Forum, chief: Staffer) {
    this.forum = forum
    this.chief = chief
    // Bypasses triggers.
    this.owner = new pg.Client({ connectionString: forum.ownerUrl, options: '-c session_replication_role=replica' })
    // The connection is dropped with its database when the forum closes.
    this.owner.on('error', () => undefined)
  }

  async begin(): Promise<this> {
    await this.owner.connect()
    return this
  }

  get noon(): Date {
    return new Date(startOfDay(this.day, 'Asia/Shanghai').getTime() + 12 * 3_600_000)
  }

  async goBack(): Promise<void> {
    this.day = addDays(this.day, -1)
  }

  /** Changes immutable rows, to simulate elapsed time. */
  past(text: string): Promise<unknown> {
    return this.owner.query(text)
  }

  take(): Promise<void> {
    return fetchStatements(this.forum.database, pino({ level: 'silent' }))
  }

  /** A payment in the sandbox at noon of the day, credited unless its notification is withheld. */
  async paid(who: Person, amount: string, { isTold = true } = {}): Promise<string> {
    const at = this.noon
    const { number } = (await tops(who, amount)).body
    await this.past(
      `update payment_order set created_at = '${at.toISOString()}'::timestamptz - interval '1 minute' where number = '${number}'`,
    )
    await sql`update payment_sandbox set outcome = 'paid', paid_at = ${at} where number = ${number}`.execute(this.forum.database.app)
    if (isTold)
      await tell(this.forum.app, await notification(this.forum.database, await paidIn(this.forum.database, number, { paidAt: at })))
    await workOff(this.forum.database)
    return number
  }

  /** Completes a refund on the day. */
  async gaveBack(refund: string): Promise<void> {
    await workOff(this.forum.database)
    await this.past(`update payment_refund set returned_at = '${this.noon.toISOString()}' where number = '${refund}'`)
    await sql`update payment_sandbox_refund set at = ${this.noon} where number = ${refund}`.execute(this.forum.database.app)
  }

  async statement(): Promise<reconcile.StatementView | undefined> {
    return (await this.chief.call(reconcile.statementList, {})).rows.find((row) => row.day === this.day)
  }

  async found(state?: reconcile.DifferenceView['state']): Promise<reconcile.DifferenceView[]> {
    const { rows } = await this.chief.call(reconcile.differenceList, { ...(state && { state }), size: 200 })
    return rows.filter((row) => row.day === this.day)
  }
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

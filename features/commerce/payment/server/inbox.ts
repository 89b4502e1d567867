import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyOf, transact, type Database, type Db } from '#base/server/database/database.ts'
import type { WebhookResponse, RawRequest } from '#base/server/http/webhook.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import type { ProviderName } from '#payment/contract.ts'
import { findProvider } from '#payment/server/providers.ts'
import type { EventProblem } from '#payment/staff-views.ts'
import {
  NotVerified,
  readSigned,
  Unreadable,
  type Dispute,
  type Payment,
  type ProviderEvent,
  type ReportedRefund,
} from '#payment/server/providers/provider.ts'

export const inboxJob = { name: 'payment-inbox' }

/** The content of an event as stored: amounts as text, times as ISO strings. */
export const EventFacts = z.object({
  /** Our number of the order. */
  number: z.string().nullable(),
  /** The provider's number of the payment, refund or dispute. */
  providerNumber: z.string().optional(),
  cents: z.string().optional(),
  currency: z.string().optional(),
  seller: z.string().optional(),
  app: z.string().optional(),
  paidAt: z.string().optional(),
  reason: z.string().optional(),
  state: z.enum(['open', 'won', 'lost', 'done', 'failed']).optional(),
  /** Of a refund or a dispute: the provider's number of the payment. */
  paymentNumber: z.string().optional(),
  /** Of a refund: our number of it, and the sum of all refunds of the payment. */
  refundNumber: z.string().optional(),
  allCents: z.string().optional(),
  /** When the provider made the event, if it says so. */
  toldAt: z.string().optional(),
  /** Of a refund that an earlier version stored. */
  hasFailed: z.boolean().optional(),
  /** Of a dispute: what it took from our account, the provider's word for its state, the deadline of our response, and its page. */
  settledCents: z.string().optional(),
  status: z.string().optional(),
  respondBy: z.string().optional(),
  link: z.string().optional(),
})
export type EventFacts = z.infer<typeof EventFacts>

/**
 * Receives a provider's notification: verified, stored as it came, then acknowledged. A job processes it, so that the provider never
 * waits for us; only unsigned notifications and failed inserts are rejected.
 */
export async function receive(database: Database, call: RawRequest): Promise<WebhookResponse> {
  const provider = await findProvider(database.app, call.name)
  if (!provider) return { status: 404, type: 'text/plain; charset=utf-8', body: 'unknown' }
  const message = { headers: call.headers, body: call.body }
  try {
    const events = await provider.verify(call)
    await transact(database, async (tx) => {
      for (const event of events) await storeEvent(tx, provider.name, event, message)
    })
    return provider.acknowledge(true)
  } catch (error) {
    if (error instanceof Unreadable) {
      await transact(database, (tx) => storeUnreadable(tx, provider.name, error, message))
      return provider.acknowledge(!error.mayBeRepeated)
    }
    // The provider repeats a notification that was not acknowledged.
    if (error instanceof NotVerified || error instanceof RequestFailed) return provider.acknowledge(false)
    throw error
  }
}

type RawBody = { headers: unknown; body: Buffer }

/** Keeps a signed message that cannot be read as it came, once however often it is repeated, and shows it to staff. */
async function storeUnreadable(tx: Db, provider: ProviderName, { eventId }: Unreadable, { headers, body }: RawBody): Promise<void> {
  const number = eventId !== null && isStorable(eventId) ? eventId : hash('sha256', body)
  await tx
    .insertInto('payment_event')
    .values({
      provider,
      event_id: `unreadable:${number}`,
      headers: JSON.stringify(headers),
      body,
      kind: 'other',
      facts: JSON.stringify({ number: null } satisfies EventFacts),
      state: 'suspended',
      problem: 'unreadable' satisfies EventProblem,
      handled_at: sql`clock_timestamp()`,
    })
    .onConflict((there) => there.columns(['provider', 'event_id']).doNothing())
    .execute()
}

/** Inserts an event into the inbox; idempotent by the provider's event number. */
export async function storeEvent(tx: Db, provider: string, event: ProviderEvent, { headers, body }: RawBody): Promise<void> {
  const facts = await readSigned(() => storableFacts(event))
  await tx
    .insertInto('payment_event')
    .values({
      provider,
      event_id: event.eventId,
      headers: JSON.stringify(headers),
      body,
      kind: event.kind,
      facts: JSON.stringify(facts),
    })
    .onConflict((there) => there.columns(['provider', 'event_id']).doNothing())
    .execute()
  await runSoon(tx, inboxJob)
}

/**
 * Refunds and disputes that could not be booked are processed again, because their payment has come, or more of it is left. The caller
 * holds the order's lock.
 */
export async function releaseEvents(
  tx: Db,
  provider: string,
  { number, paymentNumber }: Pick<EventFacts, 'number' | 'paymentNumber'>,
): Promise<void> {
  const released = await tx
    .updateTable('payment_event')
    .set({ state: 'new', problem: null, handled_at: null })
    .where('provider', '=', provider)
    .where('state', '=', 'suspended')
    .where('kind', '=', anyOf(['refund', 'dispute']))
    .where('problem', '<>', 'statementOnly' satisfies EventProblem)
    .where(sql<boolean>`(facts ->> 'paymentNumber' = ${paymentNumber ?? null} or facts ->> 'number' = ${number})`)
    .returning('id')
    .execute()
  if (released.length > 0) await runSoon(tx, inboxJob)
}

/** Whether an event fits into our columns. */
export function isStorableEvent(event: ProviderEvent): boolean {
  try {
    storableFacts(event)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Throws for what a column or an index cannot hold, or a time that none of ours can be. */
function storableFacts(event: ProviderEvent): EventFacts {
  const facts = factsOf(event)
  const texts = [event.eventId, ...Object.values(facts)].filter((value) => typeof value === 'string')
  const times = [facts.paidAt, facts.respondBy, facts.toldAt].filter((time) => time !== undefined)
  if (!texts.every(isStorable) || !times.every((time) => /^20\d\d-/.test(time))) throw new RangeError('It cannot be stored')
  return facts
}

const maxLength = 500

function isStorable(text: string): boolean {
  return text.length <= maxLength && text.isWellFormed() && !text.includes('\0')
}

/**
 * Ends the waiting of other events of a payment that is credited, or of a refund or a dispute that is booked. One with a larger sum of
 * refunds tells of another refund.
 */
export async function closeOthers(
  tx: Db,
  provider: string,
  kind: 'paid' | 'refund' | 'dispute',
  providerNumber: string,
  allCents?: string,
): Promise<void> {
  await tx
    .updateTable('payment_event')
    .set({ state: 'done', problem: null, handled_at: sql`clock_timestamp()` })
    .where('provider', '=', provider)
    .where('kind', '=', kind)
    .where('state', '=', 'suspended')
    .where(sql<boolean>`facts ->> 'providerNumber' = ${providerNumber}`)
    .where(sql<boolean>`coalesce((facts ->> 'allCents')::bigint <= ${allCents ?? null}::bigint, true)`)
    .execute()
}

function factsOf(event: ProviderEvent): EventFacts {
  if (event.kind === 'paid') return paidFacts(event.payment)
  if (event.kind === 'refund') return refundFacts(event.refund)
  return event.kind === 'dispute' ? disputeFacts(event.dispute) : { number: event.number }
}

function paidFacts({ cents, paidAt, ...payment }: Payment): EventFacts {
  return { ...payment, cents: String(cents), paidAt: paidAt.toISOString() }
}

function refundFacts({
  number,
  currency,
  state,
  at,
  toldAt,
  cents,
  allCents,
  refundNumber,
  providerNumber,
  paymentNumber,
}: ReportedRefund): EventFacts {
  return {
    number,
    currency,
    state,
    paidAt: at.toISOString(),
    ...(toldAt !== undefined && { toldAt: toldAt.toISOString() }),
    ...(cents !== null && { cents: String(cents) }),
    ...(allCents !== undefined && { allCents: String(allCents) }),
    ...(refundNumber !== null && { refundNumber }),
    ...(providerNumber !== null && { providerNumber }),
    ...(paymentNumber !== null && { paymentNumber }),
  }
}

function disputeFacts({ cents, settledCents = null, paymentNumber = null, respondBy = null, state, ...dispute }: Dispute): EventFacts {
  return {
    ...dispute,
    cents: String(cents),
    ...(settledCents !== null && { settledCents: String(settledCents) }),
    ...(paymentNumber !== null && { paymentNumber }),
    ...(respondBy !== null && { respondBy: respondBy.toISOString() }),
    ...(state !== null && { state }),
  }
}

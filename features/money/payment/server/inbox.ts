import { z } from 'zod'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { WebhookResponse, RawRequest } from '#base/server/http/webhook.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import type { ProviderName } from '#payment/contract.ts'
import { findProvider } from '#payment/server/providers.ts'
import { NotVerified, type ProviderEvent } from '#payment/server/providers/provider.ts'

export const inboxJob = { name: 'payment-inbox' }

/** The content of an event as stored: amounts as text, times as ISO strings. */
export const EventFacts = z.object({
  number: z.string().nullable(),
  providerNumber: z.string().optional(),
  cents: z.string().optional(),
  currency: z.string().optional(),
  seller: z.string().optional(),
  app: z.string().optional(),
  paidAt: z.string().optional(),
  reason: z.string().optional(),
  state: z.enum(['open', 'won', 'lost']).optional(),
  /** Only for a refund. */
  hasFailed: z.boolean().optional(),
})
export type EventFacts = z.infer<typeof EventFacts>

/**
 * Receives a provider's notification: verified, stored as it came, then acknowledged. A job processes it, so that the provider never
 * waits for us; only unsigned notifications and failed inserts are rejected.
 */
export async function receive(database: Database, call: RawRequest): Promise<WebhookResponse> {
  const provider = await findProvider(database.app, call.name)
  if (!provider) return { status: 404, type: 'text/plain; charset=utf-8', body: 'unknown' }
  try {
    const event = await provider.verify(call)
    await transact(database, (tx) => storeEvent(tx, provider.name, event, { headers: call.headers, body: call.body }))
    return provider.acknowledge(true)
  } catch (error) {
    // The provider repeats a notification that was not acknowledged.
    const isRejected = [NotVerified, RequestFailed, SyntaxError, z.ZodError].some((refused) => error instanceof refused)
    if (isRejected) return provider.acknowledge(false)
    throw error
  }
}

type RawBody = { headers: unknown; body: Buffer }

/** Inserts an event into the inbox; idempotent by the provider's event number. */
export async function storeEvent(tx: Db, provider: ProviderName, event: ProviderEvent, { headers, body }: RawBody): Promise<void> {
  await tx
    .insertInto('payment_event')
    .values({
      provider,
      event_id: event.eventId,
      headers: JSON.stringify(headers),
      body,
      kind: event.kind,
      facts: JSON.stringify(factsOf(event)),
    })
    .onConflict((there) => there.columns(['provider', 'event_id']).doNothing())
    .execute()
  await runSoon(tx, inboxJob)
}

function factsOf(event: ProviderEvent): EventFacts {
  if (event.kind === 'paid') {
    const { cents, paidAt, ...payment } = event.payment
    return { ...payment, cents: String(cents), paidAt: paidAt.toISOString() }
  }
  if (event.kind === 'refund') return { number: event.number, ...(event.hasFailed && { hasFailed: true }) }
  if (event.kind !== 'dispute') return { number: event.number }
  const { cents, ...dispute } = event.dispute
  return { ...dispute, cents: String(cents) }
}

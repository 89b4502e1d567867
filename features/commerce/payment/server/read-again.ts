import { sql } from 'kysely'
import type { IncomingHttpHeaders } from 'node:http'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, PrepareContext, Staff } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { NotSuspended } from '#payment/contract.ts'
import type { readEventAgain } from '#payment/event-contract.ts'
import { lockSuspended } from '#payment/server/by-hand.ts'
import { isStorableEvent, storeEvent } from '#payment/server/inbox.ts'
import { findProvider } from '#payment/server/providers.ts'
import { NotVerified, Unreadable, type ProviderEvent } from '#payment/server/providers/provider.ts'

type Reading = { outcome: Output<typeof readEventAgain>['outcome']; events: readonly ProviderEvent[] }

/** Reads a message that could not be read when it came, with the present program and keys, as of the time when it came. */
export async function readAgain({ db, input }: PrepareContext<ParsedInput<typeof readEventAgain>, Staff>): Promise<Reading> {
  const event = await unreadable(db, input.eventId)
  const provider = await findProvider(db, event.provider)
  if (!provider) return { outcome: 'notVerified', events: [] }
  const headers = event.headers as IncomingHttpHeaders
  try {
    const events = await provider.verify({ name: event.provider, headers, body: event.body, ip: '', at: event.received_at })
    return events.every(isStorableEvent) ? { outcome: 'read', events } : { outcome: 'unreadable', events: [] }
  } catch (error) {
    if (error instanceof Unreadable) return { outcome: 'unreadable', events: [] }
    if (error instanceof NotVerified) return { outcome: 'notVerified', events: [] }
    if (error instanceof RequestFailed) return { outcome: 'noAnswer', events: [] }
    throw error
  }
}

async function unreadable(db: Db, eventId: string) {
  const event = await db
    .selectFrom('payment_event')
    .select(['provider', 'headers', 'body', 'received_at', 'state', 'problem'])
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (!event) throw Missing()
  if (event.state !== 'suspended' || event.problem !== 'unreadable') throw NotSuspended()
  return event
}

/** What can be read now goes the way of every event, under the provider's own number: one that came again meanwhile is not repeated. */
export async function recordReading(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { eventId }: ParsedInput<typeof readEventAgain>,
  { outcome, events }: Reading,
): Promise<Output<typeof readEventAgain>> {
  const { provider, headers, body } = { ...(await lockSuspended(tx, eventId)), ...(await unreadable(tx, eventId)) }
  for (const event of events) await storeEvent(tx, provider, event, { headers, body })
  if (outcome === 'read')
    await tx
      .updateTable('payment_event')
      .set({ state: 'done', problem: null, handled_at: sql`clock_timestamp()`, handled_by: by.staff.id })
      .where('id', '=', eventId)
      .execute()
  await audit.note(tx, by.staff, client, { action: 'payment.readAgain', about: `paymentEvent ${eventId}`, after: { outcome } })
  return { outcome }
}

import { sql } from 'kysely'
import type { z } from 'zod'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import { isBookable } from '#payment/server/book-by-hand.ts'
import { actionWaits, paidAmount } from '#payment/server/by-hand.ts'
import * as find from '#payment/server/find-payments.ts'
import { EventFacts } from '#payment/server/inbox.ts'
import { isSandboxOver } from '#payment/server/providers.ts'
import { disputesWhere, refundsWhere } from '#payment/server/refunds-for-staff.ts'
import { readableBody } from '#payment/server/event-body.ts'
import { yuan } from '#payment/server/yuan.ts'
import type { staffEvent } from '#payment/event-contract.ts'
import type { eventList, EventView } from '#payment/staff-contract.ts'

export async function list(db: Db, input: ParsedInput<typeof eventList>): Promise<Answer<typeof eventList>> {
  const source = sql<{
    id: string
    received_at: Date
  }>`(select event.id, event.received_at from payment_event as event where ${find.events(input)})`
  const keys = { received: { by: sql`event.received_at`, as: 'timestamptz' } } as const
  const page = await paged(db, db.selectFrom(source.as('event')).select('event.id'), { ...input, keys, id: sql`event.id` })
  const ids = page.rows.map((row) => row.id)
  return { ...page, rows: (await rowsWhere(db, find.withIds(sql`event.id`, ids))).map(view) }
}

/** The order of an event: by our number, by the provider's number of the payment, or by our number of a refund. */
const orderIdOf = sql`coalesce(
  (select its.id from payment_order as its where its.provider = event.provider and its.provider_number = event.facts ->> 'paymentNumber'),
  (select its.id from payment_order as its where its.number = event.facts ->> 'number'),
  (select back.order_id from payment_refund as back where event.kind = 'refund' and back.number = coalesce(event.facts ->> 'refundNumber', event.facts ->> 'number')))`

/** The newest events of a filter, up to a limit. */
export async function events(db: Db, condition: find.Condition, most: number): Promise<EventRow[]> {
  return (await rowsWhere(db, sql`${condition} order by event.received_at desc, event.id desc limit ${most}`)).map(view)
}

/** One event, with the available actions. */
export async function show(db: Db, eventId: string): Promise<Answer<typeof staffEvent>> {
  const [row] = await rowsWhere(db, sql`event.id = ${eventId}`)
  const { rows } = await sql<Detail>`
    select event_id as "eventNumber", body, handled_at as "handledAt", staff.account as "handledBy", answer, transaction_id::text as "transactionId",
      (select json_build_object('id', id::text, 'name', coalesce(nickname, account)) from member where id = credited_to) as "creditedTo",
      (select number from payment_order where event_id = event.id and event.state = 'credited') as "creditedAs",
      (select json_build_object('id', payer.id::text, 'name', coalesce(payer.nickname, payer.account), 'cents', paid.cents::text, 'state', paid.state)
        from payment_order as paid join member as payer on payer.id = ledger.current_member(paid.member_id) where paid.id = ${orderIdOf}) as ordered,
      ${actionWaits(eventId)} as "isWaiting"
    from payment_event as event left join staff on staff.id = handled_by where event.id = ${eventId}`.execute(db)
  const [its] = rows
  if (!row || !its) throw Missing()
  const { eventNumber, body, handledAt, handledBy, answer, transactionId, creditedTo, creditedAs, ordered, isWaiting } = its
  const facts = EventFacts.parse(row.facts)
  const isOpen = row.state === 'suspended' && paidAmount(row.kind, facts) !== null
  const [refund = null] = await refundsWhere(db, refundOf(row, facts))
  const [dispute = null] = row.kind === 'dispute' ? await disputesWhere(db, disputeOf(row, facts)) : []
  return {
    ...view(row),
    eventNumber,
    providerNumber: facts.providerNumber ?? null,
    seller: facts.seller ?? null,
    app: facts.app ?? null,
    paidAt: facts.paidAt ?? null,
    ordered: ordered && yuan(ordered.cents),
    member: ordered && { id: ordered.id, name: ordered.name },
    body: readableBody(body, facts),
    handledAt,
    handledBy,
    answer,
    creditedTo,
    creditedAs,
    transactionId,
    refund,
    dispute,
    canBook: row.state === 'suspended' && !isWaiting && isBookable(row.kind, facts),
    booking: bookingOf(row, facts, ordered),
    paymentNumber: facts.paymentNumber ?? null,
    settled: facts.settledCents === undefined ? null : yuan(facts.settledCents),
    status: facts.status ?? null,
    reason: facts.reason ?? null,
    respondBy: facts.respondBy ?? null,
    link: facts.link ?? null,
    canReadAgain: row.state === 'suspended' && row.problem === 'unreadable',
    canCredit: isOpen && !isWaiting && !isSandboxOver(row.provider),
    canReturn: isOpen && !isWaiting,
    isWaiting,
  }
}

type Detail = Record<'handledBy' | 'answer' | 'transactionId' | 'creditedAs', string | null> & {
  eventNumber: string
  body: Buffer
  handledAt: Date | null
  creditedTo: { id: string; name: string } | null
  ordered: { id: string; name: string; cents: string; state: string } | null
  isWaiting: boolean
}

/** The refund that an event is of: ours, one that it reported, or the one by which its payment was returned. */
function refundOf({ id, kind, provider }: Row, { refundNumber, number, providerNumber }: EventFacts): find.Condition {
  if (kind !== 'refund') return sql`back.event_id = ${id}`
  return sql`back.provider = ${provider} and (back.number = ${refundNumber ?? number} or back.provider_number = ${providerNumber ?? null}
    or back.reported_by = ${id}) order by back.reported_by = ${id} desc nulls last`
}

function disputeOf({ provider }: Row, { providerNumber }: EventFacts): find.Condition {
  return sql`disputed.provider = ${provider} and disputed.provider_number = ${providerNumber ?? null}`
}

/** What the form of a booking begins with: the amount that is known in yuan, and never more than the payment. */
function bookingOf({ number }: Row, facts: EventFacts, ordered: Detail['ordered']): { number: string | null; amount: string | null } {
  const cents = facts.settledCents ?? (facts.currency === 'CNY' ? facts.cents : undefined)
  const isMore = cents !== undefined && ordered !== null && BigInt(cents) > BigInt(ordered.cents)
  const most = isMore ? ordered.cents : cents
  return { number: ordered?.state === 'paid' ? number : null, amount: most === undefined ? null : yuan(most) }
}

type EventRow = z.input<typeof EventView>
type Row = Pick<EventRow, 'id' | 'provider' | 'kind' | 'state' | 'problem' | 'isKnown' | 'number' | 'receivedAt'> & { facts: unknown }

async function rowsWhere(db: Db, condition: find.Condition): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select event.id::text, event.provider, event.kind, event.state, event.problem, event.facts, event.received_at as "receivedAt",
      coalesce(paid.number, event.facts ->> 'number') as number, paid.id is not null as "isKnown"
    from payment_event as event left join payment_order as paid on paid.id = ${orderIdOf} where ${condition}`.execute(db)
  return rows
}

function view({ facts, ...its }: Row): EventRow {
  const { cents, currency } = EventFacts.parse(facts)
  return { ...its, amount: cents === undefined ? null : yuan(cents), currency: currency ?? null }
}

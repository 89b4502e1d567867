import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import { creditWaits, paidAmount } from '#payment/server/by-hand.ts'
import * as find from '#payment/server/find-payments.ts'
import { EventFacts } from '#payment/server/inbox.ts'
import { isSandboxOver } from '#payment/server/providers.ts'
import { refundsWhere } from '#payment/server/refunds-for-staff.ts'
import { readableBody } from '#payment/server/event-body.ts'
import { yuan } from '#payment/server/yuan.ts'
import type { eventList, staffEvent } from '#payment/event-contract.ts'
import type { EventView } from '#payment/staff-views.ts'

export async function list(db: Db, input: ParsedInput<typeof eventList>): Promise<Output<typeof eventList>> {
  const source = sql<{
    id: string
    received_at: Date
  }>`(select event.id, event.received_at from payment_event as event where ${find.events(input)})`
  const keys = { received: { by: sql`event.received_at`, as: 'timestamptz' } } as const
  const page = await paged(db, db.selectFrom(source.as('event')).select('event.id'), { ...input, keys, id: sql`event.id` })
  const ids = page.rows.map((row) => row.id)
  return { ...page, rows: (await rowsWhere(db, find.withIds(sql`event.id`, ids))).map(view) }
}

/** The newest events of a filter, up to a limit. */
export async function events(db: Db, condition: find.Condition, most: number): Promise<EventView[]> {
  return (await rowsWhere(db, sql`${condition} order by event.received_at desc, event.id desc limit ${most}`)).map(view)
}

/** One event, with the available actions. */
export async function show(db: Db, eventId: string): Promise<Output<typeof staffEvent>> {
  const [row] = await rowsWhere(db, sql`event.id = ${eventId}`)
  const { rows } = await sql<Detail>`
    select event_id as "eventNumber", body, handled_at as "handledAt", staff.account as "handledBy", answer, transaction_id::text as "transactionId",
      (select json_build_object('id', id::text, 'name', coalesce(nickname, account)) from member where id = credited_to) as "creditedTo",
      (select json_build_object('id', payer.id::text, 'name', coalesce(payer.nickname, payer.account), 'cents', paid.cents::text)
        from payment_order as paid join member as payer on payer.id = ledger.living(paid.member_id) where paid.number = event.facts ->> 'number') as ordered,
      ${creditWaits(eventId)} as "isWaiting"
    from payment_event as event left join staff on staff.id = handled_by where event.id = ${eventId}`.execute(db)
  const [its] = rows
  if (!row || !its) throw Missing()
  const { eventNumber, body, handledAt, handledBy, answer, transactionId, creditedTo, ordered, isWaiting } = its
  const facts = EventFacts.parse(row.facts)
  const isOpen = row.state === 'suspended' && paidAmount(row.kind, facts) !== null
  const [refund = null] = await refundsWhere(
    db,
    row.kind === 'refund' ? sql`back.number = ${facts.number} and back.provider = ${row.provider}` : sql`back.event_id = ${eventId}`,
  )
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
    handledAt: handledAt?.toISOString() ?? null,
    handledBy,
    answer,
    creditedTo,
    transactionId,
    refund,
    canCredit: isOpen && !isWaiting && !isSandboxOver(row.provider),
    canReturn: isOpen && !isWaiting,
    isWaiting,
  }
}

type Detail = Record<'handledBy' | 'answer' | 'transactionId', string | null> & {
  eventNumber: string
  body: Buffer
  handledAt: Date | null
  creditedTo: { id: string; name: string } | null
  ordered: { id: string; name: string; cents: string } | null
  isWaiting: boolean
}

type Row = Pick<EventView, 'id' | 'provider' | 'kind' | 'state' | 'problem' | 'isKnown'> & { facts: unknown; receivedAt: Date }

async function rowsWhere(db: Db, condition: find.Condition): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select event.id::text, event.provider, event.kind, event.state, event.problem, event.facts, event.received_at as "receivedAt",
      case event.kind when 'refund' then exists (select from payment_refund as back where back.number = event.facts ->> 'number')
        else exists (select from payment_order as paid where paid.number = event.facts ->> 'number') end as "isKnown"
    from payment_event as event where ${condition}`.execute(db)
  return rows
}

function view({ facts, receivedAt, ...its }: Row): EventView {
  const { number, cents, currency } = EventFacts.parse(facts)
  return {
    ...its,
    number,
    amount: cents === undefined ? null : yuan(cents),
    currency: currency ?? null,
    receivedAt: receivedAt.toISOString(),
  }
}

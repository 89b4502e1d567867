import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Statement } from '#reconciliation/server/compared-statement.ts'

/**
 * A refund or a dispute that only the statement names gets an event, by which staff book it: a statement itself is not signed, and moves
 * nothing.
 */
export async function addEvents(tx: Db, { id, name }: Pick<Statement, 'id' | 'name'>): Promise<void> {
  await sql`
    insert into payment_event (provider, event_id, headers, body, kind, facts, state, problem, handled_at)
    select distinct on (line.kind, line.provider_number) ${name}, 'statement:' || line.kind || ':' || line.provider_number, '{}', '', line.kind,
      jsonb_strip_nulls(jsonb_build_object('providerNumber', line.provider_number, 'paymentNumber', line.payment_number, 'cents', line.cents::text,
        'currency', 'CNY', 'paidAt', to_char(line.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'refundNumber', case when line.kind = 'refund' and line.number ~ '^[0-9]{20}$' then line.number end,
        'state', case line.kind when 'dispute' then 'open' else 'done' end, 'settledCents', case line.kind when 'dispute' then line.cents::text end))
        || jsonb_build_object('number', case line.kind when 'dispute' then line.number end),
      'suspended', 'statementOnly', clock_timestamp()
    from payment_difference as found
    join payment_statement_line as line on line.statement_id = found.statement_id and ${isOf}
    where found.statement_id = ${id} and found.state = 'open'
      and not exists (
        select from payment_event as event where event.provider = ${name} and event.kind = line.kind and event.state in ('new', 'suspended', 'dismissed')
          and event.facts ->> 'providerNumber' = line.provider_number)
    order by line.kind, line.provider_number
    on conflict (provider, event_id) do nothing`.execute(tx)
}

/** Whether a line is what a difference was found for. */
const isOf: RawBuilder<unknown> = sql`(
  found.kind = 'refundNotHere' and line.kind = 'refund' and found.number in (line.number, line.provider_number)
  or found.kind = 'disputeNotHere' and line.kind = 'dispute' and found.number = line.provider_number)`

/** The waiting event of a difference, by which it is booked. */
export const waitingEvent: RawBuilder<unknown> = sql`(
  select event.id::text from payment_statement_line as line
  join payment_event as event on event.provider = told.provider and event.kind = line.kind and event.state = 'suspended'
    and event.facts ->> 'providerNumber' = line.provider_number
  where line.statement_id = found.statement_id and ${isOf} order by event.id limit 1)`

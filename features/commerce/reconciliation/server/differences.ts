import { sql, type RawBuilder } from 'kysely'
import { startOfDay, addDays } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import { isOfProvider, isReportedElsewhere, type Statement } from '#reconciliation/server/compared-statement.ts'
import { disputeDifferences } from '#reconciliation/server/dispute-differences.ts'
import { addEvents } from '#reconciliation/server/statement-events.ts'
import type { Provider } from '#payment/server/payment.ts'

/** Records the differences between a statement and our rows, and clears those that are explained by now. */
export async function compare(tx: Db, statement: Statement): Promise<void> {
  await sql`
    with its as materialized (${differences(statement)}),
    found as (
      insert into payment_difference (statement_id, kind, number, cents_here, cents_there)
      select ${statement.id}, kind, number, here, there from its
      on conflict (statement_id, kind, number) do nothing)
    update payment_difference as known set state = 'cleared', settled_at = clock_timestamp()
    where statement_id = ${statement.id} and state = 'open'
      and not exists (select from its where its.kind = known.kind and its.number = known.number)`.execute(tx)
  await addEvents(tx, statement)
}

/**
 * Compares open differences again: an unknown payment may have been credited meanwhile, and a missing one may appear on another day's
 * statement.
 */
export async function compareOpen(
  tx: Db,
  { name, zone, listsDisputes = false }: Pick<Provider, 'name' | 'zone' | 'listsDisputes'>,
  since: string,
): Promise<void> {
  const { rows } = await sql<{ id: string; day: string }>`
    select told.id, told.day::text as day from payment_statement as told
    where provider = ${name} and day >= ${since}::date
      and exists (select from payment_difference where statement_id = told.id and state = 'open')
    order by told.day`.execute(tx)
  for (const { id, day } of rows)
    await compare(tx, { id, name, listsDisputes, from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) })
}

/** Orders whose payments a statement names but that were never credited, so that their provider is queried. */
export async function missingOrders(db: Db, provider: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select ordered.number from payment_difference as missing
      join payment_order as ordered on ordered.number = missing.number and ordered.provider = ${provider} and ordered.state <> 'paid'
    where missing.state = 'open' and missing.kind = 'notHere' order by missing.id desc limit 100`.execute(db)
  return rows.map(({ number }) => number)
}

/** Grouped by the order or refund, or by the provider's number if it names none of ours. */
function differences(statement: Statement): RawBuilder<unknown> {
  return sql`
    select kind, number, sum(here)::bigint as here, sum(there)::bigint as there from (
      ${payments(statement)} union all ${credits(statement)} union all ${refunds(statement)} union all ${returns(statement)}
      union all ${failures(statement)} union all ${disputeDifferences(statement)} union all ${unknownLines(statement)}
    ) as found group by kind, number`
}

/**
 * Payments in the statement. A payment is identified by the provider's number, because a second payment of an order has the same order
 * number. A payment that waits for staff or was settled by them counts as known: it has its row among the events.
 */
function payments({ id, name }: Statement): RawBuilder<unknown> {
  return sql`
    select case when here.cents is null then 'notHere' else 'otherAmount' end as kind,
      coalesce(here.number, named.number, told.its) as number, here.cents as here,
      case when here.cents is null then told.cents else told.all_cents end as there
    from (
      select provider_number as its, max(number) as number, sum(cents) as cents, (
        select sum(line.cents) from payment_statement_line as line
        where line.provider_number = its.provider_number and line.kind = 'payment' and ${isOfProvider(name)}) as all_cents
      from payment_statement_line as its where statement_id = ${id} and kind = 'payment' group by provider_number
    ) as told
    left join payment_order as named on named.number = told.number and named.provider = ${name}
    left join lateral (
      select (array_agg(number))[1] as number, max(cents) as cents from (
        select number, cents from payment_order where provider = ${name} and provider_number = told.its and state = 'paid'
        union all
        select null, case facts ->> 'currency' when 'CNY' then (facts ->> 'cents')::bigint else told.all_cents end
        from payment_event where provider = ${name} and kind = 'paid' and facts ->> 'providerNumber' = told.its
      ) as known) as here on true
    where here.cents is distinct from told.all_cents and not ${isReportedElsewhere(id, name, 'otherAmount', sql`here.number`)}`
}

/** Credits of this day that no statement names. One by staff goes by the order for which it came in. */
function credits({ id, name, from, until }: Statement): RawBuilder<unknown> {
  const within = (at: RawBuilder<unknown>) => sql`(${at} >= ${from} and ${at} < ${until})`
  return sql`
    select 'notThere', number, cents, null from (
      select coalesce(named.number, paid.number) as number, paid.provider_number, paid.cents from payment_order as paid
      left join payment_event as told on told.id = paid.event_id and paid.method = 'byHand'
      left join payment_order as named on named.number = told.facts ->> 'number' and named.provider = paid.provider
      where paid.provider = ${name} and paid.state = 'paid' and (${within(sql`paid.taken_at`)} or ${within(sql`paid.paid_at`)})
    ) as credited
    where not exists (
        select from payment_statement_line as line
        where line.provider_number = credited.provider_number and line.kind = 'payment' and ${isOfProvider(name)})
      and not ${isReportedElsewhere(id, name, 'notThere', sql`credited.number`)}`
}

/**
 * Refunds in the statement. A requested refund counts as known: the statement may be earlier than the provider's response. One that
 * failed there moved nothing.
 */
function refunds({ id, name }: Statement): RawBuilder<unknown> {
  return sql`
    select case when here.cents is null then 'refundNotHere' else 'refundOtherAmount' end, coalesce(here.number, told.number, told.its), here.cents,
      case when here.cents is null then told.cents else told.all_cents end
    from (
      select provider_number as its, max(number) as number, sum(cents) as cents, (
        select sum(line.cents) from payment_statement_line as line
        where (line.number = max(its.number) or line.provider_number = its.provider_number) and line.kind = 'refund' and ${isOfProvider(name)}) as all_cents
      from payment_statement_line as its where statement_id = ${id} and kind = 'refund' group by provider_number
    ) as told
    left join lateral (
      select (array_agg(number))[1] as number, sum(cents) as cents from payment_refund
      where provider = ${name} and state <> 'failed' and (number = told.number or provider_number in (told.its, told.its || '/' || reported_by))
    ) as here on true
    where here.cents is distinct from told.all_cents and not ${isReportedElsewhere(id, name, 'refundOtherAmount', sql`here.number`)}
      and not exists (
        select from payment_statement_line as line
        where line.provider_number = told.its and line.kind = 'refundFailure' and ${isOfProvider(name)})`
}

/** Completed refunds that no statement names. */
function returns({ id, name, from, until }: Statement): RawBuilder<unknown> {
  return sql`
    select 'refundNotThere', number, cents, null from payment_refund as back
    where provider = ${name} and state = 'done'
      and (returned_at >= ${from} and returned_at < ${until} or ended_at >= ${from} and ended_at < ${until})
      and not exists (
        select from payment_statement_line as line
        where (line.number = back.number or line.provider_number in (back.provider_number, (
            select facts ->> 'providerNumber' from payment_event as event where event.id = back.reported_by))) and line.kind = 'refund' and ${isOfProvider(name)})
      and not ${isReportedElsewhere(id, name, 'refundNotThere', sql`back.number`)}`
}

/** Refunds that failed there after they were done, and have not failed here. */
function failures({ id, name }: Statement): RawBuilder<unknown> {
  return sql`
    select 'refundFailedThere', back.number, back.cents, line.cents from payment_statement_line as line
    join payment_refund as back on back.provider = ${name} and (back.number = line.number or back.provider_number = line.provider_number)
    where line.statement_id = ${id} and line.kind = 'refundFailure' and back.state <> 'failed'`
}

/** Lines of which we only know that they are there. */
function unknownLines({ id }: Statement): RawBuilder<unknown> {
  return sql`
    select 'unknownLine', provider_number, null, cents from payment_statement_line where statement_id = ${id} and kind = 'other'`
}

import { sql, type RawBuilder } from 'kysely'
import { startOfDay, addDays } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Provider } from '#payment/server/providers/provider.ts'

/** A statement, and the bounds of its day. */
type Statement = { id: string; name: string; from: Date; until: Date }

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
}

/**
 * Compares open differences again: an unknown payment may have been credited meanwhile, and a missing one may appear on another day's
 * statement.
 */
export async function compareOpen(tx: Db, { name, zone }: Pick<Provider, 'name' | 'zone'>, since: string): Promise<void> {
  const { rows } = await sql<{ id: string; day: string }>`
    select told.id, told.day::text as day from payment_statement as told
    where provider = ${name} and day >= ${since}::date
      and exists (select from payment_difference where statement_id = told.id and state = 'open')
    order by told.day`.execute(tx)
  for (const { id, day } of rows) await compare(tx, { id, name, from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) })
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

/** Credits of this day, automatic or by staff, that no statement names. */
function credits({ id, name, from, until }: Statement): RawBuilder<unknown> {
  const within = (at: RawBuilder<unknown>) => sql`(${at} >= ${from} and ${at} < ${until})`
  return sql`
    select 'notThere', number, cents, null from (
      select number, provider_number, cents from payment_order
      where provider = ${name} and state = 'paid' and (${within(sql`taken_at`)} or ${within(sql`paid_at`)})
      union all
      select coalesce(named.number, facts ->> 'providerNumber'), facts ->> 'providerNumber', (facts ->> 'cents')::bigint
      from payment_event as event left join payment_order as named on named.number = facts ->> 'number' and named.provider = event.provider
      where event.provider = ${name} and event.state = 'credited'
        and (${within(sql`(facts ->> 'paidAt')::timestamptz`)} or ${within(sql`handled_at`)})
    ) as credited
    where not exists (
        select from payment_statement_line as line
        where line.provider_number = credited.provider_number and line.kind = 'payment' and ${isOfProvider(name)})
      and not ${isReportedElsewhere(id, name, 'notThere', sql`credited.number`)}`
}

/** Refunds in the statement. A requested refund counts as known: the statement may be earlier than the provider's response. */
function refunds({ id, name }: Statement): RawBuilder<unknown> {
  return sql`
    select case when here.cents is null then 'refundNotHere' else 'refundOtherAmount' end, coalesce(here.number, told.its), here.cents,
      case when here.cents is null then told.cents else told.all_cents end
    from (
      select coalesce(number, provider_number) as its, number is not null as is_ours, sum(cents) as cents, (
        select sum(line.cents) from payment_statement_line as line
        where (line.number = coalesce(its.number, its.provider_number) or line.number is null and line.provider_number = coalesce(its.number, its.provider_number))
          and line.kind = 'refund' and ${isOfProvider(name)}) as all_cents
      from payment_statement_line as its where statement_id = ${id} and kind = 'refund' group by its.number, its.provider_number
    ) as told
    left join lateral (
      select (array_agg(number))[1] as number, sum(cents) as cents from payment_refund
      where provider = ${name} and state <> 'failed' and case when told.is_ours then number = told.its else provider_number = told.its end
    ) as here on true
    where here.cents is distinct from told.all_cents and not ${isReportedElsewhere(id, name, 'refundOtherAmount', sql`here.number`)}`
}

/** Completed refunds that no statement names. */
function returns({ id, name, from, until }: Statement): RawBuilder<unknown> {
  return sql`
    select 'refundNotThere', number, cents, null from payment_refund as back
    where provider = ${name} and state = 'done'
      and (returned_at >= ${from} and returned_at < ${until} or ended_at >= ${from} and ended_at < ${until})
      and not exists (
        select from payment_statement_line as line
        where (line.number = back.number or line.number is null and line.provider_number = back.provider_number)
          and line.kind = 'refund' and ${isOfProvider(name)})
      and not ${isReportedElsewhere(id, name, 'refundNotThere', sql`back.number`)}`
}

/** Checks the provider per matching line, of which there are few; a provider has many lines. */
function isOfProvider(provider: string): RawBuilder<unknown> {
  return sql`(select provider from payment_statement as its_own where its_own.id = line.statement_id) = ${provider}`
}

/** Two days may search for the same payment; the first that finds a difference reports it. */
function isReportedElsewhere(statementId: string, provider: string, kind: string, number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (
    select from payment_difference as other join payment_statement as elsewhere on elsewhere.id = other.statement_id
    where other.kind = ${kind} and other.number = ${number} and other.statement_id <> ${statementId} and elsewhere.provider = ${provider})`
}

import { sql, type RawBuilder } from 'kysely'
import { isOfProvider, isReportedElsewhere, type Statement } from '#reconciliation/server/compared-statement.ts'

/** Disputes of our payments in the statement, and those of its day that no statement names. */
export function disputeDifferences(statement: Statement): RawBuilder<unknown> {
  return sql`${taken(statement)} union all ${reversed(statement)} union all ${missing(statement)}`
}

/** One that was won before we heard of it took nothing here. */
function taken({ id, name }: Statement): RawBuilder<unknown> {
  return sql`
    select case when here.cents is null then 'disputeNotHere' else 'disputeOtherAmount' end, told.its, here.cents, told.cents
    from (
      select provider_number as its, sum(cents) as cents from payment_statement_line
      where statement_id = ${id} and kind = 'dispute' and number is not null group by provider_number
    ) as told
    left join lateral (
      select case when transaction_id is null then told.cents else cents end as cents
      from payment_dispute where provider = ${name} and provider_number = told.its
    ) as here on true
    where here.cents is distinct from told.cents`
}

function reversed({ id, name }: Statement): RawBuilder<unknown> {
  return sql`
    select 'reversalNotHere', line.provider_number, null, line.cents from payment_statement_line as line
    join payment_dispute as its on its.provider = ${name} and its.provider_number = line.provider_number and its.state <> 'won'
    where statement_id = ${id} and kind = 'disputeReversal'`
}

function missing({ id, name, from, until, listsDisputes }: Statement): RawBuilder<unknown> {
  return sql`
    select 'disputeNotThere', its.provider_number, its.cents, null from payment_dispute as its
    where ${listsDisputes} and provider = ${name} and transaction_id is not null and opened_at >= ${from} and opened_at < ${until}
      and not exists (
        select from payment_statement_line as line
        where line.provider_number = its.provider_number and line.kind = 'dispute' and ${isOfProvider(name)})
      and not ${isReportedElsewhere(id, name, 'disputeNotThere', sql`its.provider_number`)}`
}

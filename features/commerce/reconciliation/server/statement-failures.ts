import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ProviderName } from '#payment/contract.ts'
import type { StatementFailure, statementFailures } from '#reconciliation/contract.ts'

type Failure = Pick<StatementFailure, 'problem' | 'detail'>

/** Records that the statement of a day could not be taken, so that staff hear of it, and other days are tried first. */
export async function recordFailure(tx: Db, provider: ProviderName, day: string, { problem, detail }: Failure): Promise<void> {
  await sql`
    insert into payment_statement_failure as known (provider, day, problem, detail) values (${provider}, ${day}::date, ${problem}, ${detail})
    on conflict (provider, day) do update set problem = excluded.problem, detail = excluded.detail, tries = least(known.tries + 1, 1000000),
      last_at = clock_timestamp()`.execute(tx)
}

/** The day's statement is here. */
export async function forgetFailure(tx: Db, provider: ProviderName, day: string): Promise<void> {
  await sql`delete from payment_statement_failure where provider = ${provider} and day = ${day}::date`.execute(tx)
}

// A provider that does not answer for a few hours is told of by its failed calls.
const reportedAfter = sql`interval '1 day'`

/** Whether a failure is one that staff hear of. */
const isReported = sql<boolean>`(problem = 'unreadable' or first_at < now() - ${reportedAfter})`

/** The numbers of days whose statement could not be taken, by provider. */
export async function countFailures(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ provider: string; days: number }>`
    select provider, count(*)::int as days from payment_statement_failure where ${isReported} group by provider`.execute(db)
  return new Map(rows.map(({ provider, days }) => [provider, days]))
}

/** Days whose statement could not be taken, oldest first. */
export async function list(db: Db): Promise<Output<typeof statementFailures>> {
  const { rows } = await sql<{ provider: string; day: string; problem: string; detail: string; tries: number; lastAt: Date }>`
    select provider, day::text, problem, detail, tries, last_at as "lastAt" from payment_statement_failure where ${isReported}
    order by day, provider limit 200`.execute(db)
  return {
    failures: rows.map((row) => ({
      ...row,
      provider: row.provider as ProviderName,
      problem: row.problem as StatementFailure['problem'],
      lastAt: row.lastAt.toISOString(),
    })),
  }
}

import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { dayAt, sqlDay, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import { envelopeKinds, type EnvelopeKind } from '#red-envelope/contract.ts'
import type { envelopeFigures } from '#red-envelope/figures-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { serializeAmount, currencies, toMinor, type Currency } from '#wallet/contract.ts'

/** The figures of the last days, including today. */
export async function figures(db: Db, { days }: ParsedInput<typeof envelopeFigures>): Promise<Output<typeof envelopeFigures>> {
  const { timeZone, allowCash } = await setting.all(db)
  const first = addDays(dayAt(Date.now(), timeZone), 1 - days)
  const since = startOfDay(first, timeZone)
  const [moves, taken, openers] = await Promise.all([movesSince(db, since, timeZone), takenSince(db, since), openersSince(db, since)])
  const visible = currencies.filter((currency) => currency === 'points' || allowCash || moves.some((row) => row.currency === currency))
  const byDay = Map.groupBy(moves, ({ day }) => day)
  return {
    timeZone,
    total: visible.map((currency) => sumOf(currency, moves)),
    days: Array.from({ length: days }, (_, place) => addDays(first, place)).flatMap((day) =>
      visible.map((currency) => ({ day, ...sumOf(currency, byDay.get(day) ?? []) })),
    ),
    kinds: envelopeKinds.flatMap((kind) =>
      visible.flatMap((currency) => {
        const its = moves.filter((row) => row.kind === kind && row.currency === currency)
        if (its.length === 0) return []
        const { count = 0, half = null } = taken.find((row) => row.kind === kind && row.currency === currency) ?? {}
        return [{ kind, ...sumOf(currency, its), taken: count, takenIn: half }]
      }),
    ),
    ...openers,
  }
}

type DailyMoves = {
  day: string
  kind: EnvelopeKind
  currency: Currency
  given: number
  givenAmount: string
  opened: number
  openedAmount: string
  returned: number
  returnedAmount: string
}

// An ended envelope does not move any more, so older ones are skipped.
const mayHaveMoves = (since: Date) => sql`hold_id is not null and (ended_at >= ${since} or ended_at is null)`

/**
 * Sums by day, kind and currency: an envelope counts on the day it opened, a share on the day it was claimed, a return on the day of the
 * return.
 */
async function movesSince(db: Db, since: Date, zone: string): Promise<DailyMoves[]> {
  const { rows } = await sql<DailyMoves>`
    with given as materialized (
      select id, kind, currency, amount, returned, state, opened_at, ended_at from red_envelope where ${mayHaveMoves(since)})
    select ${sqlDay(sql`at`, zone)}::text as day, kind, currency, sum(given)::int as given, sum(given_amount)::text as "givenAmount",
      sum(opened)::int as opened, sum(opened_amount)::text as "openedAmount", sum(back)::int as returned, sum(back_amount)::text as "returnedAmount"
    from (
      select opened_at as at, kind, currency, 1 as given, amount as given_amount, 0 as opened, 0::bigint as opened_amount, 0 as back,
        0::bigint as back_amount from given
      union all
      select claimed_at, kind, currency, 0, 0, 1, share.amount, 0, 0 from given join red_envelope_share as share on envelope_id = given.id
      union all
      select ended_at, kind, currency, 0, 0, 0, 0, 1, returned from given where state = 'returned'
    ) as moved where at >= ${since} group by 1, 2, 3`.execute(db)
  return rows
}

/** The fully opened envelopes, and the median of the seconds until the last share. */
async function takenSince(db: Db, since: Date): Promise<{ kind: EnvelopeKind; currency: Currency; count: number; half: number }[]> {
  const { rows } = await sql<{ kind: EnvelopeKind; currency: Currency; count: number; half: number }>`
    select kind, currency, count(*)::int as count,
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - opened_at)) as half
    from red_envelope where state = 'taken' and ended_at >= ${since} group by kind, currency`.execute(db)
  return rows
}

/** Merged members count as one, with the age of the account that opened it. */
async function openersSince(db: Db, since: Date): Promise<{ openers: number; newOpeners: number }> {
  const { rows } = await sql<{ openers: number; newOpeners: number }>`
    select count(*)::int as openers, count(*) filter (where is_new)::int as "newOpeners" from (
      select ledger.current_member(id), bool_or(is_new) as is_new from (
        select member_id as id, bool_or(joined_at > claimed_at - interval '7 days') as is_new
        from red_envelope as given join red_envelope_share on envelope_id = given.id join member on member.id = member_id
        where ${mayHaveMoves(since)} and claimed_at >= ${since} group by 1
      ) as opener group by 1
    ) as living`.execute(db)
  return rows[0] ?? { openers: 0, newOpeners: 0 }
}

function sumOf(currency: Currency, rows: readonly DailyMoves[]) {
  const its = rows.filter((row) => row.currency === currency)
  const count = (key: 'given' | 'opened' | 'returned') => its.reduce((sum, row) => sum + row[key], 0)
  const amount = (key: 'givenAmount' | 'openedAmount' | 'returnedAmount') =>
    serializeAmount(currency, toMinor(its.reduce((sum, row) => sum + BigInt(row[key]), 0n)))
  return {
    currency,
    given: count('given'),
    givenAmount: amount('givenAmount'),
    opened: count('opened'),
    openedAmount: amount('openedAmount'),
    returned: count('returned'),
    returnedAmount: amount('returnedAmount'),
  }
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { areInvalidated, invalidate } from '#base/server/cache/invalidation.ts'
import { perProgram } from '#base/server/program.ts'
import type { TokenShares } from '#search/server/engine.ts'
import { periodLength } from '#search/server/postgres/vector.ts'

/** The cache tag of token statistics. */
export const countsTag = 'searchCounts'

const maxShares = 20_000
const freshMs = 60_000

type StatisticsCache = { weeks: Promise<readonly Week[]>; shares: Map<string, number>; until: number }
export type Week = { week: number; entries: number }

const cacheOf = perProgram<{ known: StatisticsCache | null }>(({ invalidations }) => {
  const cache: { known: StatisticsCache | null } = { known: null }
  invalidations.on((tags) => {
    if (areInvalidated(tags, countsTag)) cache.known = null
  })
  return cache
})

/** The number of entries by week, the newest first; up to a minute old. */
export function weeksOf(db: Db): Promise<readonly Week[]> {
  return currentCache(db).weeks
}

export async function sharesOf(db: Db, tokens: readonly string[]): Promise<TokenShares> {
  const { weeks, shares } = currentCache(db)
  const unknown = tokens.filter((token) => !shares.has(token))
  if (unknown.length > 0) {
    if (shares.size > maxShares) shares.clear()
    for (const [token, share] of await readShares(db, unknown)) shares.set(token, share)
  }
  const entries = (await weeks).reduce((sum, week) => sum + week.entries, 0)
  return { entries, of: new Map(tokens.flatMap((token) => (shares.get(token) ? [[token, shares.get(token) ?? 0]] : []))) }
}

function currentCache(db: Db): StatisticsCache {
  const holder = cacheOf(db)
  const { known: cache } = holder
  if (cache && cache.until > performance.now()) return cache
  const entry = { weeks: readWeeks(db), shares: cache?.shares ?? new Map<string, number>(), until: performance.now() + freshMs }
  entry.weeks.catch(() => void (holder.known = null))
  holder.known = entry
  return entry
}

/** A trailing star stands for a prefix. */
async function readShares(db: Db, tokens: readonly string[]): Promise<[string, number][]> {
  const { rows } = await sql<{ token: string; share: number }>`
    select asked.token, coalesce(
      case when asked.token like '%*' then (
        select least(1, sum(share)) from search_share
        where search_share.token >= left(asked.token, -1) collate "C" and search_share.token < (left(asked.token, -1) || chr(1114111)) collate "C"
      ) else (select share from search_share where search_share.token = asked.token collate "C") end, 0)::float4 as share
    from unnest(${tokens}::text[]) as asked(token)`.execute(db)
  return rows.map(({ token, share }) => [token, share])
}

async function readWeeks(db: Db): Promise<readonly Week[]> {
  return db.selectFrom('search_week').select(['week', 'entries']).orderBy('week', 'desc').execute()
}

const sampleSize = 20_000
const timesInSample = 3
const fifth = 0.2

/** Recomputes token statistics from a sample of entries, after a change of their number by a fifth. */
export async function recount(tx: Db): Promise<void> {
  const { entries, counted } = await counts(tx)
  if (entries === counted || Math.abs(entries - counted) < counted * fifth) return
  const sample =
    entries > sampleSize
      ? `select words from search_entry tablesample system (${(100 * sampleSize) / entries})`
      : 'select words from search_entry'
  await tx.deleteFrom('search_share').execute()
  await sql`
    with found as materialized (
      select substr(word, ${periodLength + 1}::int) as word, sum(ndoc) as ndoc from ts_stat(${sample}) group by 1),
      all_of_them as (select sum(ndoc) as count from found where word in ('=topic', '=comment', '=reply'))
    insert into search_share (token, share)
    select word, least(1, ndoc::float8 / count::float8) from found, all_of_them
    where ndoc >= ${timesInSample} and left(word, 1) not in ('^', '~', '=')`.execute(tx)
  await tx.updateTable('search_state').set({ counted: entries }).execute()
  invalidate(tx, countsTag)
}

async function counts(tx: Db): Promise<{ entries: number; counted: number }> {
  const { rows } = await sql<{ entries: number; counted: number }>`
    select coalesce((select sum(entries) from search_week), 0)::int as entries, counted from search_state`.execute(tx)
  return rows[0] ?? { entries: 0, counted: 0 }
}

import type { Db } from '#base/server/database/database.ts'
import type { Filter } from '#search/server/engine.ts'
import { weeksOf } from '#search/server/postgres/shares.ts'
import { periodOf, weekOf, weeksPerPeriod, weeksQuery, type Condition } from '#search/server/postgres/vector.ts'

/** A range of weeks within one period. No condition on weeks means all of the period. */
export type Slice = { period: string; weeks: Condition | null; entries: number }

const newestWeeks = 2

/** The slices of time that a search looks into, the newest first. Those without an entry are left out. */
export async function slicesFor(db: Db, { since, until }: Filter): Promise<Slice[]> {
  // An entry of this week may be newer than what is known of the weeks.
  const weeks = [{ week: weekOf(new Date()), entries: 0 }, ...(await weeksOf(db))]
  const numbers = weeks.map(({ week }) => week)
  const newest = Math.min(Math.max(...numbers), until ? weekOf(until) : Infinity)
  const oldest = Math.max(Math.min(...numbers), since ? weekOf(since) : -Infinity)
  return rangesBetween(newest, oldest).flatMap(({ first, last }) => {
    const within = weeks.filter(({ week }) => week >= first && week <= last)
    if (within.length === 0) return []
    const isWhole = last - first + 1 === weeksPerPeriod
    const entries = within.reduce((sum, week) => sum + week.entries, 0)
    return [{ period: periodOf(last), weeks: isWhole ? null : weeksQuery(first, last), entries }]
  })
}

/** The newest slices with so many entries. */
export function newestOf(slices: readonly Slice[], entries: number): Slice[] {
  let sum = 0
  const end = slices.findIndex((slice) => (sum += slice.entries) >= entries)
  return end === -1 ? [...slices] : slices.slice(0, end + 1)
}

/**
 * The newest ranges are short, each twice as long as the one before, since the newest weeks of a large forum have enough for common words;
 * no range is longer than a period or crosses the bounds of one.
 */
export function rangesBetween(newest: number, oldest: number): { first: number; last: number }[] {
  const ranges = []
  for (let [last, count] = [newest, newestWeeks]; last >= oldest; count *= 2) {
    const first = Math.max(Math.floor(last / weeksPerPeriod) * weeksPerPeriod, last - count + 1)
    ranges.push({ first, last })
    last = first - 1
  }
  return ranges
}

export function periodsOf(slices: readonly Slice[]): string[] {
  return [...new Set(slices.map(({ period }) => period))]
}

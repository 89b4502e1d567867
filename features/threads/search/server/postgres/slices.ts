import type { Db } from '#base/server/database/database.ts'
import type { Filter } from '#search/server/engine.ts'
import { weeksOf, type Week } from '#search/server/postgres/shares.ts'
import { periodOf, weekOf, weeksPerPeriod, weeksQuery, type Condition } from '#search/server/postgres/vector.ts'

/** A part of the time that a search looks into, as one scan of the index. No condition on weeks means all of the periods. */
export type Slice = { periods: readonly string[]; weeks: Condition | null; entries: number }

/**
 * All of that time, the newest first: in slices that begin short, for common words; in periods; and in few slices, for words so rare that
 * all of their entries are read.
 */
export type Slices = { short: readonly Slice[]; periods: readonly Slice[]; few: readonly Slice[] }

// Each period makes a tsquery longer, and its evaluation slower.
const mostPeriods = 8

export async function slicesFor(db: Db, { since, until }: Filter): Promise<Slices> {
  const weeks = await weeksOf(db)
  const present = weekOf(new Date())
  if (since || until) return slicesOf(weeks, present, { since, until })
  const before = unfiltered.get(weeks)
  if (before?.present === present) return before.slices
  const slices = slicesOf(weeks, present, { since, until })
  unfiltered.set(weeks, { present, slices })
  return slices
}

// A cache for queries of all of the time.
const unfiltered = new WeakMap<readonly Week[], { present: number; slices: Slices }>()

function slicesOf(known: readonly Week[], present: number, { since, until }: Pick<Filter, 'since' | 'until'>): Slices {
  // An entry of this week may be newer than what is known of the weeks.
  const weeks = [{ week: present, entries: 0 }, ...known]
  const newest = Math.min(Math.max(...weeks.map(({ week }) => week)), until ? weekOf(until) : Infinity)
  const oldest = Math.max(Math.min(...weeks.map(({ week }) => week)), since ? weekOf(since) : -Infinity)
  const short = rangesBetween(newest, oldest).flatMap((range) => sliceOf(range, weeks))
  const periods = [...Map.groupBy(short, ({ periods: [period] }) => period).values()].map(joined)
  const few = [...Map.groupBy(periods.entries(), ([index]) => Math.floor(index / mostPeriods)).values()]
  return { short, periods, few: few.map((some) => joined(some.map(([, slice]) => slice))) }
}

const newestWeeks = 2

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

/** None if there is no entry. */
function sliceOf({ first, last }: { first: number; last: number }, weeks: readonly Week[]): Slice[] {
  const within = weeks.filter(({ week }) => week >= first && week <= last)
  if (within.length === 0) return []
  const isWhole = last - first + 1 === weeksPerPeriod
  const entries = within.reduce((sum, week) => sum + week.entries, 0)
  return [{ periods: [periodOf(last)], weeks: isWhole ? null : weeksQuery(first, last), entries }]
}

function joined(slices: readonly Slice[]): Slice {
  return {
    periods: [...new Set(slices.flatMap(({ periods }) => periods))],
    weeks: null,
    entries: slices.reduce((sum, { entries }) => sum + entries, 0),
  }
}

/** The newest slices that together have at most so many entries: periods, or shorter ones where the newest period has more; one at least. */
export function newestOf({ periods, short }: Pick<Slices, 'periods' | 'short'>, entries: number): readonly Slice[] {
  const whole = firstWithin(periods, entries)
  return whole.length > 0 ? whole : short.slice(0, Math.max(1, firstWithin(short, entries).length))
}

function firstWithin(slices: readonly Slice[], entries: number): readonly Slice[] {
  let sum = 0
  const end = slices.findIndex((slice) => (sum += slice.entries) > entries)
  return end === -1 ? slices : slices.slice(0, end)
}

/** The tsquery of these conditions in a slice. */
export function matchIn({ periods, weeks }: Slice, conditions: readonly Condition[]): string {
  const all = [...conditions, ...(weeks ? [weeks] : [])]
  return periods.map((period) => all.map((condition) => condition(period)).join(' & ')).join(' | ')
}

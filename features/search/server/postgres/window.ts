import type { Db } from '#base/server/database.ts'
import { mostListed, type Clause, type Filter } from '#search/server/engine.ts'
import { sharesOf, weeksOf, type Week } from '#search/server/postgres/shares.ts'
import { factsNeeded, mark, needsQuery, timeFacts, weekOf } from '#search/server/postgres/vector.ts'

// So many entries are looked at one by one without a second thought.
const fewEnough = 1_500
const fewEnoughTitles = 1_000
// More than are counted, since the guess is rough.
const wanted = mostListed * 1.5

/**
 * Where common words are looked for, as part of a tsquery: in the newest weeks that should hold enough, and in titles of any age.
 * Null where all of time may be looked at.
 */
export async function windowFor(db: Db, clauses: readonly Clause[], filter: Filter, withTitles: boolean): Promise<string | null> {
  const facts = factsNeeded(filter)
  const words = clauses.map(({ anyOf }) => anyOf.map(({ token, isStart }) => (isStart ? `${token}*` : token)))
  const titles = clauses.map(({ anyOf }) => anyOf.filter(({ isStart }) => !isStart).map(({ token }) => mark.title + token))
  const { entries, of } = await sharesOf(db, [...facts, ...words, ...titles].flat())
  const least = (needs: readonly (readonly string[])[]) =>
    Math.min(1, ...needs.map((tokens) => tokens.reduce((sum, token) => sum + (of.get(token) ?? 0), 0)))
  const share = least([...facts, ...words])
  if (entries * share <= fewEnough) return null

  const weeks = newest(await weeksOf(db), filter, wanted / share)
  if (!weeks) return null
  const time = timeFacts(weeks.first, weeks.last)
  const hasFewTitles = entries * least([...facts, ...titles]) <= fewEnoughTitles
  return withTitles && hasFewTitles && titles.every((tokens) => tokens.length > 0)
    ? `(${needsQuery([time])} | (${needsQuery(titles)}))`
    : needsQuery([time])
}

/** The newest weeks that hold so many entries, or null when those are all. */
function newest(all: readonly Week[], { since, until }: Filter, enough: number): { first: number; last: number } | null {
  const earliest = since ? weekOf(since) : -Infinity
  const latest = until ? weekOf(until) : Infinity
  const open = all.filter(({ week }) => week >= earliest && week <= latest)
  let sum = 0
  for (const { week, entries } of open) {
    sum += entries
    if (sum >= enough && week !== open.at(-1)?.week) return { first: week, last: open[0]?.week ?? week }
  }
  return null
}

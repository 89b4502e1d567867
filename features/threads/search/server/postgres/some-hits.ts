import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { heaviestOf, weights, type Clause, type EngineQuery } from '#search/server/engine.ts'
import {
  commentCount,
  expectedCounts,
  matchesIn,
  oneTooMany,
  smallScan,
  visible,
  type Hits,
  type Row,
} from '#search/server/postgres/conditions.ts'
import type { Slices } from '#search/server/postgres/slices.ts'
import { clauseQuery, coreQueries, titleQuery } from '#search/server/postgres/vector.ts'

// For common words the newest entries suffice where there are few complete matches.
const wantedOfEach = 80

/**
 * Entries with the highest part come first. Each clause is looked for by itself, so that rare ones are cheap, and common ones in titles, too.
 * All are parameters, in subqueries: the text of the statement does not depend on them, and its plan not on their number.
 */
export async function someHits(db: Db, { clauses, filter }: EngineQuery, slices: Slices): Promise<Hits | null> {
  const heaviest = heaviestOf(clauses)
  if (heaviest.length === 0) return null
  const counts = await expectedCounts(db, heaviest)
  const searches = heaviest.flatMap((clause, number) => {
    const words = clauseQuery(clause)
    if ((counts[number] ?? 0) <= smallScan) return [{ clause, number, most: smallScan, matches: matchesIn(slices.few, [words], filter) }]
    const one = { clause, number, most: wantedOfEach, matches: matchesIn(slices.short, [words], filter) }
    return [one, { ...one, matches: matchesIn(slices.periods, [titleQuery(clause)], filter) }]
  })
  const column = <T>(of: (one: (typeof searches)[number], index: number) => T) => searches.map(of)
  const queries = searches.map(({ clause }) => coreQueries(clause))
  return sql<Row>`
    select key, topic_id, published_at, sum(score * weight) as score, sum(weight) / ${sumOfWeights(heaviest)}::float4 as part, ${commentCount}
    from (
      select distinct clause.number, clause.weight, hit.*
      from unnest(
        (select ${column((_, index) => index)}::int[]), (select ${column(({ number }) => number)}::int[]), (select ${column(({ most }) => most)}::int[]),
        (select ${column(({ clause }) => clause.weight)}::float4[]), (select ${queries.map(({ title }) => title)}::tsquery[]),
        (select ${queries.map(({ typed }) => typed || null)}::tsquery[]), (select ${queries.map(({ strong }) => strong)}::tsquery[])
      ) as clause(search, number, most, weight, title, typed, strong), lateral (
        select hit.* from unnest(
          (select ${searches.flatMap(({ matches }, index) => matches.map(() => index))}::int[]), (select ${searches.flatMap(({ matches }) => matches)}::tsquery[])
        ) as slice(search, match), lateral (
          select key, topic_id, published_at, case
            when kind <> 'topic' then ${weights.words}::float4 when core @@ clause.title then ${weights.title}::float4
            when core @@ clause.typed then ${weights.typed}::float4 when core @@ clause.strong then ${weights.strong}::float4
            else ${weights.words}::float4 end as score
          from search_entry
          where words @@ slice.match and ${visible(filter)}
          order by score desc, published_at desc, key desc
          limit clause.most
        ) as hit
        where slice.search = clause.search
        limit clause.most
      ) as hit
    ) as found
    group by key, topic_id, published_at
    order by score desc, published_at desc, key desc
    limit ${oneTooMany}`
}

function sumOfWeights(clauses: readonly Clause[]): number {
  return clauses.reduce((sum, { weight }) => sum + weight, 0)
}

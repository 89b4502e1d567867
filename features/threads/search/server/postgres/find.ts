import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import {
  maxListed,
  weights,
  type Clause,
  type EngineQuery,
  type EngineResults,
  type Fallback,
  type Filter,
  type Key,
  type Phrase,
} from '#search/server/engine.ts'
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
import { matchIn, newestOf, slicesFor, type Slice, type Slices } from '#search/server/postgres/slices.ts'
import { someHits } from '#search/server/postgres/some-hits.ts'
import { clauseQuery, coreQueries, phraseQuery, titleQuery, type Condition } from '#search/server/postgres/vector.ts'

export async function find(db: Db, query: EngineQuery): Promise<EngineResults> {
  const hits = await hitsOf(db, query)
  return resultsOf(hits ? (await hits.execute(db)).rows : [])
}

/** All in one trip. */
export async function findWithFallbacks(db: Db, query: EngineQuery, fallbacks: readonly Fallback[]): Promise<EngineResults[]> {
  const [first, ...others] = await Promise.all([hitsOf(db, query), ...fallbacks.map((fallback) => hitsOf(db, fallback.query))])
  const more = fallbacks.flatMap(({ below }, index) => {
    const hits = others[index]
    return hits
      ? [sql`union all select ${index + 1}::int, hit.* from (${hits}) as hit where (select count(*) from first) < ${below}::float8`]
      : []
  })
  if (!first || more.length === 0)
    return [first ? resultsOf((await first.execute(db)).rows) : resultsOf([]), ...fallbacks.map(() => resultsOf([]))]
  const { rows } = await sql<Row & { number: number }>`
    with first as materialized (${first})
    select 0 as number, first.* from first ${sql.join(more, sql` `)}`.execute(db)
  return [query, ...fallbacks].map((_, index) => resultsOf(rows.filter(({ number }) => number === index)))
}

async function hitsOf(db: Db, query: EngineQuery): Promise<Hits | null> {
  const slices = await slicesFor(db, query.filter)
  if (query.manner === 'some') return someHits(db, query, slices)
  return query.order === 'newest' && query.manner === 'all' ? newest(db, query, slices) : best(db, query, slices)
}

// With so many hits in the newest slices, older ones are not read.
const enough = maxListed * 1.5

async function newest(db: Db, question: EngineQuery, slices: Slices): Promise<Hits> {
  const hits = walk(await slicesToRead(db, question, slices), neededOf(question), question.filter, sql`0::float4`, oneTooMany)
  return sql<Row>`
    select key, topic_id, published_at, score, 1::float4 as part, null::int as comment_count from ${hits} as walked
    order by published_at desc, key desc
    limit ${oneTooMany}`
}

// Phrases are only checked for the best hits by words and fields, since they need the whole vector of each.
const lookedAtForPhrases = 60

// Characters in any place are found in many long texts. Beyond so many entries only titles are worth the time.
const scatteredEntries = 10_000

/** The best of the newest, and of titles of any age. */
async function best(db: Db, question: EngineQuery, slices: Slices): Promise<Hits> {
  const { clauses, phrases, filter, manner } = question
  const score = sumOf(clauses.map(worthOfClause))
  const read = manner === 'all' ? await slicesToRead(db, question, slices) : newestOf(slices, scatteredEntries)
  const walked = walk(read, neededOf(question), filter, score, enough)
  const scored = sql<Row>`
    with walked as materialized (select * from ${walked} as hit)
    select key, topic_id, published_at, score, 1::float4 as part, ${commentCount} from (
      select * from walked
      union
      select * from ${walk(slices.periods, neededOf(question, titleQuery), filter, score, enough)} as titled
      where (select count(*) from walked) >= ${manner === 'all' ? enough : 0}
    ) as found
    order by score desc, published_at desc, key desc
    limit ${oneTooMany}`
  if (phrases.length === 0) return scored
  return sql<Row>`
    select key, topic_id, published_at, score + case when place > ${lookedAtForPhrases} then 0::float4 else (
        select ${sumOf(phrases.map((phrase) => worthOfPhrase(phrase, slices)))} from search_entry where search_entry.key = top.key) end as score,
      part, comment_count
    from (select *, row_number() over () as place from (${scored}) as scored) as top
    order by score desc, published_at desc, key desc`
}

/** What all hits satisfy. */
function neededOf({ clauses, phrases }: EngineQuery, queryOf = clauseQuery): Condition[] {
  const quotations = phrases.filter(({ isNeeded }) => isNeeded).map(phraseQuery)
  return [
    ...clauses.filter(({ isNeeded }) => isNeeded).map(queryOf),
    ...quotations.map(
      (phrase): Condition =>
        (period) =>
          `(${phrase(period)})`,
    ),
  ]
}

/**
 * The hits of slice after slice, the best of each first, until there are so many: the index of a slice that is not needed is not read. The
 * slices are parameters, so that the text of the statement depends on neither their number nor the words. They are read in their order, since
 * a lateral join can only be a loop over them.
 */
function walk(
  slices: readonly Slice[],
  conditions: readonly Condition[],
  filter: Filter,
  score: RawBuilder<number>,
  most: number,
): RawBuilder<unknown> {
  return sql`(
    select hit.* from unnest(${matchesIn(slices, conditions, filter)}::tsquery[]) as slice(match), lateral (
      select key, topic_id, published_at, ${score} as score
      from search_entry
      where words @@ slice.match and ${visible(filter)}
      order by score desc, published_at desc, key desc
      limit ${most}
    ) as hit
    limit ${most})`
}

async function slicesToRead(db: Db, { clauses }: EngineQuery, slices: Slices): Promise<readonly Slice[]> {
  const needed = clauses.filter(({ isNeeded }) => isNeeded)
  // How many titles begin so is not counted.
  if (needed.some(({ anyOf }) => anyOf.some(({ within }) => within === 'typed'))) return slices.periods
  return Math.min(...(await expectedCounts(db, needed))) > smallScan ? slices.short : slices.few
}

/** Needed clauses match anyway; the others count only in the title. Only topics have a core. */
function worthOfClause(clause: Clause): RawBuilder<number> {
  const { title, typed, strong } = coreQueries(clause)
  const plain = clause.isNeeded ? weights.words * clause.weight : 0
  const cases = [
    sql`when kind <> 'topic' then ${plain}::float4`,
    ...(title ? [sql`when core @@ ${title}::tsquery then ${weights.title * clause.weight}::float4`] : []),
    ...(typed ? [sql`when core @@ ${typed}::tsquery then ${weights.typed * clause.weight}::float4`] : []),
    ...(strong && clause.isNeeded ? [sql`when core @@ ${strong}::tsquery then ${weights.strong * clause.weight}::float4`] : []),
  ]
  return sql`case ${sql.join(cases, sql` `)} else ${plain}::float4 end`
}

function worthOfPhrase(phrase: Phrase, slices: Slices): RawBuilder<number> {
  const query = phraseQuery(phrase)
  const inAnyPeriod = slices.few.map((slice) => matchIn(slice, [query])).join(' | ')
  return sql`case when search_entry.core @@ ${query('')}::tsquery then ${weights.titlePhrase * phrase.weight}::float4
    when search_entry.words @@ ${inAnyPeriod}::tsquery then ${weights.phrase * phrase.weight}::float4 else 0::float4 end`
}

function sumOf(parts: readonly RawBuilder<number>[]): RawBuilder<number> {
  return parts.length > 0 ? sql`(${sql.join(parts, sql` + `)})` : sql`0::float4`
}

function resultsOf(rows: readonly Row[]): EngineResults {
  return {
    hits: rows.slice(0, maxListed).map((row) => ({
      key: row.key as Key,
      topicId: row.topic_id,
      publishedAt: row.published_at,
      score: row.score,
      part: row.part,
      commentCount: row.comment_count,
    })),
    isMore: rows.length > maxListed,
  }
}

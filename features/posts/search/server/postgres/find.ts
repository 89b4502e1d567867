import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import {
  heaviestOf,
  maxListed,
  weights,
  type Clause,
  type Filter,
  type EngineResults,
  type Key,
  type Phrase,
  type EngineQuery,
} from '#search/server/engine.ts'
import { matchIn, newestOf, slicesFor, type Slice, type Slices } from '#search/server/postgres/slices.ts'
import { sharesOf } from '#search/server/postgres/shares.ts'
import { clauseQuery, coreQueries, filterQueries, phraseQuery, titleQuery, type Condition } from '#search/server/postgres/vector.ts'
import { hasNoUnindexedChange } from '#search/server/unindexed-changes.ts'
import * as tag from '#tag/server/tag.ts'

export async function find(db: Db, question: EngineQuery): Promise<EngineResults> {
  const slices = await slicesFor(db, question.filter)
  if (question.manner === 'some') return foundIn(await findSome(db, question, slices))
  const isByTime = question.order === 'newest' && question.manner === 'all'
  return foundIn(isByTime ? await newest(db, question, slices) : await best(db, question, slices))
}

type Row = { key: string; topic_id: string; published_at: Date; score: number; part?: number; comment_count: number | null }

// One more than the limit shows that there are more.
const oneTooMany = maxListed + 1
// With so many hits in the newest slices, older ones are not read.
const enough = maxListed * 1.5

async function newest(db: Db, question: EngineQuery, slices: Slices): Promise<Row[]> {
  const hits = walk(await slicesToRead(db, question, slices), neededOf(question), question.filter, sql`0::float4`, oneTooMany)
  const { rows } = await sql<Row>`
    select key, topic_id, published_at, score, null::int as comment_count from ${hits} as walked
    order by published_at desc, key desc
    limit ${oneTooMany}`.execute(db)
  return rows
}

// Phrases are only checked for the best hits by words and fields, since they need the whole vector of each.
const lookedAtForPhrases = 60

// Characters in any place are found in many long texts. Beyond so many entries only titles are worth the time.
const scatteredEntries = 10_000

/** The best of the newest, and of titles of any age. */
async function best(db: Db, question: EngineQuery, slices: Slices): Promise<Row[]> {
  const { clauses, phrases, filter, manner } = question
  const score = sumOf(clauses.map(worthOfClause))
  const read = manner === 'all' ? await slicesToRead(db, question, slices) : newestOf(slices, scatteredEntries)
  const walked = walk(read, neededOf(question), filter, score, enough)
  const scored = sql`
    with walked as materialized (select * from ${walked} as hit)
    select key, topic_id, published_at, score, ${commentCount} from (
      select * from walked
      union
      select * from ${walk(slices.periods, neededOf(question, titleQuery), filter, score, enough)} as titled
      where (select count(*) from walked) >= ${manner === 'all' ? enough : 0}
    ) as found
    order by score desc, published_at desc, key desc
    limit ${oneTooMany}`
  if (phrases.length === 0) return (await sql<Row>`${scored}`.execute(db)).rows
  const { rows } = await sql<Row>`
    select key, topic_id, published_at, comment_count, score + case when place > ${lookedAtForPhrases} then 0::float4 else (
        select ${sumOf(phrases.map((phrase) => worthOfPhrase(phrase, slices)))} from search_entry where search_entry.key = top.key) end as score
    from (select *, row_number() over () as place from (${scored}) as scored) as top
    order by score desc, published_at desc, key desc`.execute(db)
  return rows
}

// The order of hits takes it into account.
const commentCount = sql`case when key like 'topic-%' then (select comment_count from topic where topic.id = topic_id) end as comment_count`

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

function matchesIn(slices: readonly Slice[], conditions: readonly Condition[], filter: Filter): string[] {
  const all = [...conditions, ...filterQueries(filter)]
  return slices.map((slice) => matchIn(slice, all))
}

// A scan of this many entries is cheap.
const smallScan = 1_500

async function slicesToRead(db: Db, { clauses }: EngineQuery, slices: Slices): Promise<readonly Slice[]> {
  const needed = clauses.filter(({ isNeeded }) => isNeeded)
  // How many titles begin so is not counted.
  if (needed.some(({ anyOf }) => anyOf.some(({ within }) => within === 'typed'))) return slices.periods
  return Math.min(...(await expectedCounts(db, needed))) > smallScan ? slices.short : slices.few
}

// For common words the newest entries suffice where there are few complete matches.
const wantedOfEach = 80

/**
 * Entries with the highest part come first. Each clause is looked for by itself, so that rare ones are cheap, and common ones in titles, too.
 * All are parameters, in subqueries: the text of the statement does not depend on them, and its plan not on their number.
 */
async function findSome(db: Db, { clauses, filter }: EngineQuery, slices: Slices): Promise<Row[]> {
  const heaviest = heaviestOf(clauses)
  if (heaviest.length === 0) return []
  const counts = await expectedCounts(db, heaviest)
  const searches = heaviest.flatMap((clause, number) => {
    const words = clauseQuery(clause)
    if ((counts[number] ?? 0) <= smallScan) return [{ clause, number, most: smallScan, matches: matchesIn(slices.few, [words], filter) }]
    const one = { clause, number, most: wantedOfEach, matches: matchesIn(slices.short, [words], filter) }
    return [one, { ...one, matches: matchesIn(slices.periods, [titleQuery(clause)], filter) }]
  })
  const column = <T>(of: (one: (typeof searches)[number], index: number) => T) => searches.map(of)
  const queries = searches.map(({ clause }) => coreQueries(clause))
  const { rows } = await sql<Row>`
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
    limit ${oneTooMany}`.execute(db)
  return rows
}

function sumOfWeights(clauses: readonly Clause[]): number {
  return clauses.reduce((sum, { weight }) => sum + weight, 0)
}

/** By estimate, how many entries satisfy each clause. */
async function expectedCounts(db: Db, clauses: readonly Clause[]): Promise<number[]> {
  const tokens = clauses.map(({ anyOf }) => anyOf.map(({ token, isStart }) => (isStart ? `${token}*` : token)))
  const { entries, of } = await sharesOf(db, tokens.flat())
  return tokens.map((some) => some.reduce((sum, token) => sum + entries * (of.get(token) ?? 0), 0))
}

function visible({ scope, since, until }: Filter): RawBuilder<SqlBool> {
  return sql<boolean>`
    ${tag.within(scope, 'search_entry.tag_id')}
    and ${hasNoUnindexedChange}
    and published_at >= ${since ?? '-infinity'}::timestamptz and published_at < ${until ?? 'infinity'}::timestamptz`
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

function foundIn(rows: readonly Row[]): EngineResults {
  return {
    hits: rows.slice(0, maxListed).map((row) => ({
      key: row.key as Key,
      topicId: row.topic_id,
      publishedAt: row.published_at,
      score: row.score,
      part: row.part ?? 1,
      commentCount: row.comment_count,
    })),
    isMore: rows.length > maxListed,
  }
}

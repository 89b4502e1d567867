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
import { clauseQuery, coreQueries, excludedFact, factsNeeded, needsQuery, phraseQuery } from '#search/server/postgres/vector.ts'
import { windowFor } from '#search/server/postgres/window.ts'
import * as tag from '#tag/server/tag.ts'

export async function find(db: Db, question: EngineQuery): Promise<EngineResults> {
  if (question.manner === 'some') return findSome(db, question)
  const needed = question.clauses.filter(({ isNeeded }) => isNeeded)
  const within = await windowFor(db, needed, question.filter, question.order === 'best')
  const found = await findAll(db, question, within)
  // The estimate was too high: the whole time range is searched.
  return within && !found.isMore ? findAll(db, question, null) : found
}

type Row = { key: string; topic_id: string; published_at: Date; score: number; part?: number }

// One more than the limit shows that there are more.
const oneTooMany = maxListed + 1

async function findAll(db: Db, question: EngineQuery, within: string | null): Promise<EngineResults> {
  const { clauses, phrases, filter, order } = question
  const match = [
    ...clauses.filter(({ isNeeded }) => isNeeded).map(clauseQuery),
    ...phrases.filter(({ isNeeded }) => isNeeded).map((phrase) => `(${phraseQuery(phrase)})`),
  ]
  const candidates = sql`
    from search_entry
    where words @@ ${conditionOf(match, filter, within)}::tsquery and ${visible(filter)}`
  return foundIn(order === 'newest' ? await newest(db, candidates) : await best(db, candidates, clauses, phrases))
}

async function newest(db: Db, candidates: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select key, topic_id, published_at, 0::float4 as score
    ${candidates}
    order by published_at desc, key desc
    limit ${oneTooMany}`.execute(db)
  return rows
}

// Phrases are only checked for the best hits by words and fields, since they need the whole vector of each.
const lookedAtForPhrases = 60

async function best(db: Db, candidates: RawBuilder<unknown>, clauses: readonly Clause[], phrases: readonly Phrase[]): Promise<Row[]> {
  const scored = sql`
    select key, topic_id, published_at, ${sumOf(clauses.map(worthOfClause))} as score
    ${candidates}
    order by score desc, published_at desc, key desc`
  const { rows } =
    phrases.length === 0
      ? await sql<Row>`${scored} limit ${oneTooMany}`.execute(db)
      : await sql<Row>`
        select key, topic_id, published_at, score + case when place > ${lookedAtForPhrases} then 0::float4 else (
            select ${sumOf(phrases.map(worthOfPhrase))} from search_entry where search_entry.key = top.key) end as score
        from (select *, row_number() over () as place from (${scored} limit ${oneTooMany}) as scored) as top
        order by score desc, published_at desc, key desc`.execute(db)
  return rows
}

// For common words the newest entries suffice where there are few complete matches.
const wantedOfEach = 80

// Entries with the highest part come first; each clause is a query of its own, so that rare ones are cheap.
async function findSome(db: Db, { clauses, filter }: EngineQuery): Promise<EngineResults> {
  const heaviest = heaviestOf(clauses)
  if (heaviest.length === 0) return { hits: [], isMore: false }
  const whole = heaviest.reduce((sum, { weight }) => sum + weight, 0)
  const parts = await Promise.all(
    heaviest.map(async (clause) => {
      const within = await windowFor(db, [clause], filter, true, wantedOfEach)
      return sql`
        select key, topic_id, published_at, ${worthOfClause(clause)} as score, ${clause.weight / whole}::float4 as part
        from search_entry
        where words @@ ${conditionOf([clauseQuery(clause)], filter, within)}::tsquery and ${visible(filter)}`
    }),
  )
  const { rows } = await sql<Row>`
    select key, topic_id, published_at, sum(score) as score, sum(part) as part
    from (${sql.join(parts, sql` union all `)}) as found
    group by key, topic_id, published_at
    order by score desc, published_at desc, key desc
    limit ${oneTooMany}`.execute(db)
  return foundIn(rows)
}

function conditionOf(match: readonly string[], filter: Filter, within: string | null): string {
  const facts = needsQuery(factsNeeded(filter))
  const leftOut = excludedFact(filter)
  const without = filter.without.map((one) => `!(${phraseQuery(one)}${one.isStart ? ':*' : ''})`)
  return [...match, ...(facts ? [facts] : []), ...(leftOut ? [leftOut] : []), ...(within ? [within] : []), ...without].join(' & ')
}

function visible({ scope, since, until, hidden }: Filter): RawBuilder<SqlBool> {
  return sql<boolean>`
    ${tag.within(scope, 'search_entry.tag_id')}
    and key <> all(${hidden.keys}::text[]) and topic_id <> all(${hidden.topicIds}::bigint[])
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

function worthOfPhrase(phrase: Phrase): RawBuilder<number> {
  const query = phraseQuery(phrase)
  return sql`case when search_entry.core @@ ${query}::tsquery then ${weights.titlePhrase * phrase.weight}::float4
    when search_entry.words @@ ${query}::tsquery then ${weights.phrase * phrase.weight}::float4 else 0::float4 end`
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
    })),
    isMore: rows.length > maxListed,
  }
}

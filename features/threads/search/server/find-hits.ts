import { anyOf, type Db } from '#base/server/database/database.ts'
import { completions, prefixesIn } from '#search/server/completions.ts'
import {
  findInTurn,
  maxListed,
  noHits,
  sourceOf,
  type Engine,
  type Fallback,
  type Filter,
  type EngineResults,
  type Hit,
  type EngineQuery,
  type TokenShares,
} from '#search/server/engine.ts'
import { hitsPerPage } from '#search/limits.ts'
import { byReplies, rank } from '#search/server/rank.ts'
import { wordsNear } from '#search/server/spelling.ts'
import { hasSound, soundOf } from '#search/server/text/sound.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { clausesOf, asCharacters, oneOfEachUnit, type ParsedQuery } from '#search/server/parse-query.ts'

export type Sort = 'best' | 'newest' | 'replies'
type FindInput = { query: ParsedQuery; filter: Filter; sort: Sort; now: Date }
type SearchHits = {
  hits: Hit[]
  isMore: boolean
  /** The number of complete matches, which come first. */
  whole: number
  spellings: ReadonlyMap<string, readonly string[]>
  /** The tokens of completions by word. */
  completionTokens: ReadonlyMap<string, readonly string[]>
}

// Below this number of hits, a word may be misspelled or be initials.
const fewHits = 3
// Below this number of complete matches, partial ones follow them.
const fewCompleteMatches = 10
// The least `part` of a partial match, relative to the best one.
const minPartOfBest = 0.34
const maxSpellings = 3

type Criteria = ReturnType<typeof clausesOf>
type SearchContext = {
  db: Db
  engine: Engine
  query: ParsedQuery
  filter: Filter
  shares: TokenShares
  order: (hits: readonly Hit[]) => Promise<Hit[]> | Hit[]
  question: (manner: EngineQuery['manner'], criteria: Criteria) => EngineQuery
}

export async function findHits(db: Db, engine: Engine, { query, filter, sort, now }: FindInput): Promise<SearchHits> {
  const shares = await engine.shares(
    db,
    query.terms.map(({ token }) => token),
  )
  const context: SearchContext = {
    db,
    engine,
    query,
    filter,
    shares,
    order: (hits) => inOrder(db, hits, sort, now),
    question: (manner, criteria) => ({ ...criteria, manner, filter, order: sort === 'newest' ? 'newest' : 'best' }),
  }
  return query.terms.every(({ word }) => word === null) ? characterHits(context) : wordHits(context)
}

/** Nothing but characters has no spellings, beginnings or pronunciations. What is likely to match few posts is looked for in one trip. */
async function characterHits(context: SearchContext): Promise<SearchHits> {
  const { db, engine, query, shares, question, order } = context
  const plain = clausesOf(query, { shares })
  const others = fallbacks(context, plain)
  const rarest = Math.min(...query.terms.map(({ token, isNeeded }) => (isNeeded ? shares.entries * (shares.of.get(token) ?? 0) : Infinity)))
  const find = rarest < fewCompleteMatches ? engine.findWithFallbacks : findInTurn.bind(null, engine.find)
  const [first = noHits, ...more] = await find(db, question('all', plain), others)
  const whole = await order(first.hits)
  const hits = unique([...whole, ...(await order(nearBest(more)))])
  return listed({ hits, isMore: first.isMore, whole: whole.length })
}

/** Scattered and partial matches, which follow the complete ones where these are few. */
function fallbacks({ query, shares, question }: SearchContext, criteria: Criteria): Fallback[] {
  const loose = isQuoted(query) ? null : asCharacters(query)
  return [
    ...(loose ? [{ query: question('scattered', clausesOf(loose, { shares })), below: fewHits }] : []),
    ...(mayMatchPartly(query)
      ? [{ query: question('some', { ...criteria, clauses: oneOfEachUnit(query, criteria.clauses) }), below: fewCompleteMatches }]
      : []),
  ]
}

async function wordHits(context: SearchContext): Promise<SearchHits> {
  const { db, engine, query, filter, shares, question, order } = context
  const ask = (criteria: Criteria) => engine.find(db, question('all', criteria))
  const plain = clausesOf(query, { shares })
  const first = await ask(plain)
  // Short words are ambiguous: literal matches rank before those by pronunciation.
  const bySound =
    mayMatchBySound(query) && !first.isMore ? await filterBySound(db, query, await ask(clausesOf(query, { shares, byEar: true }))) : []
  const literal = unique([...(await order(first.hits)), ...(await order(bySound))])
  // Whole words rank before completions, which are not searched if the page is full.
  const prefixes = literal.length < hitsPerPage ? prefixesIn(query, literal.length > 0) : []
  const near = await wordsNear(db, prefixes, literal.length < fewHits ? correctableWords(query) : [])
  const completionTokens = await completions(db, engine, prefixes, near.begun)
  const beginning = completionTokens.size > 0 ? await ask(clausesOf(query, { shares, spellings: completionTokens })) : noHits
  const found = unique([...literal, ...(await order(beginning.hits))])
  const isMore = first.isMore || beginning.isMore
  if (found.length >= fewCompleteMatches) return { ...listed({ hits: found, whole: found.length, isMore }), isMore, completionTokens }

  const isSparse = found.length < fewHits && found.length === literal.length
  const spellings = isSparse
    ? await corrections(db, engine, near.corrections, { query, filter, isEmpty: first.hits.length === 0 })
    : new Map()
  const wider = isSparse ? clausesOf(query, { shares, spellings: stemsOf(spellings), isSparse }) : plain
  const isWider = isSparse && wider.clauses.some(({ anyOf }, index) => anyOf.length > (plain.clauses[index]?.anyOf.length ?? 0))
  const needed = fallbacks(context, wider).filter(({ below }) => found.length < below)
  const [all = first, ...others] = isWider
    ? await engine.findWithFallbacks(db, question('all', wider), needed.map(always))
    : [first, ...(await Promise.all(needed.map((fallback) => engine.find(db, fallback.query))))]
  const whole = unique([...(isWider ? await order(all.hits) : []), ...found])
  const hits = unique([...whole, ...(await order(nearBest(others)))])
  return { ...listed({ hits, whole: whole.length, isMore: all.isMore }), spellings, completionTokens }
}

function always(fallback: Fallback): Fallback {
  return { ...fallback, below: Infinity }
}

function listed({ hits, whole, isMore }: Pick<SearchHits, 'hits' | 'whole' | 'isMore'>): SearchHits {
  return {
    hits: hits.slice(0, maxListed),
    isMore: hits.length > maxListed || isMore,
    whole,
    spellings: new Map(),
    completionTokens: new Map(),
  }
}

function unique(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>()
  return hits.filter(({ key }) => !seen.has(key) && seen.add(key))
}

function shortSounds({ terms }: ParsedQuery): string[] {
  return terms.flatMap(({ word, isNeeded }) => (word && isNeeded && soundOf(word) === 'syllables' ? [word] : []))
}

function mayMatchBySound(query: ParsedQuery): boolean {
  return shortSounds(query).length > 0 && !isQuoted(query)
}

// The engine matches prefixes: "cha" would also match "chang", which is filtered out here.
async function filterBySound(db: Db, query: ParsedQuery, { hits }: EngineResults): Promise<Hit[]> {
  const topics = hits.filter(({ key }) => sourceOf(key).kind === 'topic')
  if (topics.length === 0) return []
  const ids = topics.map(({ topicId }) => topicId)
  const rows = await db.selectFrom('topic').select(['id', 'title']).where('id', '=', anyOf(ids)).execute()
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return topics.filter(({ topicId }) => shortSounds(query).some((word) => hasSound(titles.get(topicId) ?? '', word)))
}

function correctableWords({ terms }: ParsedQuery): string[] {
  return terms.flatMap(({ word, isNeeded, isQuoted: isLiteral }) => (word && isNeeded && !isLiteral ? [word] : []))
}

type SparseQuery = { query: ParsedQuery; filter: Filter; /** Whether nothing matched. */ isEmpty: boolean }

/** Of these corrections, the most common first, those of words that match nothing which this viewer may see. */
async function corrections(
  db: Db,
  engine: Engine,
  known: ReadonlyMap<string, readonly string[]>,
  { query, filter, isEmpty }: SparseQuery,
): Promise<Map<string, string[]>> {
  const none = { tagIds: null, authorId: null, kinds: null, since: null, until: null, hasPictures: false, ai: null }
  const isUnfiltered = Object.entries(none).every(([name, value]) => filter[name as keyof typeof none] === value)
  // The only word of a query without a filter was just looked for.
  const isKnownMissing = isEmpty && isUnfiltered && query.terms.length === 1 && query.without.length === 0
  const found = new Map<string, readonly string[]>()
  for (const [word, others] of known)
    if (others.length > 0 && (isKnownMissing || !(await occurs(db, engine, word, { ...filter, ...none })))) found.set(word, others)
  const { of } = await engine.shares(db, [...new Set([...found.values()].flat().map(stemOf))])
  const share = (word: string) => of.get(stemOf(word)) ?? 0
  return new Map(
    [...found].map(([word, others]) => [word, others.toSorted((one, other) => share(other) - share(one)).slice(0, maxSpellings)]),
  )
}

async function occurs(db: Db, engine: Engine, word: string, filter: Filter): Promise<boolean> {
  const clause = { anyOf: [{ token: stemOf(word), within: 'words', isStart: false }], weight: 1, isNeeded: true } as const
  const { hits } = await engine.find(db, { clauses: [clause], phrases: [], manner: 'all', filter, order: 'newest' })
  return hits.length > 0
}

function stemsOf(spellings: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  return new Map([...spellings].map(([word, others]) => [word, others.map(stemOf)]))
}

function mayMatchPartly(query: ParsedQuery): boolean {
  const units = new Set(query.terms.flatMap(({ isNeeded, unit }) => (isNeeded ? [unit] : [])))
  return units.size > 1 && !isQuoted(query)
}

// Quoted text must match literally.
function isQuoted({ terms, phrases }: ParsedQuery): boolean {
  return terms.some((term) => term.isQuoted) || phrases.some(({ isNeeded }) => isNeeded)
}

/** Of each of these results, the hits whose part is near the best. */
function nearBest(results: readonly EngineResults[]): Hit[] {
  return results.flatMap(({ hits }) => {
    const best = Math.max(0, ...hits.map(({ part }) => part))
    return hits.filter(({ part }) => part >= best * minPartOfBest)
  })
}

function inOrder(db: Db, hits: readonly Hit[], sort: Sort, now: Date): Promise<Hit[]> | Hit[] {
  if (sort === 'best') return rank(db, hits, now)
  if (sort === 'replies') return byReplies(db, hits)
  return hits.toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
}

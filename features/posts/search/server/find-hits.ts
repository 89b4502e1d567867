import { anyOf, type Db } from '#base/server/database/database.ts'
import { completions, prefixesIn } from '#search/server/completions.ts'
import { maxListed, sourceOf, type Engine, type Filter, type EngineResults, type Hit, type EngineQuery } from '#search/server/engine.ts'
import { hitsPerPage } from '#search/limits.ts'
import { byReplies, rank } from '#search/server/rank.ts'
import { wordsNear } from '#search/server/spelling.ts'
import { hasSound, soundOf } from '#search/server/text/sound.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { clausesOf, asCharacters, type ParsedQuery } from '#search/server/parse-query.ts'

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

export async function findHits(db: Db, engine: Engine, { query, filter, sort, now }: FindInput): Promise<SearchHits> {
  const shares = await engine.shares(
    db,
    query.terms.map(({ token }) => token),
  )
  const ask = (manner: EngineQuery['manner'], criteria: ReturnType<typeof clausesOf>) =>
    engine.find(db, { ...criteria, manner, filter, order: sort === 'newest' ? 'newest' : 'best' })
  const order = (hits: readonly Hit[]) => inOrder(db, hits, sort, now)

  const plain = clausesOf(query, { shares })
  const first = await ask('all', plain)
  // Short words are ambiguous: literal matches rank before those by pronunciation.
  const bySound =
    mayMatchBySound(query) && !first.isMore
      ? await filterBySound(db, query, await ask('all', clausesOf(query, { shares, byEar: true })))
      : []
  const literal = unique([...(await order(first.hits)), ...(await order(bySound))])
  // Whole words rank before completions, which are not searched if the page is full.
  const prefixes = literal.length < hitsPerPage ? prefixesIn(query, literal.length > 0) : []
  const near = await wordsNear(db, prefixes, literal.length < fewHits ? correctableWords(query) : [])
  const others = await completions(db, engine, prefixes, near.begun)
  const beginning = others.size > 0 ? await ask('all', clausesOf(query, { shares, spellings: others })) : { hits: [], isMore: false }
  const found = unique([...literal, ...(await order(beginning.hits))])
  const isMore = first.isMore || beginning.isMore
  if (found.length >= fewCompleteMatches)
    return { hits: found.slice(0, maxListed), isMore, whole: found.length, spellings: new Map(), completionTokens: others }

  const isSparse = found.length < fewHits && found.length === literal.length
  const spellings = isSparse
    ? await corrections(db, engine, near.corrections, { query, filter, isEmpty: first.hits.length === 0 })
    : new Map()
  const wider = isSparse ? clausesOf(query, { shares, spellings: stemsOf(spellings), isSparse }) : plain
  const isWider = isSparse && wider.clauses.some(({ anyOf }, index) => anyOf.length > (plain.clauses[index]?.anyOf.length ?? 0))
  const all = isWider ? await ask('all', wider) : first
  const loose = isSparse && !isQuoted(query) ? asCharacters(query) : null
  const more = [
    ...(loose ? (await ask('scattered', clausesOf(loose, { shares }))).hits : []),
    ...(mayMatchPartly(query) ? nearBest((await ask('some', wider)).hits) : []),
  ]
  const whole = unique([...(isWider ? await order(all.hits) : []), ...found])
  const hits = unique([...whole, ...(await order(more))])
  return {
    hits: hits.slice(0, maxListed),
    isMore: hits.length > maxListed || all.isMore,
    whole: whole.length,
    spellings,
    completionTokens: others,
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
  return query.terms.filter(({ isNeeded }) => isNeeded).length > 1 && !isQuoted(query)
}

// Quoted text must match literally.
function isQuoted({ terms, phrases }: ParsedQuery): boolean {
  return terms.some((term) => term.isQuoted) || phrases.some(({ isNeeded }) => isNeeded)
}

function nearBest(hits: readonly Hit[]): Hit[] {
  const best = Math.max(0, ...hits.map(({ part }) => part))
  return hits.filter(({ part }) => part >= best * minPartOfBest)
}

function inOrder(db: Db, hits: readonly Hit[], sort: Sort, now: Date): Promise<Hit[]> | Hit[] {
  if (sort === 'best') return rank(db, hits, now)
  if (sort === 'replies') return byReplies(db, hits)
  return hits.toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
}

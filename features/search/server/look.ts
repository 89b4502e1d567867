import type { Db } from '#base/server/database.ts'
import { mostListed, type Engine, type Filter, type Hit, type Question } from '#search/server/engine.ts'
import { byTalk, rank } from '#search/server/rank.ts'
import { spellingsOf } from '#search/server/spelling.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { clausesOf, scattered, type Wish } from '#search/server/wish.ts'

export type Sort = 'best' | 'newest' | 'replies'
type Looking = { wish: Wish; filter: Filter; sort: Sort; now: Date }
type Seen = {
  hits: Hit[]
  isMore: boolean
  /** How many of them have all that is needed; they come first. */
  whole: number
  spellings: ReadonlyMap<string, readonly string[]>
}

// Fewer than this, and a word may be misspelled or be initials.
const hardlyAny = 3
// Fewer than this, and those that have some of it are shown after those that have all.
const few = 10
// How much one must have of what the best one has.
const partOfBest = 0.34
const mostSpellings = 3

export async function lookFor(db: Db, engine: Engine, { wish, filter, sort, now }: Looking): Promise<Seen> {
  const shares = await engine.shares(
    db,
    wish.terms.map(({ token }) => token),
  )
  const ask = (manner: Question['manner'], asked: ReturnType<typeof clausesOf>) =>
    engine.find(db, { ...asked, manner, filter, order: sort === 'newest' ? 'newest' : 'best' })
  const order = (hits: readonly Hit[]) => inOrder(db, hits, sort, now)

  const plain = clausesOf(wish, { shares })
  const first = await ask('all', plain)
  if (first.hits.length >= few) return { ...first, hits: await order(first.hits), whole: first.hits.length, spellings: new Map() }

  const isSparse = first.hits.length < hardlyAny
  const spellings = isSparse ? await likely(db, engine, wish) : new Map<string, string[]>()
  const wider = isSparse ? clausesOf(wish, { shares, spellings: stemsOf(spellings), isSparse }) : plain
  const isWider = isSparse && wider.clauses.some(({ anyOf }, index) => anyOf.length > (plain.clauses[index]?.anyOf.length ?? 0))
  const all = isWider ? await ask('all', wider) : first
  const loose = isSparse && !isQuoted(wish) ? scattered(wish) : null
  const more = [
    ...(loose ? (await ask('all', clausesOf(loose, { shares }))).hits : []),
    ...(mayBePart(wish) ? nearBest((await ask('some', wider)).hits) : []),
  ]
  const hits = unique([...(await order(all.hits)), ...(await order(more))])
  return { hits: hits.slice(0, mostListed), isMore: hits.length > mostListed || all.isMore, whole: all.hits.length, spellings }
}

function unique(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>()
  return hits.filter(({ key }) => !seen.has(key) && seen.add(key))
}

/** Other spellings of words, the most common first. */
async function likely(db: Db, engine: Engine, { terms }: Wish): Promise<Map<string, string[]>> {
  const words = terms.flatMap(({ word, isNeeded }) => (word && isNeeded ? [word] : []))
  const found = await spellingsOf(db, words)
  const { of } = await engine.shares(db, [...new Set([...found.values()].flat().map(stemOf))])
  const share = (word: string) => of.get(stemOf(word)) ?? 0
  return new Map(
    [...found].map(([word, others]) => [word, others.toSorted((one, other) => share(other) - share(one)).slice(0, mostSpellings)]),
  )
}

function stemsOf(spellings: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  return new Map([...spellings].map(([word, others]) => [word, others.map(stemOf)]))
}

function mayBePart(wish: Wish): boolean {
  return wish.terms.filter(({ isNeeded }) => isNeeded).length > 1 && !isQuoted(wish)
}

// What is quoted must be there as it stands.
function isQuoted({ phrases }: Wish): boolean {
  return phrases.some(({ isNeeded }) => isNeeded)
}

function nearBest(hits: readonly Hit[]): Hit[] {
  const best = Math.max(0, ...hits.map(({ part }) => part))
  return hits.filter(({ part }) => part >= best * partOfBest)
}

function inOrder(db: Db, hits: readonly Hit[], sort: Sort, now: Date): Promise<Hit[]> | Hit[] {
  if (sort === 'best') return rank(db, hits, now)
  if (sort === 'replies') return byTalk(db, hits)
  return hits.toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
}

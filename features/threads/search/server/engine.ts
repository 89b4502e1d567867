import type { AiFilter } from '#ai-label/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Scope } from '#base/server/http/route.ts'
import { kinds, type Kind } from '#kind/contract.ts'

/** The kinds of searchable posts. A new kind also needs an entry in `source.ts` and in `show.ts`. */

/** The id of an entry in any engine, such as `topic-12`. */
export type Key = `${Kind}-${string}`

export function keyOf(kind: Kind, id: string): Key {
  return `${kind}-${id}`
}

export function sourceOf(key: string): { kind: Kind; id: string } {
  const [kind, id = ''] = key.split('-')
  return { kind: kinds.find((one) => one === kind) ?? 'topic', id }
}

/** Filterable properties: openings by kind of thread, question state and bounty; all posts by AI label. */
export type EntryMark = 'tells' | 'asks' | 'resolved' | 'unresolved' | 'bounty' | 'ai'

/** The indexed form of a post. Unpublished posts have none. */
export type Entry = {
  key: Key
  kind: Kind
  marks: readonly EntryMark[]
  topicId: string
  /** The primary tag, which decides visibility, and the further tags. */
  tagId: string
  furtherTagIds: readonly string[]
  authorId: string
  publishedAt: Date
  hasPictures: boolean
  /** Tokens in order. An empty string stands for a stop word, which keeps its position. */
  title: readonly string[]
  /** The title, a gap, and the text. */
  words: readonly string[]
  /** Tokens that are repeated often in a topic. */
  strong: readonly string[]
  /** Strings by which the title can be found while typing: words, pinyin, initials. */
  typed: readonly string[]
}

/** One way to satisfy a clause. Matches within `typed` are by prefix. */
export type Atom = { token: string; within: 'words' | 'title' | 'typed'; isStart: boolean }

/** A condition that a hit satisfies by any of its atoms. Optional ones only add to the score. */
export type Clause = { anyOf: readonly Atom[]; weight: number; isNeeded: boolean }

/** Tokens with fixed distances. */
export type Phrase = { tokens: readonly { text: string; at: number }[]; weight: number; isNeeded: boolean }

/** An excluded phrase; a single Chinese character excludes all words that begin with it. */
export type ExcludedPhrase = Pick<Phrase, 'tokens'> & { isStart: boolean }

export type Filter = {
  /** The viewer's scope. */
  scope: Scope
  tagIds: readonly string[] | null
  authorId: string | null
  /** Any of these. */
  kinds: readonly (Kind | EntryMark)[] | null
  since: Date | null
  until: Date | null
  hasPictures: boolean
  /** Only posts with the AI label, or only those without. */
  ai: AiFilter | null
  without: readonly ExcludedPhrase[]
}

export type EngineQuery = {
  clauses: readonly Clause[]
  phrases: readonly Phrase[]
  /** Whether a hit must satisfy all needed clauses, or some. Scattered characters are only searched in titles and the newest entries. */
  manner: 'all' | 'some' | 'scattered'
  filter: Filter
  order: 'best' | 'newest'
}

/** A query for more hits, where the first one has fewer than so many. */
export type Fallback = { query: EngineQuery; below: number }

export type Hit = {
  key: Key
  topicId: string
  publishedAt: Date
  score: number
  /** The weight of the satisfied clauses among the needed ones; 1 for all of them. */
  part: number
  /** Comments in a topic, if the engine knows their number. */
  commentCount?: number | null
}

/** The first hits, up to a limit. */
export type EngineResults = { hits: Hit[]; isMore: boolean }
export const noHits: EngineResults = { hits: [], isMore: false }

/** The number of entries, and the fraction that contains each token. Tokens that are missing here are very rare. */
export type TokenShares = { entries: number; of: ReadonlyMap<string, number> }

/** A search engine: PostgreSQL or a search server. Both return equivalent results. */
export type Engine = {
  name: string
  /** Leaves out posts with changes that are not indexed yet: they may no longer be visible. */
  find(db: Db, question: EngineQuery): Promise<EngineResults>
  /** The same, and the results of each fallback; none for those that are not needed. */
  findWithFallbacks(db: Db, question: EngineQuery, fallbacks: readonly Fallback[]): Promise<EngineResults[]>
  shares(db: Db, tokens: readonly string[]): Promise<TokenShares>
  /** Replaces these entries and deletes those of `gone`. */
  write(tx: Db, entries: readonly Entry[], gone: readonly Key[]): Promise<void>
  /** Deletes the entries of topics with all posts in them. */
  removeTopics(tx: Db, topicIds: readonly string[]): Promise<void>
  /** Deletes entries that were not written since then. */
  sweep(tx: Db, since: Date): Promise<void>
  /** Refreshes the token statistics if much has changed. */
  recount(tx: Db): Promise<void>
}

/** The results of a query and of each fallback that is needed, in a trip each. */
export async function findInTurn(
  find: Engine['find'],
  db: Db,
  query: EngineQuery,
  fallbacks: readonly Fallback[],
): Promise<EngineResults[]> {
  const first = await find(db, query)
  return [
    first,
    ...(await Promise.all(fallbacks.map(async ({ query: other, below }) => (first.hits.length < below ? find(db, other) : noHits)))),
  ]
}

/** The weights of matches by field, in both engines. */
export const weights = { title: 5, typed: 2, strong: 1.6, words: 1, titlePhrase: 3, phrase: 1.5 } as const

/** The most hits that are listed and counted; beyond it only the fact that there are more is known. */
export const maxListed = 150

const maxParts = 10

/** The needed clauses with the highest weights, for partial matches. */
export function heaviestOf(clauses: readonly Clause[]): Clause[] {
  const needed = clauses.filter(({ isNeeded }) => isNeeded)
  return needed.toSorted((one, other) => other.weight - one.weight).slice(0, maxParts)
}

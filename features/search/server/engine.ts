import type { AiFilter } from '#ai-label/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Scope } from '#base/server/http/route.ts'
import { kinds, type Kind } from '#kind/contract.ts'

/** What can be found. Another kind joins here, in `source.ts` and in `show.ts`. */

/** `topic-12`: the name of an entry, whatever keeps it. */
export type Key = `${Kind}-${string}`

export function keyOf(kind: Kind, id: string): Key {
  return `${kind}-${id}`
}

export function sourceOf(key: string): { kind: Kind; id: string } {
  const [kind, id = ''] = key.split('-')
  return { kind: kinds.find((one) => one === kind) ?? 'topic', id }
}

/** What opens a thread is also told apart by whether it asks, how it stands, and whether something is offered for an answer; every post by its AI label. */
export type Mark = 'tells' | 'asks' | 'resolved' | 'unresolved' | 'bounty' | 'ai'

/** What is kept of a post to find it by. Nothing is kept of what is not published. */
export type Entry = {
  key: Key
  kind: Kind
  marks: readonly Mark[]
  topicId: string
  /** The tag that says who may see it, and those that it is found under besides. */
  tagId: string
  furtherTagIds: readonly string[]
  authorId: string
  publishedAt: Date
  hasPictures: boolean
  /** Tokens in their order. An empty one keeps the place of a word that says nothing. */
  title: readonly string[]
  /** The title, a gap, and what is said under it. */
  words: readonly string[]
  /** Tokens that come again and again in a topic. */
  strong: readonly string[]
  /** What one may begin to type for the title: its words, its pinyin, its initials. */
  typed: readonly string[]
}

/** One way to have what a clause asks for. What stands in `typed` is asked for by its beginning. */
export type Atom = { token: string; within: 'words' | 'title' | 'typed'; isStart: boolean }

/** Something that a hit has, in any of these ways. Those that are not needed only add to the score. */
export type Clause = { anyOf: readonly Atom[]; weight: number; isNeeded: boolean }

/** Tokens that stand so far from each other. */
export type Phrase = { tokens: readonly { text: string; at: number }[]; weight: number; isNeeded: boolean }

/** Tokens that no hit has so far from each other; a single Chinese character stands for all that begin with it. */
export type Unwanted = Pick<Phrase, 'tokens'> & { isStart: boolean }

export type Filter = {
  /** Where the viewer may look. */
  scope: Scope
  tagIds: readonly string[] | null
  authorId: string | null
  /** One of these. */
  kinds: readonly (Kind | Mark)[] | null
  since: Date | null
  until: Date | null
  hasPictures: boolean
  /** Only what is labelled as AI-generated, or without it. */
  ai: AiFilter | null
  without: readonly Unwanted[]
  /** What has changed and is not entered again yet: it may be what nobody may see any more. */
  hidden: { keys: readonly string[]; topicIds: readonly string[] }
}

export type Question = {
  clauses: readonly Clause[]
  phrases: readonly Phrase[]
  /** Whether a hit has all that is needed, or some of it. */
  manner: 'all' | 'some'
  filter: Filter
  order: 'best' | 'newest'
}

/** `part` is how much of what is needed it has, by weight: all of it is 1. */
export type Hit = { key: Key; topicId: string; publishedAt: Date; score: number; part: number }

/** Of more than can be listed, the first. */
export type EngineResults = { hits: Hit[]; isMore: boolean }

/** How many entries there are, and which part of them holds each token. What is not here is held by hardly any. */
export type Shares = { entries: number; of: ReadonlyMap<string, number> }

/** Where entries are kept and found: in PostgreSQL, or in a search server. Both answer alike. */
export type Engine = {
  name: string
  find(db: Db, question: Question): Promise<EngineResults>
  shares(db: Db, tokens: readonly string[]): Promise<Shares>
  /** Enters these anew and takes those out. */
  write(tx: Db, entries: readonly Entry[], gone: readonly Key[]): Promise<void>
  /** Takes out a topic with all that is under it. */
  removeTopics(tx: Db, topicIds: readonly string[]): Promise<void>
  /** Takes out what was not entered since then. */
  sweep(tx: Db, since: Date): Promise<void>
  /** Looks again at how common each token is, if much has changed. */
  recount(tx: Db): Promise<void>
}

/** How much a token counts for by where it stands, in both engines. */
export const worth = { title: 5, typed: 2, strong: 1.6, words: 1, titlePhrase: 3, phrase: 1.5 } as const

/** So many are listed and counted; where there are more, they are told apart from fewer, and no more. */
export const mostListed = 150

const mostParts = 10

/** What some of is looked for, when not all of it is needed. */
export function heaviestOf(clauses: readonly Clause[]): Clause[] {
  const needed = clauses.filter(({ isNeeded }) => isNeeded)
  return needed.toSorted((one, other) => other.weight - one.weight).slice(0, mostParts)
}

import { anyOf, type Db } from '#base/server/database/database.ts'
import { begun } from '#search/server/begun.ts'
import { mostListed, sourceOf, type Engine, type Filter, type EngineResults, type Hit, type Question } from '#search/server/engine.ts'
import { hitsPerPage } from '#search/limits.ts'
import { byTalk, rank } from '#search/server/rank.ts'
import { begunNear, spellingsOf } from '#search/server/spelling.ts'
import { sounds, soundOf } from '#search/server/text/sound.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { clausesOf, scattered, type ParsedQuery } from '#search/server/wish.ts'

export type Sort = 'best' | 'newest' | 'replies'
type Looking = { wish: ParsedQuery; filter: Filter; sort: Sort; now: Date }
type ReaderState = {
  hits: Hit[]
  isMore: boolean
  /** The number of complete matches, which come first. */
  whole: number
  spellings: ReadonlyMap<string, readonly string[]>
  /** The tokens of completions by word. */
  begun: ReadonlyMap<string, readonly string[]>
}

// Below this number of hits, a word may be misspelled or be initials.
const hardlyAny = 3
// Below this number of complete matches, partial ones follow them.
const tooFew = 10
// The least `part` of a partial match, relative to the best one.
const partOfBest = 0.34
const mostSpellings = 3

export async function lookFor(db: Db, engine: Engine, { wish, filter, sort, now }: Looking): Promise<ReaderState> {
  const shares = await engine.shares(
    db,
    wish.terms.map(({ token }) => token),
  )
  const ask = (manner: Question['manner'], asked: ReturnType<typeof clausesOf>) =>
    engine.find(db, { ...asked, manner, filter, order: sort === 'newest' ? 'newest' : 'best' })
  const order = (hits: readonly Hit[]) => inOrder(db, hits, sort, now)

  const plain = clausesOf(wish, { shares })
  const first = await ask('all', plain)
  // Short words are ambiguous: literal matches rank before those by pronunciation.
  const heard =
    mayBeHeard(wish) && !first.isMore ? await sounding(db, wish, await ask('all', clausesOf(wish, { shares, byEar: true }))) : []
  const said = unique([...(await order(first.hits)), ...(await order(heard))])
  // Whole words rank before completions, which are not searched if the page is full.
  const others = said.length < hitsPerPage ? await begun(db, engine, wish, said.length > 0) : new Map<string, string[]>()
  const beginning = others.size > 0 ? await ask('all', clausesOf(wish, { shares, spellings: others })) : { hits: [], isMore: false }
  const found = unique([...said, ...(await order(beginning.hits))])
  const isMore = first.isMore || beginning.isMore
  if (found.length >= tooFew) return { hits: found.slice(0, mostListed), isMore, whole: found.length, spellings: new Map(), begun: others }

  const isSparse = found.length < hardlyAny && found.length === said.length
  const spellings = isSparse ? await likely(db, engine, wish, filter) : new Map<string, string[]>()
  const wider = isSparse ? clausesOf(wish, { shares, spellings: stemsOf(spellings), isSparse }) : plain
  const isWider = isSparse && wider.clauses.some(({ anyOf }, index) => anyOf.length > (plain.clauses[index]?.anyOf.length ?? 0))
  const all = isWider ? await ask('all', wider) : first
  const loose = isSparse && !isQuoted(wish) ? scattered(wish) : null
  const more = [
    ...(loose ? (await ask('all', clausesOf(loose, { shares }))).hits : []),
    ...(mayBePart(wish) ? nearBest((await ask('some', wider)).hits) : []),
  ]
  const whole = unique([...(isWider ? await order(all.hits) : []), ...found])
  const hits = unique([...whole, ...(await order(more))])
  return { hits: hits.slice(0, mostListed), isMore: hits.length > mostListed || all.isMore, whole: whole.length, spellings, begun: others }
}

function unique(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>()
  return hits.filter(({ key }) => !seen.has(key) && seen.add(key))
}

function shortSounds({ terms }: ParsedQuery): string[] {
  return terms.flatMap(({ word, isNeeded }) => (word && isNeeded && soundOf(word) === 'syllables' ? [word] : []))
}

function mayBeHeard(wish: ParsedQuery): boolean {
  return shortSounds(wish).length > 0 && !isQuoted(wish)
}

// The engine matches prefixes: "cha" would also match "chang", which is filtered out here.
async function sounding(db: Db, wish: ParsedQuery, { hits }: EngineResults): Promise<Hit[]> {
  const topics = hits.filter(({ key }) => sourceOf(key).kind === 'topic')
  if (topics.length === 0) return []
  const ids = topics.map(({ topicId }) => topicId)
  const rows = await db.selectFrom('topic').select(['id', 'title']).where('id', '=', anyOf(ids)).execute()
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return topics.filter(({ topicId }) => shortSounds(wish).some((word) => sounds(titles.get(topicId) ?? '', word)))
}

/** Corrections, the most common first, of words that match nothing which this viewer may see. */
async function likely(db: Db, engine: Engine, { terms }: ParsedQuery, filter: Filter): Promise<Map<string, string[]>> {
  const words = terms.flatMap(({ word, isNeeded, isQuoted: asItStands }) => (word && isNeeded && !asItStands ? [word] : []))
  const everywhere: Filter = {
    ...filter,
    tagIds: null,
    authorId: null,
    kinds: null,
    since: null,
    until: null,
    hasPictures: false,
    ai: null,
  }
  const found = new Map<string, string[]>()
  const spelled = await spellingsOf(db, words)
  const begunSo = await begunNear(
    db,
    words.filter((word) => !spelled.get(word)?.length),
  )
  for (const [word, others] of [...spelled, ...begunSo]) {
    if (others.length > 0 && !(await stands(db, engine, word, everywhere))) found.set(word, others)
  }
  const { of } = await engine.shares(db, [...new Set([...found.values()].flat().map(stemOf))])
  const share = (word: string) => of.get(stemOf(word)) ?? 0
  return new Map(
    [...found].map(([word, others]) => [word, others.toSorted((one, other) => share(other) - share(one)).slice(0, mostSpellings)]),
  )
}

async function stands(db: Db, engine: Engine, word: string, filter: Filter): Promise<boolean> {
  const clause = { anyOf: [{ token: stemOf(word), within: 'words', isStart: false }], weight: 1, isNeeded: true } as const
  const { hits } = await engine.find(db, { clauses: [clause], phrases: [], manner: 'all', filter, order: 'newest' })
  return hits.length > 0
}

function stemsOf(spellings: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  return new Map([...spellings].map(([word, others]) => [word, others.map(stemOf)]))
}

function mayBePart(wish: ParsedQuery): boolean {
  return wish.terms.filter(({ isNeeded }) => isNeeded).length > 1 && !isQuoted(wish)
}

// Quoted text must match literally.
function isQuoted({ terms, phrases }: ParsedQuery): boolean {
  return terms.some((term) => term.isQuoted) || phrases.some(({ isNeeded }) => isNeeded)
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

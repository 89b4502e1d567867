import { respondsSoon } from '#base/server/outbound/responds-soon.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { HitView, search as searchCall } from '#search/contract.ts'
import { hitsPerPage } from '#search/limits.ts'
import { engineInUse } from '#search/server/engine-in-use.ts'
import type { Engine } from '#search/server/engine.ts'
import { filterFor } from '#search/server/filter.ts'
import { lookFor } from '#search/server/look.ts'
import { rebuild, type Rebuilding } from '#search/server/rebuild.ts'
import { tagsLike } from '#search/server/tags-like.ts'
import type { PlaceView } from '#tag/contract.ts'
import { show } from '#search/server/show.ts'
import type { SearchTerms } from '#search/server/text/highlight.ts'
import { soundOf } from '#search/server/text/sound.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { tokensOf } from '#search/server/text/tokens.ts'
import { wishOf, type ParsedQuery } from '#search/server/wish.ts'

export { isCommon, maySay } from '#search/server/postgres/any-state.ts'

type Answer = Output<typeof searchCall>
type Spellings = ReadonlyMap<string, readonly string[]>

/** One page of results for this viewer: complete matches first, then partial ones. */
export async function search(
  db: Db,
  engine: Engine,
  viewer: Viewer,
  asked: ParsedInput<typeof searchCall>,
  now = new Date(),
): Promise<Answer> {
  const wish = wishOf(asked.keyword)
  const filter = await filterFor(db, viewer, asked, now)
  if (!filter || wish.terms.length === 0) return nothing(asked.page, filter === null)
  const { hits, isMore, whole, spellings, begun } = await lookFor(db, engine, {
    wish,
    filter: { ...filter, without: wish.without },
    sort: asked.sort,
    now,
  })
  const { pages } = pagePosition(hits.length, asked.page, hitsPerPage)

  const shown = await show(
    db,
    viewer,
    hits.slice((asked.page - 1) * hitsPerPage, asked.page * hitsPerPage),
    soughtBy(wish, spellings, begun),
  )
  const respelled = respelledIn(shown, wish, spellings)
  return {
    hits: shown,
    total: hits.length,
    isMore,
    whole,
    page: asked.page,
    pages,
    respelled,
    tags: await tagsBeside(db, viewer, asked),
    isAuthorUnknown: false,
  }
}

async function tagsBeside(
  db: Db,
  viewer: Viewer,
  { keyword, page, kind, tagId, author }: ParsedInput<typeof searchCall>,
): Promise<PlaceView[]> {
  if (page > 1 || kind !== 'all' || tagId || author) return []
  return tagsLike(db, viewer, keyword, { onlyBegun: false })
}

/** The same with the engine in use, for features that search for a viewer. */
export function find(db: Db, viewer: Viewer, asked: ParsedInput<typeof searchCall>): Promise<Answer> {
  return search(db, engineInUse(db), viewer, asked)
}

export async function rebuildAll(database: Database, how: Rebuilding): Promise<void> {
  await rebuild(database, engineInUse(database.app), how)
}

const countedTo = 1_000

/** The engine in use, and the number of queued posts. */
export async function state(db: Db): Promise<{ engine: string; isReachable: boolean; waiting: number }> {
  const few = db.selectFrom('search_change').select('number').limit(countedTo).as('few')
  const [{ count }, isReachable] = await Promise.all([
    db
      .selectFrom(few)
      .select((row) => row.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow(),
    respondsSoon(engineInUse(db).shares(db, [])),
  ])
  return { engine: engineInUse(db).name, isReachable, waiting: Number(count) }
}

function nothing(page: number, isAuthorUnknown: boolean): Answer {
  if (page > 1) throw Missing()
  return { hits: [], total: 0, isMore: false, whole: 0, page, pages: 1, respelled: [], tags: [], isAuthorUnknown }
}

export function soughtBy({ terms }: ParsedQuery, spellings: Spellings = new Map(), begun: Spellings = new Map()): SearchTerms {
  const needed = terms.filter(({ isNeeded }) => isNeeded)
  const others = needed.flatMap(({ word }) => [...(spellings.get(word ?? '') ?? []).map(stemOf), ...(begun.get(word ?? '') ?? [])])
  return {
    tokens: new Set([...needed.filter(({ isStart }) => !isStart).map(({ token }) => token), ...others]),
    starts: needed.filter(({ isStart }) => isStart).map(({ token }) => token),
    joining: new Set(terms.filter(({ isNeeded, word }) => !isNeeded && word === null).map(({ token }) => token)),
    sounds: needed.flatMap(({ word }) => (word && soundOf(word) ? [word] : [])),
  }
}

/** A correction is only reported if a visible hit contains it, since the existence of a word may be confidential. */
function respelledIn(hits: readonly HitView[], { terms }: ParsedQuery, spellings: Spellings): Answer['respelled'] {
  if (spellings.size === 0) return []
  const marks = hits.flatMap(({ title, excerpt }) => [...title, ...excerpt]).filter(({ isHit }) => isHit)
  const seen = new Set(marks.flatMap(({ text }) => tokensOf(text)).map(({ text }) => text))
  return terms.flatMap(({ token, word }) => {
    const to = seen.has(token) ? undefined : spellings.get(word ?? '')?.find((other) => seen.has(stemOf(other)))
    return word && to ? [{ from: word, to }] : []
  })
}

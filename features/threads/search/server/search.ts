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
import { findHits } from '#search/server/find-hits.ts'
import { rebuild, type RebuildOptions } from '#search/server/rebuild.ts'
import { matchingTags } from '#search/server/matching-tags.ts'
import type { PlaceView } from '#tag/contract.ts'
import { show } from '#search/server/show.ts'
import { searchTerms, type SearchTerms } from '#search/server/text/highlight.ts'
import { soundOf } from '#search/server/text/sound.ts'
import { stemOf } from '#search/server/text/stem.ts'
import { tokensOf } from '#search/server/text/tokens.ts'
import { parseQuery, type ParsedQuery } from '#search/server/parse-query.ts'

export { isCommon, candidateIds } from '#search/server/postgres/any-state.ts'

type SearchResult = Output<typeof searchCall>
type Spellings = ReadonlyMap<string, readonly string[]>

/** One page of results for this viewer: complete matches first, then partial ones. */
export async function search(
  db: Db,
  engine: Engine,
  viewer: Viewer,
  params: ParsedInput<typeof searchCall>,
  now = new Date(),
): Promise<SearchResult> {
  const query = parseQuery(params.keyword)
  const filter = await filterFor(db, viewer, params, now)
  if (!filter || query.terms.length === 0) return emptyResult(params.page, filter === null)
  const { hits, isMore, whole, spellings, completionTokens } = await findHits(db, engine, {
    query,
    filter: { ...filter, without: query.without },
    sort: params.sort,
    now,
  })
  const { pages } = pagePosition(hits.length, params.page, hitsPerPage)

  const results = await show(
    db,
    viewer,
    hits.slice((params.page - 1) * hitsPerPage, params.page * hitsPerPage),
    searchTermsOf(query, spellings, completionTokens),
  )
  const respelled = appliedCorrections(results, query, spellings)
  return {
    hits: results,
    total: hits.length,
    isMore,
    whole,
    page: params.page,
    pages,
    respelled,
    tags: await tagsBeside(db, viewer, params),
    isAuthorUnknown: false,
  }
}

async function tagsBeside(
  db: Db,
  viewer: Viewer,
  { keyword, page, kind, tagId, author }: ParsedInput<typeof searchCall>,
): Promise<PlaceView[]> {
  if (page > 1 || kind !== 'all' || tagId || author) return []
  return matchingTags(db, viewer, keyword, { onlyBegun: false })
}

/** The same with the engine in use, for features that search for a viewer. */
export function find(db: Db, viewer: Viewer, params: ParsedInput<typeof searchCall>): Promise<SearchResult> {
  return search(db, engineInUse(db), viewer, params)
}

export async function rebuildAll(database: Database, how: RebuildOptions): Promise<void> {
  await rebuild(database, engineInUse(database.app), how)
}

const maxCounted = 1_000

/** The engine in use, and the number of queued posts. */
export async function state(db: Db): Promise<{ engine: string; isReachable: boolean; waiting: number }> {
  const few = db.selectFrom('search_change').select('number').limit(maxCounted).as('few')
  const [{ count }, isReachable] = await Promise.all([
    db
      .selectFrom(few)
      .select((row) => row.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow(),
    respondsSoon(engineInUse(db).shares(db, [])),
  ])
  return { engine: engineInUse(db).name, isReachable, waiting: Number(count) }
}

function emptyResult(page: number, isAuthorUnknown: boolean): SearchResult {
  if (page > 1) throw Missing()
  return { hits: [], total: 0, isMore: false, whole: 0, page, pages: 1, respelled: [], tags: [], isAuthorUnknown }
}

export function searchTermsOf({ terms }: ParsedQuery, spellings: Spellings = new Map(), begun: Spellings = new Map()): SearchTerms {
  const needed = terms.filter(({ isNeeded }) => isNeeded)
  const others = needed.flatMap(({ word, name }) => [
    ...(name ? [name] : []),
    ...(spellings.get(word ?? '') ?? []).map(stemOf),
    ...(begun.get(word ?? '') ?? []),
  ])
  return searchTerms({
    tokens: new Set([...needed.filter(({ isStart }) => !isStart).map(({ token }) => token), ...others]),
    starts: needed.filter(({ isStart }) => isStart).map(({ token }) => token),
    joining: new Set(terms.filter(({ isNeeded, word }) => !isNeeded && word === null).map(({ token }) => token)),
    sounds: needed.flatMap(({ word }) => (word && soundOf(word) ? [word] : [])),
  })
}

/** A correction is only reported if a visible hit contains it, since the existence of a word may be confidential. */
function appliedCorrections(hits: readonly HitView[], { terms }: ParsedQuery, spellings: Spellings): SearchResult['respelled'] {
  if (spellings.size === 0) return []
  const marks = hits.flatMap(({ title, excerpt }) => [...title, ...excerpt]).filter(({ isHit }) => isHit)
  const seen = new Set(marks.flatMap(({ text }) => tokensOf(text)).map(({ text }) => text))
  return terms.flatMap(({ token, word }) => {
    const to = seen.has(token) ? undefined : spellings.get(word ?? '')?.find((other) => seen.has(stemOf(other)))
    return word && to ? [{ from: word, to }] : []
  })
}

import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { suggest as suggestCall } from '#search/contract.ts'
import type { Atom, Clause, Engine } from '#search/server/engine.ts'
import { unfiltered } from '#search/server/filter.ts'
import { rank } from '#search/server/rank.ts'
import { searchTermsOf } from '#search/server/search.ts'
import { show } from '#search/server/show.ts'
import { matchingTags } from '#search/server/matching-tags.ts'
import { parseQuery, type Term } from '#search/server/parse-query.ts'
import * as setting from '#setting/server/setting.ts'

type Suggestions = Output<typeof suggestCall>

const maxTopics = 6
const maxCandidates = 30

/** Matching titles and tags while typing. For an empty query, the words that staff recommend. */
export async function suggest(db: Db, engine: Engine, viewer: Viewer, keyword: string): Promise<Suggestions> {
  if (!keyword) return { topics: [], tags: [], hotWords: (await setting.all(db)).hotSearchWords }
  const [topics, tags] = await Promise.all([titles(db, engine, viewer, keyword), matchingTags(db, viewer, keyword, { onlyBegun: true })])
  return { topics, tags, hotWords: [] }
}

async function titles(db: Db, engine: Engine, viewer: Viewer, keyword: string): Promise<Suggestions['topics']> {
  const query = parseQuery(keyword)
  if (query.terms.length === 0) return []
  const clauses = query.terms.map((term, index): Clause => ({
    anyOf: atomsOf(term, index === query.terms.length - 1),
    weight: 1,
    isNeeded: true,
  }))
  const filter = { ...unfiltered(viewer), kinds: ['topic'] as const }
  const { hits } = await engine.find(db, { clauses, phrases: [], manner: 'all', filter, order: 'best' })
  const best = (await rank(db, hits.slice(0, maxCandidates), new Date())).slice(0, maxTopics)
  const terms = { ...searchTermsOf(query), sounds: query.terms.flatMap(({ word }) => word ?? []).slice(-1) }
  return (await show(db, viewer, best, terms)).map(({ id, thread: kind, title }) => ({ id, kind, title }))
}

// The last word may be incomplete.
function atomsOf({ token, word, isStart, name }: Term, isLast: boolean): Atom[] {
  const whole: Atom[] = [{ token, within: 'title', isStart }, ...(name ? [{ token: name, within: 'title', isStart: false } as const] : [])]
  return isLast && word ? [...whole, { token: word, within: 'typed', isStart: true }] : whole
}

import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { search } from '#search/contract.ts'
import type { Filter } from '#search/server/engine.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import { remarkKinds } from '#kind/contract.ts'

const dayMs = 86_400_000
const daysIn = { day: 1, week: 7, month: 31, year: 366 } as const

const kindFilters: Record<ParsedInput<typeof search>['kind'], Filter['kinds']> = {
  all: null,
  topic: ['tells'],
  question: ['asks'],
  resolved: ['resolved'],
  unresolved: ['unresolved'],
  bounty: ['bounty'],
  comment: remarkKinds,
}

type FilterParams = Pick<ParsedInput<typeof search>, 'kind' | 'tagId' | 'author' | 'within' | 'from' | 'until' | 'pictures' | 'ai'>

/** The filter of a query for this viewer. Null if no member has the given name; refuses if that member's activity is hidden. */
export async function filterFor(db: Db, viewer: Viewer, params: FilterParams, now: Date): Promise<Filter | null> {
  const [place, authorId] = await Promise.all([
    params.tagId ? tag.openTag(db, viewer, params.tagId) : null,
    params.author ? user.memberIdByName(db, params.author) : undefined,
  ])
  if (authorId === null) return null
  if (authorId !== undefined) await user.activityOwner(db, viewer, authorId)
  return {
    scope: viewer.where('tag.view'),
    tagIds: place?.tagIds ?? null,
    authorId: authorId ?? null,
    kinds: kindFilters[params.kind],
    since: latest(
      params.within ? new Date(now.getTime() - daysIn[params.within] * dayMs) : null,
      params.from ? new Date(params.from) : null,
    ),
    // The last day is inclusive.
    until: params.until ? new Date(new Date(params.until).getTime() + dayMs) : null,
    hasPictures: params.pictures,
    // The filter has no effect if the site does not show AI labels.
    ai: (await setting.all(db)).aiLabels === 'off' ? null : (params.ai ?? null),
    without: [],
  }
}

/** The filter for everything that this viewer may see. */
export function unfiltered(viewer: Viewer): Filter {
  const none = { tagIds: null, authorId: null, kinds: null, since: null, until: null, hasPictures: false, ai: null, without: [] }
  return { ...none, scope: viewer.where('tag.view') }
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}

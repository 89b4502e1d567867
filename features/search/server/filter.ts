import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { search } from '#search/contract.ts'
import type { Filter } from '#search/server/engine.ts'
import { hiddenNow } from '#search/server/hidden.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import { remarkKinds } from '#kind/contract.ts'

const dayMs = 86_400_000
const daysIn = { day: 1, week: 7, month: 31, year: 366 } as const

const kindsAsked: Record<ParsedInput<typeof search>['kind'], Filter['kinds']> = {
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
export async function filterFor(db: Db, viewer: Viewer, asked: FilterParams, now: Date): Promise<Filter | null> {
  const [hidden, place, authorId] = await Promise.all([
    hiddenNow(db),
    asked.tagId ? tag.opened(db, viewer, asked.tagId) : null,
    asked.author ? user.idOf(db, asked.author) : undefined,
  ])
  if (authorId === null) return null
  if (authorId !== undefined) await user.whoseActivity(db, viewer, authorId)
  return {
    scope: viewer.where('tag.view'),
    tagIds: place?.tagIds ?? null,
    authorId: authorId ?? null,
    kinds: kindsAsked[asked.kind],
    since: later(asked.within ? new Date(now.getTime() - daysIn[asked.within] * dayMs) : null, asked.from ? new Date(asked.from) : null),
    // The last day is inclusive.
    until: asked.until ? new Date(new Date(asked.until).getTime() + dayMs) : null,
    hasPictures: asked.pictures,
    // The filter has no effect if the site does not show AI labels.
    ai: (await setting.all(db)).aiLabels === 'off' ? null : (asked.ai ?? null),
    without: [],
    hidden,
  }
}

/** The filter for everything that this viewer may see. */
export async function anywhere(db: Db, viewer: Viewer): Promise<Filter> {
  const none = { tagIds: null, authorId: null, kinds: null, since: null, until: null, hasPictures: false, ai: null, without: [] }
  return { ...none, scope: viewer.where('tag.view'), hidden: await hiddenNow(db) }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other
  return one > other ? one : other
}

import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Kind, RemarkKind, ThreadKind } from '#kind/contract.ts'

/** How a thing stands, as far as deeds of staff change it; kept with batches as it is here. Times are as exact as the database keeps them. */
export type Standing = {
  status: 'pending' | 'published' | 'deleted'
  deletedBy: 'author' | 'staff' | null
  deletedAt: string | null
  deletedReason: string | null
  kind: ThreadKind
  tagId: string
  pin: number
  featuredAt: string | null
  sunkAt: string | null
  takesComments: boolean
  aiLabel: AiLabelView
  withdrawnAt: string | null
  /** The asker, where it was they who closed it. */
  closedBy: string | null
  /** Which answer solved the question, since when, and who of the staff said so. */
  adopted: string | null
  adoptedAt: string | null
  adoptedBy: string | null
}
export type Part = Partial<Standing>
export type Change = { before: Part; after: Part }

const removal = {
  deletedBy: sql<Standing['deletedBy']>`deleted_by`,
  deletedAt: sql<string | null>`to_json(deleted_at) #>> '{}'`,
  deletedReason: sql<string | null>`deleted_reason`,
}

/** How it stands now. It should be locked. */
export async function standingOf(tx: Db, kind: Kind, id: string): Promise<Part> {
  const found = await (kind === 'topic' ? ofTopic(tx, id) : ofRemark(tx, kind, id))
  if (!found) throw Missing()
  return { ...found, aiLabel: found.aiLabel as AiLabelView }
}

function ofTopic(tx: Db, id: string) {
  return tx
    .selectFrom('topic')
    .select(['status', 'kind', 'tag_id as tagId', 'pin', 'takes_comments as takesComments', 'closed_by as closedBy', 'ai_label as aiLabel'])
    .select([removal.deletedBy.as('deletedBy'), removal.deletedAt.as('deletedAt'), removal.deletedReason.as('deletedReason')])
    .select([
      sql<string | null>`to_json(featured_at) #>> '{}'`.as('featuredAt'),
      sql<string | null>`to_json(sunk_at) #>> '{}'`.as('sunkAt'),
      sql<string | null>`to_json(withdrawn_at) #>> '{}'`.as('withdrawnAt'),
    ])
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .executeTakeFirst()
}

function ofRemark(tx: Db, table: RemarkKind, id: string) {
  return tx
    .selectFrom(table)
    .select(['status', 'ai_label as aiLabel'])
    .select([removal.deletedBy.as('deletedBy'), removal.deletedAt.as('deletedAt'), removal.deletedReason.as('deletedReason')])
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .executeTakeFirst()
}

/** What solved a question, if anything did. */
export async function adoptionIn(tx: Db, topicId: string): Promise<Part> {
  const found = await tx
    .selectFrom('adoption')
    .select(['comment_id as adopted', sql<string>`to_json(adopted_at) #>> '{}'`.as('adoptedAt'), 'staff_id as adoptedBy'])
    .where('topic_id', '=', topicId)
    .executeTakeFirst()
  return found ?? { adopted: null, adoptedAt: null, adoptedBy: null }
}

/** What is different; null where nothing is. Who said what solved it goes with when: the same hand may have said both. */
export function changeBetween(before: Part, after: Part): Change | null {
  const differs = (name: keyof Standing) => before[name] !== after[name]
  const names = namesOf(before).filter((name) => differs(name) || (name === 'adoptedBy' && differs('adoptedAt')))
  return names.length === 0 ? null : { before: only(before, names), after: only(after, names) }
}

/** Whether all that was changed still is as it was left. */
export function isAsLeft(now: Part, left: Part): boolean {
  return namesOf(left).every((name) => now[name] === left[name])
}

function namesOf(part: Part): (keyof Standing)[] {
  return Object.keys(part) as (keyof Standing)[]
}

function only(part: Part, names: readonly (keyof Standing)[]): Part {
  return Object.fromEntries(names.map((name) => [name, part[name]]))
}

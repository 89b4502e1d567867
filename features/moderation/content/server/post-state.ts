import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Kind, RemarkKind, ThreadKind } from '#kind/contract.ts'

/** The state of a post that actions of staff change; stored with batches as JSON in this form. Times have the precision of the database. */
export type PostState = {
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
  /** The asker, if they closed the question. */
  closedBy: string | null
  /** The accepted answer, its time, and the member of staff who accepted it. */
  adopted: string | null
  adoptedAt: string | null
  adoptedBy: string | null
}
export type PartialState = Partial<PostState>
export type StateChange = { before: PartialState; after: PartialState }

const removal = {
  deletedBy: sql<PostState['deletedBy']>`deleted_by`,
  deletedAt: sql<string | null>`to_json(deleted_at) #>> '{}'`,
  deletedReason: sql<string | null>`deleted_reason`,
}

/** The present state. The row should be locked. */
export async function readState(tx: Db, kind: Kind, id: string): Promise<PartialState> {
  const found = await (kind === 'topic' ? topicState(tx, id) : remarkState(tx, kind, id))
  if (!found) throw Missing()
  return { ...found, aiLabel: found.aiLabel as AiLabelView }
}

function topicState(tx: Db, id: string) {
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

function remarkState(tx: Db, table: RemarkKind, id: string) {
  return tx
    .selectFrom(table)
    .select(['status', 'ai_label as aiLabel'])
    .select([removal.deletedBy.as('deletedBy'), removal.deletedAt.as('deletedAt'), removal.deletedReason.as('deletedReason')])
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .executeTakeFirst()
}

/** The accepted answer of a question, if any. */
export async function readAdoption(tx: Db, topicId: string): Promise<PartialState> {
  const found = await tx
    .selectFrom('adoption')
    .select(['comment_id as adopted', sql<string>`to_json(adopted_at) #>> '{}'`.as('adoptedAt'), 'staff_id as adoptedBy'])
    .where('topic_id', '=', topicId)
    .executeTakeFirst()
  return found ?? { adopted: null, adoptedAt: null, adoptedBy: null }
}

/** The fields that differ; null if none do. The actor of an adoption is included with its time, since the same one may have made both. */
export function changeBetween(before: PartialState, after: PartialState): StateChange | null {
  const differs = (name: keyof PostState) => before[name] !== after[name]
  const names = namesOf(before).filter((name) => differs(name) || (name === 'adoptedBy' && differs('adoptedAt')))
  return names.length === 0 ? null : { before: pick(before, names), after: pick(after, names) }
}

/** Whether all changed fields still have the values of the change. */
export function isUnchanged(now: PartialState, left: PartialState): boolean {
  return namesOf(left).every((name) => now[name] === left[name])
}

function namesOf(part: PartialState): (keyof PostState)[] {
  return Object.keys(part) as (keyof PostState)[]
}

function pick(part: PartialState, names: readonly (keyof PostState)[]): PartialState {
  return Object.fromEntries(names.map((name) => [name, part[name]]))
}

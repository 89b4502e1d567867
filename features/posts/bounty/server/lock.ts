import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { BountyState } from '#bounty/contract.ts'
import * as tag from '#tag/server/tag.ts'
import { toMinor, type Minor } from '#wallet/contract.ts'

/** The bounty of a question, whose thread is locked first. */
export type Bounty = {
  topicId: string
  state: BountyState
  points: Minor
  cents: Minor
  days: number
  endsAt: Date | null
  /** Whether the deadline has passed by the database's clock. */
  isOver: boolean
  times: number
  pointsHold: string | null
  centsHold: string | null
}

export type LockedQuestion = {
  id: string
  kind: 'topic' | 'question'
  status: string
  authorId: string
  title: string
  tagId: string
  parentTagId: string | null
  alsoListedIn: string[]
}

/** The bounties of these questions, with their rows locked against concurrent ends. */
export async function lockBounties(tx: Db, topicIds: readonly string[]): Promise<Bounty[]> {
  if (topicIds.length === 0) return []
  const rows = await bounties(tx).where('topic_id', '=', anyOf(topicIds)).orderBy('topic_id').forUpdate().execute()
  return rows.map(bountyOf)
}

export async function lockBounty(tx: Db, topicId: string): Promise<Bounty | null> {
  return (await lockBounties(tx, [topicId]))[0] ?? null
}

export async function findBounty(db: Db, topicId: string): Promise<Bounty | null> {
  const row = await bounties(db).where('topic_id', '=', topicId).executeTakeFirst()
  return row ? bountyOf(row) : null
}

/** The question with its row locked; null if it is locked elsewhere and the caller does not wait. */
export async function lockQuestion(tx: Db, topicId: string, whenLocked: 'waits' | 'skips' = 'waits'): Promise<LockedQuestion | null> {
  const row = await tx
    .selectFrom('topic')
    .select(['id', 'kind', 'status', 'author_id as authorId', 'title', 'tag_id as tagId'])
    .select(sql<string | null>`(select parent_id from tag where tag.id = topic.tag_id)`.as('parentTagId'))
    .select(tag.alsoListedIn.as('alsoListedIn'))
    .where('id', '=', topicId)
    .forUpdate('topic')
    .$if(whenLocked === 'skips', (query) => query.skipLocked())
    .executeTakeFirst()
  return row ?? null
}

/** Invalidates everything that shows the bounty. */
export function invalidateQuestion(tx: Db, { id, tagId, parentTagId, alsoListedIn }: LockedQuestion): void {
  invalidate(tx, `topic:${id}`, 'tags')
  tag.invalidateLists(tx, tagId, parentTagId, alsoListedIn)
}

function bounties(db: Db) {
  return db
    .selectFrom('bounty')
    .select(['topic_id as topicId', 'state', 'points', 'cents', 'days', 'ends_at as endsAt', 'times'])
    .select(sql<boolean>`coalesce(ends_at <= clock_timestamp(), false)`.as('isOver'))
    .select(['points_hold as pointsHold', 'cents_hold as centsHold'])
}

function bountyOf({ points, cents, ...row }: Omit<Bounty, 'points' | 'cents'> & { points: string; cents: string }): Bounty {
  return { ...row, points: toMinor(points), cents: toMinor(cents) }
}

import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type * as batch from '#batch/server/batch.ts'
import { reopen } from '#review/server/decided.ts'
import { withPosts } from '#review/server/rows.ts'

const actions: readonly string[] = ['review.approve', 'review.reject']

/** Undo of a bulk decision: each review waits again, if it is still in the state that the decision left. */
const reviews: batch.BulkTarget = {
  viewRight: 'content.review',
  requirements: (action) => (actions.includes(action) ? { right: 'content.review', isOneGo: true } : null),
  apply: () => Promise.reject(new Error('Reviews are decided about where they are read')),
  undo: async (tx, by, { id, after }) => void (await reopen(tx, by, id, (after as DecidedVersion).version)),
  about: (db, ids) => columnOf(db, ids, sql<string>`review.kind || ' ' || review.post_id`),
  namesOf: (db, ids) => columnOf(db, ids, sql<string>`topic.title`),
  filterNames: async () => () => null,
}

export const bulkTargets = { review: reviews }

/** The version after the decision, as a batch stores it. */
export type DecidedVersion = { version: number }

async function columnOf(db: Db, ids: readonly string[], what: ReturnType<typeof sql<string>>): Promise<Map<string, string>> {
  const rows = await withPosts(db)
    .select(['review.id', what.as('told')])
    .where('review.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, told }) => [id, told]))
}

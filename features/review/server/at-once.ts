import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type * as batch from '#batch/server/batch.ts'
import { letWait } from '#review/server/decided.ts'
import { withPosts } from '#review/server/rows.ts'

const deeds: readonly string[] = ['review.approve', 'review.reject']

/** Reviews that were decided about together wait again together, each where it still stands as it was left. */
const reviews: batch.Things = {
  seenWith: 'content.review',
  need: (deed) => (deeds.includes(deed) ? { right: 'content.review', isOneGo: true } : null),
  doTo: () => Promise.reject(new Error('Reviews are decided about where they are read')),
  undo: async (tx, by, { id, after }) => void (await letWait(tx, by, id, (after as Left).version)),
  about: (db, ids) => told(db, ids, sql<string>`review.kind || ' ' || review.post_id`),
  called: (db, ids) => told(db, ids, sql<string>`topic.title`),
  calledIn: async () => () => null,
}

export const bulkTargets = { review: reviews }

/** What a batch keeps of a review: as which version it left it. */
export type Left = { version: number }

async function told(db: Db, ids: readonly string[], what: ReturnType<typeof sql<string>>): Promise<Map<string, string>> {
  const rows = await withPosts(db)
    .select(['review.id', what.as('told')])
    .where('review.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, told }) => [id, told]))
}

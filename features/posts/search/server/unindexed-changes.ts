import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { keyOf, type Filter } from '#search/server/engine.ts'

// More changes at once occur only when the whole forum is changed; visible hits are checked one by one in any case.
const maxHidden = 10_000

/** Posts with changes that are not indexed yet. They are excluded until then, since they may no longer be visible. */
export async function unindexedChanges(db: Db): Promise<Filter['hidden']> {
  const rows = await db
    .selectFrom('search_change')
    .select(['kind', 'source_id'])
    .where(sql<boolean>`not is_new`)
    .limit(maxHidden)
    .execute()
  // A post with two changes has two rows.
  const ids = (isTopic: boolean) => rows.filter(({ kind }) => (kind === 'topic') === isTopic)
  return {
    keys: [...new Set(ids(false).map(({ kind, source_id }) => keyOf(kind, source_id)))],
    topicIds: [...new Set(ids(true).map(({ source_id }) => source_id))],
  }
}

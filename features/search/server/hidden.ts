import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { keyOf, type Filter } from '#search/server/engine.ts'

// More change at once only when somebody changes the whole forum, and then what is shown is still checked one by one.
const most = 10_000

/** What has changed and is not entered again yet. Until it is, it is not found: it may be what nobody may see any more. */
export async function hiddenNow(db: Db): Promise<Filter['hidden']> {
  const rows = await db
    .selectFrom('search_change')
    .select(['kind', 'source_id'])
    .where(sql<boolean>`not is_new`)
    .limit(most)
    .execute()
  // What changed twice stands there twice.
  const ids = (isTopic: boolean) => rows.filter(({ kind }) => (kind === 'topic') === isTopic)
  return {
    keys: [...new Set(ids(false).map(({ kind, source_id }) => keyOf(kind, source_id)))],
    topicIds: [...new Set(ids(true).map(({ source_id }) => source_id))],
  }
}

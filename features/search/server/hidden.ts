import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { keyOf, type Filter } from '#search/server/engine.ts'

// More change at once only when somebody changes the whole forum, and then what is shown is still checked one by one.
const most = 10_000

/** What has changed and is not entered again yet. Until it is, it is not found: it may be what nobody may see any more. */
export async function hiddenNow(db: Db): Promise<Filter['hidden']> {
  const rows = await db
    .selectFrom('search_change')
    .select(['kind', 'source_id'])
    .distinct()
    .where(sql<boolean>`not is_new`)
    .limit(most)
    .execute()
  return {
    keys: rows.flatMap(({ kind, source_id }) => (kind === 'topic' ? [] : [keyOf(kind, source_id)])),
    topicIds: rows.flatMap(({ kind, source_id }) => (kind === 'topic' ? [source_id] : [])),
  }
}

import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { keyOf } from '#search/server/engine.ts'

// More changes at once occur only when the whole forum is changed; visible hits are checked one by one in any case.
const maxHidden = 10_000

/** Posts with changes that are not indexed yet, and topics of which all posts may be affected. */
export type UnindexedChanges = { keys: readonly string[]; topicIds: readonly string[] }

export async function unindexedChanges(db: Db): Promise<UnindexedChanges> {
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

/** The condition that an entry has no such change, in the snapshot of the statement. */
export const hasNoUnindexedChange: RawBuilder<SqlBool> = sql`
  search_entry.key not in (
    select kind || '-' || source_id from search_change where not is_new and kind <> 'topic' limit ${maxHidden})
  and search_entry.topic_id not in (
    select source_id from search_change where not is_new and kind = 'topic' limit ${maxHidden})`

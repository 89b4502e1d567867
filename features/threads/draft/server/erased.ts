import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ErasedPost } from '#base/server/moments.ts'

/** Deletes what members began to write in the place of a post that is erased, or under it. */
export async function postErased(tx: Db, post: ErasedPost): Promise<void> {
  await tx
    .deleteFrom('draft')
    .where('place', 'in', () => placesOf(post))
    .execute()
}

function placesOf({ kind, id, withReplies }: ErasedPost) {
  if (kind !== 'topic' || !withReplies) return sql<string>`(${`edit ${kind} ${id}`})`
  return sql<string>`(
    select unnest(array['edit topic ', 'comment ']) || ${id}::text
    union all select unnest(array['edit comment ', 'reply ']) || id from comment where topic_id = ${id}
    union all select 'edit reply ' || id from reply where topic_id = ${id})`
}

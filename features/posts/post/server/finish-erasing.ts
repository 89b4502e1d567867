import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { postReferencesOf } from '#base/server/feature.ts'
import { dispatch, type ErasedPost } from '#base/server/moments.ts'
import { remarkKinds, type Kind } from '#kind/contract.ts'

/** The end of every erasure: features take part in it, and then the rows go that they declare to go with a post. */
export async function finishErasing(tx: Db, post: ErasedPost): Promise<void> {
  const { kind, id, withReplies } = post
  await dispatch(tx, 'postErased', post)
  if (kind === 'topic' && withReplies)
    for (const under of remarkKinds) {
      const rows = await tx.selectFrom(under).select('id').where('topic_id', '=', id).execute()
      await deleteRows(
        tx,
        under,
        rows.map((row) => row.id),
      )
    }
  await deleteRows(tx, kind, [id])
}

/** Deletes the rows of these posts, in the order in which features declare their columns. */
export async function deleteRows(tx: Db, kind: Kind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  for (const { table, column } of deletedColumns(tx))
    if (column === `${kind}_id`) await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::bigint[])`.execute(tx)
}

function deletedColumns(db: Db) {
  return postReferencesOf(db).filter(({ erased }) => erased === 'delete')
}

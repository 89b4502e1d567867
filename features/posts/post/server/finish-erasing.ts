import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { featuresOf } from '#base/server/feature.ts'
import { dispatch, type ErasedPost } from '#base/server/moments.ts'
import { remarkKinds, type Kind } from '#kind/contract.ts'

/** The end of every erasure: features take part in it, and then the rows go that they declare to go with a post. */
export async function finishErasing(tx: Db, post: ErasedPost): Promise<void> {
  const { kind, id, withReplies } = post
  await dispatch(tx, 'postErased', post)
  if (kind === 'topic' && withReplies)
    for (const under of remarkKinds) await deleteRows(tx, under, sql`select id from ${sql.table(under)} where topic_id = ${id}`)
  await deleteRows(tx, kind, sql`select ${id}::bigint`)
}

/** Deletes the rows of these posts, in the order in which features declare their columns. */
export async function deleteRows(tx: Db, kind: Kind, ids: RawBuilder<unknown>): Promise<void> {
  for (const { postColumns } of featuresOf(tx))
    for (const [name, fate] of Object.entries(postColumns ?? {}))
      if (fate === 'delete' && name.endsWith(`.${kind}_id`))
        await sql`delete from ${sql.table(name.slice(0, name.lastIndexOf('.')))} where ${sql.ref(`${kind}_id`)} in (${ids})`.execute(tx)
}

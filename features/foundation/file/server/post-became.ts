import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost } from '#base/server/moments.ts'

/** The files of a post go along with its content; those of the posts under it stay. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  if (to.kind === 'topic')
    await tx
      .updateTable('file_use')
      .set({ topic_id: to.id, comment_id: null })
      .where('comment_id', '=', from.id)
      .where('reply_id', 'is', null)
      .execute()
  else
    await tx
      .updateTable('file_use')
      .set({ topic_id: sql<string>`(select topic_id from comment where id = ${to.id})`, comment_id: to.id })
      .where('topic_id', '=', from.id)
      .where('comment_id', 'is', null)
      .execute()
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidateEnvelope } from '#red-envelope/server/invalidate.ts'

/**
 * Takes the envelope off a comment that becomes the opening of a thread, since it would end with the comment. The caller attaches it to the
 * thread in the same transaction. Returns its id; null if the comment has none.
 */
export async function detach(tx: Db, commentId: string): Promise<string | null> {
  const row = await tx
    .updateTable('red_envelope')
    .set({ topic_id: null, comment_id: null })
    .where('comment_id', '=', commentId)
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function attachToThread(tx: Db, envelopeId: string, topicId: string): Promise<void> {
  await tx.updateTable('red_envelope').set({ topic_id: topicId }).where('id', '=', envelopeId).execute()
  await invalidateEnvelope(tx, { id: envelopeId, topicId })
}

/** The envelope of an opening goes along with the comment that the opening becomes. */
export async function moveToComment(tx: Db, topicId: string, commentId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update red_envelope set comment_id = ${commentId} where topic_id = ${topicId} and comment_id is null returning id`.execute(tx)
  for (const { id } of rows) await invalidateEnvelope(tx, { id, topicId })
}

import type { Db } from '#base/server/database.ts'

type Post = { kind: 'topic' | 'comment'; id: string }

/** What waits or was reported of a post goes along when it turns from a comment into the opening of a topic, or back. */
export async function follow(tx: Db, from: Post, to: Post & { topicId: string; title: string | null }): Promise<void> {
  const { kind, id, topicId: topic_id, title } = to
  const reviews = tx.updateTable('review').where('kind', '=', from.kind).where('post_id', '=', from.id)
  // Only an edit of a topic says how it is to be called.
  await reviews.set({ title }).where('is_edit', '=', true).execute()
  await reviews.set({ kind, post_id: id, topic_id }).execute()
  await tx
    .updateTable('report_case')
    .set({ kind, thing_id: id, topic_id, comment_id: kind === 'comment' ? id : null })
    .where('kind', '=', from.kind)
    .where('thing_id', '=', from.id)
    .execute()
}

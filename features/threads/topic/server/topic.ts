import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { dispatch } from '#base/server/moments.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { remarkKinds, type ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'

export { alike } from '#topic/server/similar.ts'
export { answerCount, cards, cardsWithTags } from '#topic/server/card.ts'
export { recommended } from '#topic/server/heat.ts'
export { maxPages } from '#topic/server/list.ts'
export { partsOf, partsRequireKey } from '#topic/server/parts.ts'
export { edit, publish } from '#topic/server/publish.ts'
export { tagsOf } from '#topic/server/tags.ts'
export { closeMerged, exactTimes, openFromComment, openingContent, type PostContent } from '#topic/server/opening.ts'

/** Staff's settings for a topic among others. */
export type TopicFlags = { pin?: number; featuredAt?: Date | null; sunkAt?: Date | null; takesComments?: boolean; closedBy?: string | null }

export async function updateFlags(
  tx: Db,
  topic: posts.Thread,
  { pin, featuredAt, sunkAt, takesComments, closedBy = null }: TopicFlags,
): Promise<void> {
  await tx
    .updateTable('topic')
    .set({
      ...(pin !== undefined && { pin }),
      ...(featuredAt !== undefined && { featured_at: featuredAt }),
      ...(sunkAt !== undefined && { sunk_at: sunkAt }),
      ...(takesComments !== undefined && { takes_comments: takesComments, closed_by: closedBy }),
    })
    .where('id', '=', topic.id)
    .execute()
  if (sunkAt !== undefined) {
    await recomputeHeat(tx, topic.id)
    await posts.updateLastReply(tx, topic.id)
  }
  if (takesComments !== undefined) await dispatch(tx, 'threadLocked', { topicId: topic.id, isLocked: !takesComments })
  posts.invalidateThread(tx, topic)
  invalidate(tx, 'titles')
}

/** Turns a topic into a question or back, with all its posts. A question that becomes a topic loses its accepted answer. */
export async function changeKind(tx: Db, topic: posts.Thread, kind: ThreadKind): Promise<void> {
  if (topic.kind === kind) return
  if (topic.isWithdrawn) throw NotAllowed()
  const opening = topic.status === 'published' ? [posts.openingOf(topic)] : []
  const present = [...opening, ...(await posts.visibleUnder(tx, topic))]
  await posts.unadopt(tx, topic)
  await tx.updateTable('topic').set({ kind }).where('id', '=', topic.id).execute()
  for (const table of remarkKinds) await tx.updateTable(table).set({ thread_kind: kind }).where('topic_id', '=', topic.id).execute()
  await posts.onMoved(tx, present, { ...topic, kind })
  invalidate(tx, 'titles')
}

async function recomputeHeat(tx: Db, topicId: string): Promise<void> {
  const heat = posts.heatOf(await setting.all(tx))
  await tx.updateTable('topic').set({ heat }).where('id', '=', topicId).execute()
}

import type { Db } from '#base/server/database/database.ts'
import { anyOf } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { ErasedPost, MovedPosts, VisibilityPost } from '#base/server/moments.ts'
import { channelOf, invalidatePoll } from '#poll/server/state.ts'

/** A poll follows its thread, so only its streams have to learn of the change. */
export async function threadLocked(tx: Db, { topicId }: { topicId: string }): Promise<void> {
  await invalidateStreams(tx, [topicId])
}

export async function postsMoved(tx: Db, { posts }: MovedPosts): Promise<void> {
  await invalidateStreams(tx, openingsIn(posts))
}

export async function postsUnpublished(tx: Db, posts: readonly VisibilityPost[]): Promise<void> {
  await invalidateStreams(tx, openingsIn(posts))
}

/** A poll is erased with the opening of its thread. */
export async function postErased(tx: Db, { kind, id: topicId }: ErasedPost): Promise<void> {
  if (kind !== 'topic') return
  const [erased] = await tx.deleteFrom('poll').where('topic_id', '=', topicId).returning('results_key').execute()
  if (erased) invalidatePoll(tx, topicId, erased.results_key)
}

function openingsIn(posts: readonly VisibilityPost[]): string[] {
  return posts.flatMap(({ kind, id }) => (kind === 'topic' ? id : []))
}

async function invalidateStreams(tx: Db, topicIds: readonly string[]): Promise<void> {
  if (topicIds.length === 0) return
  const rows = await tx.selectFrom('poll').select(['topic_id', 'results_key']).where('topic_id', '=', anyOf(topicIds)).execute()
  invalidate(tx, ...rows.flatMap(({ topic_id, results_key }) => [channelOf(topic_id), channelOf(topic_id, results_key)]))
}

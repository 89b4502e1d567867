import { sql } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import { ClaimedByOther, SettledAlready, WrittenAnew } from '#review/contract.ts'
import { refuseOwn } from '#review/server/own-post.ts'
import * as posts from '#post/server/post.ts'

/** The version of a review as it was read. */
type Decision = { reviewId: string; version: number }

/**
 * Locks a review and its post for a decision: the post first, the order in which its author's writes lock. Refuses where the actor may not
 * decide it now.
 */
export async function lockForDecision(tx: Db, by: Staff, { reviewId, version }: Decision) {
  const post = await lockPost(tx, reviewId)
  if (post.status === 'deleted') throw Missing()
  const review = await tx
    .selectFrom('review')
    .leftJoin('staff', 'staff.id', 'claimed_by')
    .selectAll('review')
    .select(['account', sql<boolean>`(claimed_until > clock_timestamp()) is true`.as('isClaimed')])
    .where('review.id', '=', reviewId)
    .forUpdate('review')
    .executeTakeFirstOrThrow()
  if (review.state !== 'waiting') throw SettledAlready()
  await refuseOwn(tx, by, review.author_id)
  if (review.isClaimed && review.claimed_by !== by.staff.id) throw ClaimedByOther({ who: review.account ?? '?' })
  if (review.version !== version) throw WrittenAnew()
  return { review, post, about: `${post.kind} ${post.id}` }
}

/** The post of a review, locked; missing where its parent is not published. */
export async function lockPost(tx: Db, reviewId: string): Promise<posts.Post> {
  const place = await tx.selectFrom('review').select(['kind', 'post_id']).where('id', '=', reviewId).executeTakeFirst()
  if (!place) throw Missing()
  const post = await posts.lockPost(tx, place.kind, place.post_id)
  if (post.kind !== 'topic' && post.thread.status !== 'published') throw Missing()
  return post
}

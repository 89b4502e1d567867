import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { ownWaiting, withdrawEdit } from '#review/contract.ts'
import { withoutRemoved, segments } from '#review/server/rows.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as tag from '#tag/server/tag.ts'

const maxListed = 100

/** A member's own posts that wait or were rejected, in threads they can still see. */
export async function list(db: Db, member: Member, { topicId, kind }: ParsedInput<typeof ownWaiting>): Promise<Output<typeof ownWaiting>> {
  let query = withoutRemoved(db)
    .leftJoin('comment as above', 'above.id', 'reply.comment_id')
    .where('review.author_id', '=', member.id)
    .where('review.state', '<>', 'approved')
    .where(tag.seenBy(member))
  if (topicId) query = query.where('review.topic_id', '=', topicId)
  if (kind) query = query.where('review.kind', '=', kind)
  const rows = await query
    .select([
      'review.kind',
      'topic.kind as thread',
      'review.post_id as postId',
      'review.topic_id as topicId',
      'topic.title as topicTitle',
      'review.is_edit as isEdit',
    ])
    .select(['review.title', 'review.asked_at', 'review.state', 'reason_zh', 'reason_en', segments.as('segments'), 'review.edited_by'])
    .select(['above.id as commentId', (row) => row.fn.coalesce('comment.floor', 'above.floor').as('floor')])
    .orderBy('review.asked_at', 'desc')
    .limit(maxListed)
    .execute()
  return {
    posts: rows.map(({ asked_at, state, reason_zh, reason_en, edited_by, ...row }) => ({
      ...row,
      isEditedByStaff: edited_by !== null,
      askedAt: asked_at.toISOString(),
      rejected: state === 'rejected' ? { zh: reason_zh ?? '', en: reason_en ?? '' } : null,
    })),
  }
}

/** Withdraws an edit that waits or was rejected. */
export async function withdraw(tx: Db, member: Member, { kind, postId }: ParsedInput<typeof withdrawEdit>): Promise<void> {
  const deleted = await tx
    .deleteFrom('review')
    .where('kind', '=', kind)
    .where('post_id', '=', postId)
    .where('author_id', '=', member.id)
    .where('is_edit', '=', true)
    .where('state', '<>', 'approved')
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw Missing()
  if (kind === 'topic') await hiddenPart.discardStaged(tx, postId)
}

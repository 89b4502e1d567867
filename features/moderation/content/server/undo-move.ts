import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { UndoneAlready } from '#batch/contract.ts'
import type { MoveName } from '#content/move-contract.ts'
import { closeToComment, lockInOrder, openFromComment, relocateAll, type MoveTrace } from '#content/server/move.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as posts from '#post/server/post.ts'

/** Moves everything back that is still in the target topic, each comment to its floor. */
export async function undoMove(tx: Db, action: MoveName, from: string, trace: MoveTrace): Promise<void> {
  if (action === 'topic.merge') await undoMerge(tx, from, trace)
  else if (action === 'topic.split') await undoSplit(tx, from, trace)
  else {
    await lockInOrder(tx, [from, trace.to])
    const ids = await remainingComments(tx, from, trace)
    if (ids.length === 0) throw UndoneAlready()
    await relocateAll(tx, trace.to, from, ids)
  }
}

/** The whole new topic moves back, with posts added since. */
async function undoSplit(tx: Db, from: string, { to, opening }: MoveTrace): Promise<void> {
  await lockInOrder(tx, [from, to])
  const commentId = await closeToComment(tx, to)
  if (commentId !== opening) throw new Error(`Topic ${to} was opened by comment ${commentId}, and not by ${opening}`)
  await relocateAll(tx, to, from, 'all')
  await topics.closeMerged(tx, await posts.lockAnyThread(tx, to), commentId)
}

/** Restores the merged topic with its posts; those added to the target since stay there. */
async function undoMerge(tx: Db, from: string, trace: MoveTrace): Promise<void> {
  const { to, opening } = trace
  const closed = await tx.selectFrom('topic').select(['title', 'tag_id', 'merged_as']).where('id', '=', from).forUpdate().executeTakeFirst()
  if (!opening || closed?.merged_as !== opening) throw UndoneAlready()
  await posts.lockAnyThread(tx, to)
  const ids = await remainingComments(tx, from, trace)
  if (!ids.includes(opening) || !(await isPublished(tx, opening))) throw UndoneAlready()
  const place = (await tag.places(tx)).get(closed.tag_id)
  if (!place) throw Missing()
  await openFromComment(tx, opening, { title: closed.title, place })
  await relocateAll(tx, to, from, ids)
}

/**
 * The moved comments that left a placeholder in one topic and are in the other. Placeholders alone do not suffice, since other
 * moves left theirs.
 */
async function remainingComments(tx: Db, from: string, { to, comments }: MoveTrace): Promise<string[]> {
  const rows = await tx
    .selectFrom('comment')
    .innerJoin('comment as tombstone', 'tombstone.moved_to', 'comment.id')
    .select('comment.id')
    .where('comment.topic_id', '=', to)
    .where('tombstone.topic_id', '=', from)
    .where('comment.id', '=', anyOf(comments))
    .where('comment.became', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

async function isPublished(tx: Db, commentId: string): Promise<boolean> {
  const row = await tx.selectFrom('comment').select('status').where('id', '=', commentId).executeTakeFirst()
  return row?.status === 'published'
}

import type { Output, ParsedInput } from '#base/contract.ts'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { movedThread } from '#comment/contract.ts'
import * as posts from '#post/server/post.ts'

type MovedParams = ParsedInput<typeof movedThread>
type MovedView = Output<typeof movedThread>
type MovedTo = Omit<MovedView, 'kind'>
type Step = { at: 'topic' | 'comment'; id: string } | { at: 'end'; place: MovedTo }

// Bounds the number of moves that are followed.
const maxSteps = 10

/** The present place of a post that is not where a link points. Missing if it did not move, or if the viewer may not see its new place. */
export async function findMoved(db: Db, viewer: Viewer, params: MovedParams): Promise<MovedView> {
  const place = params.replyId ? await replyPlace(db, params.replyId) : await followMoves(db, await firstStep(db, params))
  if (!place || isSamePlace(place, params)) throw Missing()
  addCacheTags([`topic:${place.topicId}`])
  const { kind } = await posts.findThread(db, viewer, place.topicId)
  return { ...place, kind }
}

function isSamePlace({ topicId, commentId, replyId }: MovedTo, params: MovedParams): boolean {
  return topicId === params.topicId && commentId === (params.commentId ?? null) && replyId === (params.replyId ?? null)
}

async function replyPlace(db: Db, replyId: string): Promise<MovedTo | null> {
  const reply = await db
    .selectFrom('reply')
    .select('topic_id')
    .where('id', '=', replyId)
    .where('status', '=', 'published')
    .executeTakeFirst()
  return reply ? { topicId: reply.topic_id, commentId: null, replyId } : null
}

async function firstStep(db: Db, { topicId, commentId, floor }: MovedParams): Promise<Step> {
  if (commentId) return { at: 'comment', id: commentId }
  if (!floor) return { at: 'topic', id: topicId }
  const comment = await db.selectFrom('comment').select('id').where('topic_id', '=', topicId).where('floor', '=', floor).executeTakeFirst()
  return comment ? { at: 'comment', id: comment.id } : { at: 'topic', id: topicId }
}

async function followMoves(db: Db, first: Step): Promise<MovedTo | null> {
  let step: Step | null = first
  for (let steps = 0; step && steps < maxSteps; steps++) {
    if (step.at === 'end') return step.place
    step = await (step.at === 'comment' ? afterComment(db, step.id) : afterTopic(db, step.id))
  }
  return null
}

async function afterComment(db: Db, id: string): Promise<Step | null> {
  const comment = await db.selectFrom('comment').select(['topic_id', 'moved_to', 'became']).where('id', '=', id).executeTakeFirst()
  if (!comment) return null
  if (comment.moved_to) return { at: 'comment', id: comment.moved_to }
  if (comment.became) return { at: 'topic', id: comment.became }
  return { at: 'end', place: { topicId: comment.topic_id, commentId: id, replyId: null } }
}

async function afterTopic(db: Db, id: string): Promise<Step | null> {
  const topic = await db.selectFrom('topic').select('merged_as').where('id', '=', id).executeTakeFirst()
  if (!topic) return null
  if (topic.merged_as) return { at: 'comment', id: topic.merged_as }
  return { at: 'end', place: { topicId: id, commentId: null, replyId: null } }
}

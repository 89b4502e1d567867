import * as audit from '#audit/server/audit.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import { maxWithoutReauth } from '#base/list.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { staff, type ClientInfo, type Staff } from '#base/server/http/route.ts'
import * as batch from '#batch/server/batch.ts'
import * as comments from '#comment/server/comment.ts'
import { NotAnotherTopic, NotHereAnyMore, NothingToOpenWith, NotOnThePage, TooMuchToMerge } from '#content/contract.ts'
import { maxFloors, type mergeTopics, type moveComments, type MoveName, type splitTopic } from '#content/move-contract.ts'
import { requireReadRight } from '#content/server/actions.ts'
import { dispatch } from '#base/server/moments.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

/** The record of a move for its undo: the target, the moved comments, and the comment that became an opening or was one. */
export type MoveTrace = { to: string; comments: string[]; opening: string | null }
type MovedTopic = MoveTrace & { from: string }

/** Splits comments of a topic into a new one. The oldest published one becomes its opening. */
export async function split(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  params: ParsedInput<typeof splitTopic>,
): Promise<Output<typeof splitTopic>> {
  const { topicId, commentIds, title, tagId, reason } = params
  requireReadRight(by)
  requireProof(by, commentIds.length)
  await writing.checkTitle(tx, title)
  const place = await tag.publishTarget(tx, by, tagId)
  await posts.lockAnyThread(tx, topicId)
  const opening = await oldestOf(tx, topicId, commentIds)
  const to = await openFromComment(tx, opening, { title, place })
  const moved = await relocateAll(tx, topicId, to, commentIds)
  await recordMoves(tx, by, client, { action: 'topic.split', reason, all: [{ from: topicId, to, comments: moved, opening }] })
  return { topicId: to, moved: moved.length }
}

/** Moves comments of a topic to another. */
export async function move(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  params: ParsedInput<typeof moveComments>,
): Promise<Output<typeof moveComments>> {
  const { topicId, commentIds, to, reason } = params
  requireReadRight(by)
  requireProof(by, commentIds.length)
  await lockTarget(tx, [topicId], to)
  await oldestOf(tx, topicId, commentIds, { mayBeHidden: true })
  const moved = await relocateAll(tx, topicId, to, commentIds)
  await recordMoves(tx, by, client, { action: 'topic.moveComments', reason, all: [{ from: topicId, to, comments: moved, opening: null }] })
  return { moved: moved.length }
}

/** Merges topics into another and redirects their addresses. */
export async function merge(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  params: ParsedInput<typeof mergeTopics>,
): Promise<Output<typeof mergeTopics>> {
  const { topicIds, to, reason } = params
  requireReadRight(by)
  const floors = await lockTarget(tx, topicIds, to)
  if (floors > maxFloors) throw TooMuchToMerge({ most: maxFloors })
  requireProof(by, floors)
  const all: MovedTopic[] = []
  for (const topicId of await byAge(tx, topicIds)) {
    const opening = await closeToComment(tx, topicId)
    const moved = await relocateAll(tx, topicId, to, 'all')
    await topics.closeMerged(tx, await posts.lockAnyThread(tx, topicId), opening)
    await dispatch(tx, 'threadMerged', { from: topicId, into: to })
    all.push({ from: topicId, to, comments: moved, opening })
  }
  await recordMoves(tx, by, client, { action: 'topic.merge', reason, all })
  return { moved: all.reduce((sum, one) => sum + one.comments.length, 0) }
}

type OpeningOptions = Parameters<typeof topics.openFromComment>[2]

/** Turns a comment into the opening of a topic; its floor stays empty. */
export async function openFromComment(tx: Db, commentId: string, as: OpeningOptions): Promise<string> {
  const comment = await posts.lockPost(tx, 'comment', commentId)
  const envelopeId = await redEnvelope.detach(tx, commentId)
  const content = await comments.extractContent(tx, comment)
  const topicId = await topics.openFromComment(tx, { commentId, content }, as)
  if (envelopeId !== null) await redEnvelope.attachToThread(tx, envelopeId, topicId)
  await comments.linkToTopic(tx, commentId, topicId)
  return topicId
}

/** Turns the opening of a topic into a comment of it, so that it can be moved with the others. */
export async function closeToComment(tx: Db, topicId: string): Promise<string> {
  const topic = await posts.lockAnyThread(tx, topicId)
  if (topic.status !== 'published' || topic.isWithdrawn) throw NotOnThePage()
  const commentId = await comments.commentFromOpening(tx, topic)
  await redEnvelope.moveToComment(tx, topicId, commentId)
  return commentId
}

// Reads both topics again in their present state.
export async function relocateAll(tx: Db, from: string, to: string, which: readonly string[] | 'all'): Promise<string[]> {
  return comments.relocate(tx, await posts.lockAnyThread(tx, from), await posts.lockAnyThread(tx, to), which)
}

// Locks topics in order of id, so that concurrent moves do not deadlock.
export async function lockInOrder(tx: Db, ids: readonly string[]): Promise<posts.Thread[]> {
  const found: posts.Thread[] = []
  for (const id of [...new Set(ids)].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)))
    found.push(await posts.lockAnyThread(tx, id))
  return found
}

/** Returns the number of floors to move. */
async function lockTarget(tx: Db, topicIds: readonly string[], to: string): Promise<number> {
  if (topicIds.includes(to)) throw NotAnotherTopic()
  const locked = await lockInOrder(tx, [...topicIds, to])
  if (locked.find(({ id }) => id === to)?.status !== 'published') throw NotOnThePage()
  return locked.reduce((sum, { id, floors }) => sum + (id === to ? 0 : floors), 0)
}

async function byAge(tx: Db, topicIds: readonly string[]): Promise<string[]> {
  const rows = await tx.selectFrom('topic').select('id').where('id', '=', anyOf(topicIds)).orderBy('published_at').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function oldestOf(tx: Db, topicId: string, commentIds: readonly string[], { mayBeHidden = false } = {}): Promise<string> {
  const ids = [...new Set(commentIds)]
  const rows = await tx
    .selectFrom('comment')
    .select(['id', 'status'])
    .where('topic_id', '=', topicId)
    .where('id', '=', anyOf(ids))
    .where('purged_at', 'is', null)
    .orderBy('published_at')
    .orderBy('id')
    .execute()
  if (rows.length < ids.length) throw NotHereAnyMore()
  const opening = rows.find(({ status }) => status === 'published' || mayBeHidden)
  if (!opening) throw NothingToOpenWith()
  return opening.id
}

function requireProof(by: Staff, many: number): void {
  staff('content.edit', { proved: many > maxWithoutReauth })(by)
}

type MoveRecord = { action: MoveName; reason: string; all: readonly MovedTopic[] }

async function recordMoves(tx: Db, by: Staff, client: ClientInfo, { action, reason, all }: MoveRecord): Promise<void> {
  const count = all.reduce((sum, one) => sum + one.comments.length, 0)
  const records = all.map(({ from: id, ...after }) => ({ id, after }))
  await batch.recordCompleted(tx, by, client, { kind: 'topic', action, reason, count, items: records })
  const entry = { action, ...(reason && { reason }) }
  const actions = all.flatMap(({ from: source, to, comments: { length } }) => [
    { ...entry, about: `topic ${source}`, after: { to, comments: length } },
    { ...entry, about: `topic ${to}`, after: { from: source, comments: length } },
  ])
  await audit.noteAll(tx, by.staff, client, actions)
}

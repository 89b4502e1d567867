import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import { traits, type ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { editableTopic, editTopic, publishTopic, removeTopic } from '#topic/contract.ts'
import * as writing from '#writing/server/writing.ts'

type Done = { topicId: string; isPending: boolean }

type Draft = Taken<typeof publishTopic> & { kind?: ThreadKind }

/** Opens a thread, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function publish(tx: Db, author: Member, draft: Draft, { at, origin }: writing.When = {}): Promise<Done> {
  const { kind = 'topic', title, body: document, aiGenerated } = draft
  const { allow, rights } = traits[kind].topic
  const settings = await setting.mustBeOpen(tx, allow)
  const { id: tagId, parent } = await tag.toPublishIn(tx, author, draft.tagId, rights.post)
  const prepared = await writing.prepare(tx, { kind: 'topic', thread: kind, by: author, title, document, origin, at })
  const ready = { ...prepared, ai: aiLabel.declaration(aiGenerated, aiLabel.unlabelled) }
  const thread = { kind, tagId, parentTagId: parent?.id ?? null }
  const { id: topicId, isPending } = await posts.publish(tx, author, { thread, settings, ready, at })
  await redEnvelope.give(tx, author, { topicId, isPending }, draft)
  return { topicId, isPending }
}

/** A topic as its author wrote it, for those who may edit it. */
export async function source(db: Db, member: Member, topicId: string): Promise<Output<typeof editableTopic>> {
  const [{ thread, ...post }, waiting, places, newcomer] = await Promise.all([
    posts.source(db, member, 'topic', topicId),
    writing.standing(db, 'topic', topicId, member.id),
    tag.places(db),
    writing.newcomer(db, member),
  ])
  const place = places.get(thread.tagId)
  if (!place) throw new Error(`Topic ${topicId} lies in no tag`)
  return { topicId, kind: thread.kind, ...post, place, newcomer, waiting }
}

type Edit = Taken<typeof editTopic> & { /** Of a question, beside the one it lies in. */ tagIds?: readonly string[] }

export async function edit(tx: Db, member: Member, { topicId, ...draft }: Edit, from: From): Promise<Done> {
  return { topicId, isPending: await posts.edit(tx, member, { ...draft, kind: 'topic', id: topicId }, from) }
}

/** A question of their own that others have answered keeps its place. */
export async function remove(
  tx: Db,
  member: Member,
  { topicId, reason }: Taken<typeof removeTopic>,
  from: From,
): Promise<{ isWithdrawn: boolean }> {
  const isWithdrawn = await posts.withdrawAnswered(tx, member, topicId)
  if (!isWithdrawn) await posts.remove(tx, member, { kind: 'topic', id: topicId, reason }, from)
  return { isWithdrawn }
}

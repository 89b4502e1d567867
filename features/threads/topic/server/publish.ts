import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { dispatch } from '#base/server/moments.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { traits, type ThreadKind } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { editableTopic, editTopic, publishTopic, removeTopic } from '#topic/contract.ts'
import { publishParts, textsOfParts } from '#topic/server/parts.ts'
import { allowedFurtherTags, moveTarget, tagsOf } from '#topic/server/tags.ts'
import * as writing from '#writing/server/writing.ts'

type PublishResult = { topicId: string; isPending: boolean }

type TopicInput = Omit<ParsedInput<typeof publishTopic>, 'tagIds'> & { kind?: ThreadKind; tagIds?: readonly string[] }

/** Opens a thread, or holds it for review. A seed may pass the time; the default is now. */
export async function publish(
  tx: Db,
  author: Member,
  draft: TopicInput,
  { at, origin }: writing.PublishContext = {},
): Promise<PublishResult> {
  const { kind = 'topic', title, body: document, tagIds = [], parts = {}, aiGenerated } = draft
  const { allow, rights } = traits[kind].topic
  const settings = await setting.mustBeOpen(tx, allow)
  const { id: tagId, parent } = await tag.publishTarget(tx, author, draft.tagId, rights.post)
  const texts = textsOfParts(tx, parts)
  const prepared = await writing.prepare(tx, { kind: 'topic', thread: kind, by: author, title, document, texts, origin, at })
  const ready = { ...prepared, ai: aiLabel.declaration(aiGenerated, aiLabel.unlabelled) }
  const thread = { kind, tagId, parentTagId: parent?.id ?? null, alsoListedIn: [] }
  const { id: topicId, isPending } = await posts.publish(tx, author, { thread, settings, ready, at })
  if (tagIds.length > 0) await posts.setFurtherTags(tx, topicId, await allowedFurtherTags(tx, author, { id: topicId, kind, tagId }, tagIds))
  await redEnvelope.give(tx, author, { topicId, isPending }, draft)
  await publishParts(tx, author, { id: topicId, kind, tagId, isPending, at }, parts)
  if (!isPending) await dispatch(tx, 'postsPublished', [{ kind: 'topic', id: topicId, authorId: author.id, topicId }])
  return { topicId, isPending }
}

/** The source of a topic, for those who may edit it. */
export async function source(db: Db, member: Member, topicId: string): Promise<Output<typeof editableTopic>> {
  const [{ thread, tagId, tagIds, ...post }, waiting, places, newcomer, tags, { maxQuestionTags: mostTags }] = await Promise.all([
    posts.source(db, member, 'topic', topicId),
    writing.reviewState(db, 'topic', topicId, member.id),
    tag.places(db),
    writing.newcomer(db, member),
    tagsOf(db, member, [topicId]),
    setting.all(db),
  ])
  const place = places.get(tagId ?? thread.tagId)
  if (!place) throw new Error(`Topic ${topicId} lies in no tag`)
  const further = (tagIds ?? (tags.get(topicId) ?? []).map(({ id }) => id)).filter((id) => id !== place.id && member.may('tag.view', id))
  return { topicId, kind: thread.kind, ...post, place, tagIds: further, mostTags, newcomer, waiting }
}

/** Edits a topic. An edit that is held for review holds its tags, too. Omitted tags stay. */
export async function edit(
  tx: Db,
  member: Member,
  { topicId, tagId, tagIds, ...draft }: ParsedInput<typeof editTopic>,
  client: ClientInfo,
): Promise<PublishResult> {
  // The lock precedes the check for posts by others, so that none is added in between.
  const thread = await posts.lockThread(tx, member, topicId)
  const to = tagId === undefined ? null : await moveTarget(tx, member, thread, tagId)
  const further = tagIds && { tagIds: await allowedFurtherTags(tx, member, { ...thread, tagId: to ?? thread.tagId }, tagIds) }
  return { topicId, isPending: await posts.edit(tx, member, { ...draft, tagId: to, ...further, kind: 'topic', id: topicId }, client) }
}

/** Removes a topic. A question by the member that others have answered is withdrawn and keeps its page. */
export async function remove(
  tx: Db,
  member: Member,
  { topicId, reason }: ParsedInput<typeof removeTopic>,
  client: ClientInfo,
): Promise<{ isWithdrawn: boolean }> {
  const isWithdrawn = await posts.withdrawAnswered(tx, member, topicId)
  if (!isWithdrawn) await posts.remove(tx, member, { kind: 'topic', id: topicId, reason }, client)
  return { isWithdrawn }
}

import { NotAllowed, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import type { Doc } from '#base/rich-text/document.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { editableTopic, editTopic, publishTopic } from '#topic/contract.ts'
import { rememberTitle } from '#topic/server/remember-title.ts'
import { placeOf, rewrite } from '#topic/server/rewrite.ts'
import { takeDown } from '#topic/server/take-down.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** Publishes a topic. A seed may say when it was; otherwise it is now. */
export async function publish(
  tx: Db,
  author: Member,
  draft: Taken<typeof publishTopic>,
  { at, origin }: writing.When = {},
): Promise<{ topicId: string }> {
  const settings = await setting.mustBeOpen(tx, 'takesTopics')
  const place = await tag.toPublishIn(tx, author, draft.tagId)
  const post = await writing.prepare(tx, { kind: 'topic', by: author, title: draft.title, document: draft.body, origin, at })
  const { body, segments, summary, pictures, text, fileIds } = post

  const turn = writing.turn(settings, author, { kind: 'topic', at, text, fileIds, place: placeOf(draft.title) })
  const added = {
    tag_id: place.id,
    author_id: author.id,
    title: draft.title,
    body,
    segments,
    summary,
    pictures,
    ...(at && { published_at: at, last_reply_at: at }),
  }
  const { id: topicId, ...done } = await tx
    .with('added', (part) => part.insertInto('topic').values(added).returning('id'))
    .with('counted', (part) => writing.counted(part, turn))
    .with('noted', (part) => writing.noted(part, turn))
    .with('wrote', (part) => user.wrote(part, author.id, place.id, 'topics'))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, fileIds, { topicId })
  await rememberTitle(tx, topicId, draft.title)
  await tag.count(tx, place.id, 1)
  tag.touchLists(tx, place.id, place.parent?.id ?? null)
  return { topicId }
}

/** A topic as its author wrote it, for those who may edit it. */
export async function source(db: Db, member: Member, topicId: string): Promise<Output<typeof editableTopic>> {
  const topic = await topics.findOwn(db, member, topicId)
  if (!topics.mayEdit(member, topic)) throw NotAllowed()
  const [row, places, newcomer] = await Promise.all([
    db.selectFrom('topic').select(['title', 'body']).where('id', '=', topicId).executeTakeFirstOrThrow(),
    tag.places(db),
    writing.newcomer(db, member),
  ])
  const place = places.get(topic.tagId)
  if (!place) throw new Error(`Topic ${topicId} lies in no tag`)
  return { topicId, title: row.title, body: row.body as Doc, place, newcomer }
}

/** Replaces title and body, keeping what was there as a version. Nothing happens when nothing is different. */
export async function edit(
  tx: Db,
  member: Member,
  draft: Taken<typeof editTopic>,
  { origin }: writing.When = {},
): Promise<{ topicId: string }> {
  await setting.mustBeOpen(tx, 'takesTopicEdits')
  const topic = await topics.lock(tx, member, draft.topicId)
  if (!topics.mayEdit(member, topic)) throw NotAllowed()
  await rewrite(tx, member, topic, draft, { origin })
  return { topicId: topic.id }
}

export async function remove(tx: Db, member: Member, topicId: string): Promise<void> {
  const topic = await topics.lock(tx, member, topicId)
  if (!topics.mayRemove(member, topic)) throw NotAllowed()
  await takeDown(tx, topic, { by: member.id === topic.authorId ? 'author' : 'staff' })
}

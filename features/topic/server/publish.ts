import { NotAllowed, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Member } from '#base/server/route.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { onlyAdded, touch } from '#base/server/touched.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { editableTopic, editTopic, publishTopic, removeTopic } from '#topic/contract.ts'
import { arrived } from '#topic/server/pending.ts'
import { isAsItIs, placeOf, replace, writeAnew } from '#topic/server/rewrite.ts'
import { takeDown } from '#topic/server/take-down.ts'
import * as topics from '#topic/server/topic.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

type Done = { topicId: string; isPending: boolean }

/** Publishes a topic, unless staff look at it first. A seed may say when it was; otherwise it is now. */
export async function publish(tx: Db, author: Member, draft: Taken<typeof publishTopic>, { at, origin }: writing.When = {}): Promise<Done> {
  const settings = await setting.mustBeOpen(tx, 'takesTopics')
  const place = await tag.toPublishIn(tx, author, draft.tagId)
  const post = await writing.prepare(tx, { kind: 'topic', by: author, title: draft.title, document: draft.body, origin, at })
  const { title, body, segments, summary, pictures, text, fileIds } = post
  const wait = writing.waitFor(settings, author, { kind: 'topic', tagId: place.id, post, at })

  const turn = writing.turn(settings, author, { kind: 'topic', at, text, fileIds, place: placeOf(title), waits: wait !== null })
  const added = {
    tag_id: place.id,
    author_id: author.id,
    status: wait ? ('pending' as const) : ('published' as const),
    title,
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
    .with('wrote', (part) => user.wrote(part, author.id, place.id, 'topics', turn.adds))
    .selectFrom('added')
    .select(['id', ...writing.inTurn])
    .executeTakeFirstOrThrow()
  await writing.refuseUnlessInTurn(tx, turn, done)
  await file.attach(tx, fileIds, { topicId })
  if (wait) await writing.wait(tx, wait, { kind: 'topic', postId: topicId, topicId, authorId: author.id })
  else {
    await arrived(tx, { id: topicId, title, tagId: place.id, parentTagId: place.parent?.id ?? null })
    touch(tx, onlyAdded)
  }
  return { topicId, isPending: wait !== null }
}

/** A topic as its author wrote it, for those who may edit it. */
export async function source(db: Db, member: Member, topicId: string): Promise<Output<typeof editableTopic>> {
  const topic = await topics.findOwn(db, member, topicId)
  if (!topics.mayEdit(member, topic)) throw NotAllowed()
  const [row, edit, waiting, places, newcomer] = await Promise.all([
    db.selectFrom('topic').select(['title', 'body']).where('id', '=', topicId).executeTakeFirstOrThrow(),
    writing.waitingEdit(db, 'topic', topicId, member.id),
    writing.standing(db, 'topic', topicId, member.id),
    tag.places(db),
    writing.newcomer(db, member),
  ])
  const place = places.get(topic.tagId)
  if (!place) throw new Error(`Topic ${topicId} lies in no tag`)
  const words = { title: edit?.title ?? row.title, body: edit?.body ?? (row.body as Doc) }
  return { topicId, ...words, place, newcomer, isAnothers: topic.authorId !== member.id, isPending: topic.status === 'pending', waiting }
}

/** Replaces title and body, keeping what was there as a version. Nothing happens when nothing is different. */
export async function edit(tx: Db, member: Member, draft: Taken<typeof editTopic>, { origin, ip }: From): Promise<Done> {
  const settings = await setting.mustBeOpen(tx, 'takesTopicEdits')
  const topic = await topics.lock(tx, member, draft.topicId)
  if (!topics.mayEdit(member, topic)) throw NotAllowed()
  const { id: topicId, authorId, tagId, version } = topic
  topics.refuseWithoutReason(member, authorId, draft.reason)
  const { title, body: document } = draft
  const post = await writing.prepare(tx, { kind: 'topic', by: member, authorId, title, document, origin })
  const wait = writing.waitFor(settings, member, { kind: 'topic', tagId, authorId, post })
  const place = { kind: 'topic', postId: topicId, topicId, authorId } as const
  if (topic.status === 'pending') {
    await writeAnew(tx, member, topicId, post)
    await writing.wait(tx, wait ?? { why: 'members', words: [] }, place)
    return { topicId, isPending: true }
  }
  if (wait && !(await isAsItIs(tx, topicId, post))) {
    await writing.wait(tx, wait, { ...place, edit: { title: post.title, post } })
    return { topicId, isPending: true }
  }
  if (member.id === authorId) await writing.waitsNoMore(tx, 'topic', topicId)
  if (await replace(tx, member, topic, post))
    await topics.edited(tx, member, { ip }, { post: topics.postOf({ ...topic, title: post.title }), authorId, version, wish: draft })
  return { topicId, isPending: false }
}

export async function remove(tx: Db, member: Member, { topicId, reason }: Taken<typeof removeTopic>, from: From): Promise<void> {
  const topic = await topics.lock(tx, member, topicId)
  if (!topics.mayRemove(member, topic)) throw NotAllowed()
  const post = { kind: 'topic', id: topic.id, authorId: topic.authorId } as const
  await topics.removeFor(tx, member, from, { post, reason, takeDown: (down) => takeDown(tx, topic, down) })
}

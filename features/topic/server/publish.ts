import { sql } from 'kysely'
import { NotAllowed, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import type { Doc } from '#base/rich-text/document.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { editableTopic, editTopic, publishTopic } from '#topic/contract.ts'
import * as similar from '#topic/server/similar.ts'
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
  await similar.remember(tx, topicId, draft.title)
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
  const settings = await setting.mustBeOpen(tx, 'takesTopicEdits')
  const topic = await topics.lock(tx, member, draft.topicId)
  if (!topics.mayEdit(member, topic)) throw NotAllowed()
  const { title, body: document } = draft
  const { authorId } = topic
  const post = await writing.prepare(tx, { kind: 'topic', by: member, authorId, title, document, origin })
  const { body, segments, summary, pictures, text, fileIds } = post
  if (!(await keepVersion(tx, topic.id, title, body))) return { topicId: topic.id }

  const turn = writing.turn(settings, member, { kind: 'topic', authorId, text, fileIds, place: placeOf(title) })
  const changed = { title, body, segments, summary, pictures, edited_at: sql<Date>`clock_timestamp()` }
  const { isNoted } = await tx
    .with('changed', (part) => part.updateTable('topic').set(changed).where('id', '=', topic.id).returning('id'))
    .with('noted', (part) => writing.notedAnew(part, turn))
    .selectFrom('changed')
    .select(writing.isNoted)
    .executeTakeFirstOrThrow()
  await writing.refuseIfSaidElsewhere(turn, isNoted, () => saidBefore(tx, topic.id))
  await file.attach(tx, fileIds, { topicId: topic.id })
  if (title !== topic.title) await similar.remember(tx, topic.id, title)
  topics.wasChanged(tx, topic)
  touch(tx, 'titles')
  return { topicId: topic.id }
}

/** Takes a topic off the page, with all that is under it. It stays in the database, so that it can be brought back. */
export async function remove(tx: Db, member: Member, topicId: string): Promise<void> {
  const topic = await topics.lock(tx, member, topicId)
  if (!topics.mayRemove(member, topic)) throw NotAllowed()
  const deleted_by = member.id === topic.authorId ? 'author' : 'staff'
  await tx.updateTable('topic').set({ status: 'deleted', deleted_by }).where('id', '=', topic.id).execute()
  if (topic.status === 'published') {
    // The member first and then the tag, as when it was published, so that nobody waits in a circle.
    await user.count(tx, topic.authorId, 'topic_count', -1)
    await user.lost(tx, topic.authorId, topic.tagId, 'topics')
    await tag.count(tx, topic.tagId, -1)
  }
  if (deleted_by === 'author') await writing.takeBack(tx, member.id, 'topic', topic.id)
  topics.wasChanged(tx, topic)
  touch(tx, 'titles')
}

// A few words are the same only under the same title.
function placeOf(title: string): string {
  return `title ${title}`
}

async function saidBefore(tx: Db, topicId: string) {
  const versions = await tx.selectFrom('topic_revision').select(['title', 'body']).where('topic_id', '=', topicId).execute()
  return versions.map(({ title, body }) => writing.sayingOf(body as Doc, placeOf(title)))
}

// False when title and body are what they were.
async function keepVersion(tx: Db, topicId: string, title: string, body: string): Promise<boolean> {
  const kept = await tx
    .insertInto('topic_revision')
    .columns(['topic_id', 'title', 'body', 'written_at'])
    .expression((query) =>
      query
        .selectFrom('topic')
        .select(['id', 'title', 'body', sql<Date>`coalesce(edited_at, published_at)`.as('written_at')])
        .where('id', '=', topicId)
        .where((row) => row.or([row('title', '<>', title), sql<boolean>`body <> ${body}::jsonb`])),
    )
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

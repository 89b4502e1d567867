import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import { wasChanged } from '#topic/server/changed.ts'
import { rememberTitle } from '#topic/server/remember-title.ts'
import type { Topic } from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

/** Replaces title and body of a topic that is locked, keeping what was there as a version. False when nothing is different. */
export async function replace(tx: Db, by: Member, topic: Topic, post: writing.Ready, editedBy = by.id): Promise<boolean> {
  const settings = await setting.all(tx)
  const { title, body, segments, summary, pictures, text, fileIds } = post
  if (!(await keepVersion(tx, topic.id, title, body))) return false

  const turn = writing.turn(settings, by, { kind: 'topic', authorId: topic.authorId, text, fileIds, place: placeOf(title) })
  const changed = { title, body, segments, summary, pictures, edited_at: sql<Date>`clock_timestamp()`, edited_by: editedBy }
  const { isNoted } = await tx
    .with('changed', (part) =>
      part
        .updateTable('topic')
        .set({ ...changed, version: sql<number>`version + 1` })
        .where('id', '=', topic.id)
        .returning('id'),
    )
    .with('noted', (part) => writing.notedAnew(part, turn))
    .selectFrom('changed')
    .select(writing.isNoted)
    .executeTakeFirstOrThrow()
  await writing.refuseIfSaidElsewhere(turn, isNoted, () => saidBefore(tx, topic.id))
  await file.attach(tx, fileIds, { topicId: topic.id })
  if (title !== topic.title) await rememberTitle(tx, topic.id, title)
  wasChanged(tx, topic)
  touch(tx, 'titles')
  return true
}

/** Writes anew what nobody has seen yet: no version of it is kept, but what its author wrote where somebody else does. */
export async function writeAnew(tx: Db, by: Member, topicId: string, post: writing.Ready): Promise<void> {
  await writing.nowWrittenBy(tx, by, 'topic', topicId)
  const { title, body, segments, summary, pictures, fileIds } = post
  const written = { title, body, segments, summary, pictures, version: sql<number>`version + 1` }
  await tx.updateTable('topic').set(written).where('id', '=', topicId).execute()
  await file.attach(tx, fileIds, { topicId })
}

export async function isAsItIs(tx: Db, topicId: string, { title, body }: writing.Ready): Promise<boolean> {
  const same = sql<boolean>`title = ${title} and body = ${body}::jsonb`.as('same')
  return (await tx.selectFrom('topic').select(same).where('id', '=', topicId).executeTakeFirstOrThrow()).same
}

/** A few words are the same only under the same title. */
export function placeOf(title: string): string {
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
    .columns(['topic_id', 'title', 'body', 'written_at', 'written_by'])
    .expression((query) =>
      query
        .selectFrom('topic')
        .select(['id', 'title', 'body', sql<Date>`coalesce(edited_at, published_at)`.as('written_at'), 'edited_by'])
        .where('id', '=', topicId)
        .where((row) => row.or([row('title', '<>', title), sql<boolean>`body <> ${body}::jsonb`])),
    )
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

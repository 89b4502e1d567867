import { sql } from 'kysely'
import type { Taken } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import * as file from '#file/server/file.ts'
import * as setting from '#setting/server/setting.ts'
import type { editTopic } from '#topic/contract.ts'
import { wasChanged } from '#topic/server/changed.ts'
import { rememberTitle } from '#topic/server/remember-title.ts'
import type { Topic } from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

type Draft = Pick<Taken<typeof editTopic>, 'title' | 'body'>

/** Replaces title and body of a topic that is locked, keeping what was there as a version. False when nothing is different. */
export async function rewrite(
  tx: Db,
  member: Member,
  topic: Topic,
  { title, body: document }: Draft,
  { origin }: writing.When = {},
): Promise<boolean> {
  const settings = await setting.all(tx)
  const { authorId } = topic
  const post = await writing.prepare(tx, { kind: 'topic', by: member, authorId, title, document, origin })
  const { body, segments, summary, pictures, text, fileIds } = post
  if (!(await keepVersion(tx, topic.id, title, body))) return false

  const turn = writing.turn(settings, member, { kind: 'topic', authorId, text, fileIds, place: placeOf(title) })
  const changed = { title, body, segments, summary, pictures, edited_at: sql<Date>`clock_timestamp()`, edited_by: member.id }
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

import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as posts from '#post/server/post.ts'
import { maxPostscripts, PostscriptWaits, TooManyPostscripts, type PostscriptForStaff } from '#question/contract.ts'
import { lockOwn } from '#question/server/own.ts'
import * as user from '#user/server/user.ts'
import type { z } from 'zod'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'

/** Adds an addendum to a question of one's own. Returns its number. */
export async function add(tx: Db, member: Member, questionId: string, document: Doc, { origin }: ClientInfo): Promise<number> {
  const settings = await setting.mustBeOpen(tx, 'allowQuestionEdits')
  const ready = await writing.prepare(tx, { kind: 'comment', thread: 'question', by: member, document, origin })
  const thread = await lockOwn(tx, member, questionId)
  if (!posts.mayEdit(member, posts.openingOf(thread))) throw NotAllowed()
  const { tagId } = thread
  if (writing.reviewReason(settings, member, { kind: 'topic', thread: 'question', tagId, authorId: member.id, post: ready }))
    throw PostscriptWaits()
  const number = (await countPostscripts(tx, questionId)) + 1
  if (number > maxPostscripts) throw TooManyPostscripts({ most: maxPostscripts })
  await enforceCooldown(tx, member, settings, ready)
  const { body, segments, fileIds } = ready
  await tx.insertInto('postscript').values({ topic_id: questionId, number, body, segments }).execute()
  await file.attach(tx, fileIds, { topicId: questionId })
  posts.invalidateThread(tx, thread)
  return number
}

/** The cooldown between comments applies, without counting a comment. */
async function enforceCooldown(tx: Db, member: Member, settings: Settings, { text, fileIds }: writing.PreparedPost): Promise<void> {
  const throttle = writing.throttle(settings, member, { kind: 'comment', text, fileIds, place: '', isHeld: true })
  const counted = await writing.counted(tx, throttle).execute()
  await writing.refuseIfThrottled(tx, throttle, { isCounted: counted.length > 0, isUnique: true })
}

export async function countPostscripts(db: Db, questionId: string): Promise<number> {
  const { count } = await db
    .selectFrom('postscript')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('topic_id', '=', questionId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A select expression: the body of `topic` with its addenda, as it is public. */
export const bodyWithPostscripts = sql`jsonb_set(topic.body, '{content}', (topic.body -> 'content') || coalesce((
  select jsonb_agg(block order by number, place)
  from postscript, jsonb_array_elements(postscript.body -> 'content') with ordinality as blocks (block, place)
  where postscript.topic_id = topic.id and removed_at is null and topic.withdrawn_at is null), '[]'))`

/** All addenda of a question, for staff. */
export async function postscriptsForStaff(db: Db, questionId: string): Promise<z.infer<typeof PostscriptForStaff>[]> {
  const rows = await db
    .selectFrom('postscript')
    .select(['number', 'segments', 'written_at', 'removed_at', 'removed_reason'])
    .where('topic_id', '=', questionId)
    .orderBy('number')
    .execute()
  const segments = rows.map((row) => row.segments as Segment[])
  const people = await user.authors(db, segments.flatMap(writing.mentionedIn))
  return rows.map(({ number, written_at, removed_at, removed_reason: reason }, index) => ({
    number,
    segments: writing.withNames(segments[index] ?? [], people),
    writtenAt: written_at.toISOString(),
    removedAt: removed_at?.toISOString() ?? null,
    reason,
  }))
}

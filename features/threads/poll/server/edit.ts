import { sql } from 'kysely'
import { Missing, NotAllowed, type ParsedInput } from '#base/contract.ts'
import { allOf, type Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import {
  OptionHasVotes,
  PollHasVotes,
  AlikeAfterEdit,
  OptionsReviewed,
  PollEnded,
  TooManyAfterEdit,
  type editPoll,
} from '#poll/contract.ts'
import { lockPoll } from '#poll/server/lock.ts'
import * as may from '#poll/server/may.ts'
import { hasAlike, maxOptions } from '#poll/server/publish.ts'
import { seesResults } from '#poll/server/show.ts'
import { invalidatePoll } from '#poll/server/state.ts'
import * as posts from '#post/server/post.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import { FunctionClosed } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as writing from '#writing/server/writing.ts'

type Option = { id: string; label: string }
type Wanted = ParsedInput<typeof editPoll>['options']

/** Sets the options of a member's own poll. Only options without votes are renamed or removed, which must not tell secret results. */
export async function edit(tx: Db, member: Member, { topicId, options }: ParsedInput<typeof editPoll>): Promise<void> {
  const most = await maxOptions(tx)
  if (most === 0) throw FunctionClosed()
  const thread = await posts.lockThread(tx, member, topicId)
  const poll = await lockPoll(tx, topicId)
  if (poll.isEnded) throw PollEnded()
  if (!may.edit(member, { thread, isEnded: false, isOn: true })) throw NotAllowed()
  const before = await lockOptions(tx, topicId)
  await refuseUnfit(tx, member, thread, { before, options, most })
  const kept = new Map(options.flatMap(({ id, label }) => (id ? [[id, label] as const] : [])))
  const changed = before.filter(({ id, label }) => kept.get(id) !== label)
  if (changed.length > 0) await refuseIfVoted(tx, member, topicId, changed)
  await write(tx, topicId, options)
  invalidatePoll(tx, topicId, poll.resultsKey)
}

/** The lock makes votes for these options wait until the edit is over. */
function lockOptions(tx: Db, topicId: string): Promise<Option[]> {
  return tx.selectFrom('poll_option').select(['id', 'label']).where('topic_id', '=', topicId).orderBy('id').forUpdate().execute()
}

type Edit = { before: readonly Option[]; options: Wanted; most: number }

async function refuseUnfit(
  tx: Db,
  member: Member,
  { id, kind, tagId, status }: posts.Thread,
  { before, options, most }: Edit,
): Promise<void> {
  const present = new Map(before.map((option) => [option.id, option.label]))
  const ids = options.flatMap((option) => option.id ?? [])
  if (new Set(ids).size < ids.length || ids.some((one) => !present.has(one))) throw Missing()
  // A limit that staff lowered meanwhile does not keep authors from putting their options in order.
  if (options.length > Math.max(most, before.length)) throw TooManyAfterEdit({ most })
  if (hasAlike(options.map(({ label }) => label))) throw AlikeAfterEdit()
  const added = options.filter((option) => !option.id || present.get(option.id) !== option.label).map(({ label }) => label)
  if (added.length === 0 || member.staff) return
  await sensitiveWord.refuseIn(tx, { options: added.join('\n') })
  const settings = await setting.all(tx)
  const isHeld = writing.reviewReason(settings, member, { kind: 'topic', thread: kind, tagId, post: { sensitive: [] } })
  // Staff see the options of a thread that still waits.
  if (isHeld && status === 'published') throw OptionsReviewed({ id })
}

async function refuseIfVoted(tx: Db, member: Member, topicId: string, changed: readonly Option[]): Promise<void> {
  if (!(await seesResults(tx, member, topicId))) return refuseIfAnyVoted(tx, topicId)
  const { rows } = await sql<{ label: string }>`
    select label from poll_option where id = any(${changed.map(({ id }) => id)}::bigint[])
      and exists (select from poll_ballot where topic_id = ${topicId} and option_ids @> array[poll_option.id]) order by place limit 1`.execute(
    tx,
  )
  if (rows[0]) throw OptionHasVotes({ option: rows[0].label })
}

// A rule for each option would be an answer to a question about each: an author could ask once a second which option has votes now.
async function refuseIfAnyVoted(tx: Db, topicId: string): Promise<void> {
  const voted = await tx.selectFrom('poll_ballot').select('member_id').where('topic_id', '=', topicId).limit(1).executeTakeFirst()
  if (voted) throw PollHasVotes()
}

async function write(tx: Db, topicId: string, options: Wanted): Promise<void> {
  const ids = options.flatMap(({ id }) => id ?? [])
  await tx.deleteFrom('poll_option').where('topic_id', '=', topicId).where('id', '<>', allOf(ids)).execute()
  const rows = JSON.stringify(options.map(({ id, label }, index) => ({ id, label, place: index + 1 })))
  await sql`
    update poll_option set label = its.label, place = its.place from jsonb_to_recordset(${rows}::jsonb) as its (id bigint, label text, place int)
    where poll_option.id = its.id`.execute(tx)
  await sql`
    insert into poll_option (topic_id, place, label)
    select ${topicId}, place, label from jsonb_to_recordset(${rows}::jsonb) as its (id bigint, label text, place int) where id is null`.execute(
    tx,
  )
  await sql`
    update poll set version = version + 1, max_choices = least(max_choices, ${options.length}::int) where topic_id = ${topicId}`.execute(tx)
}

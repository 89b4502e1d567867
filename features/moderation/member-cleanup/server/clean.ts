import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import * as proof from '#account/server/account.ts'
import { Missing, NotAllowed, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { resumeUnfinished } from '#base/server/jobs/resume-unfinished.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { kinds } from '#kind/contract.ts'
import * as member from '#member/server/member.ts'
import * as message from '#message/server/message.ts'
import * as notification from '#notification/server/notification.ts'
import * as posts from '#post/server/post.ts'
import * as report from '#report/server/report.ts'
import { publicFunctions } from '#role/all-rights.ts'
import { AlreadyAtIt, CannotUndo, CleanAlready, undoDays, type clean, type cleanings } from '#member-cleanup/contract.ts'
import { postsPerTransaction, idsOf, type PostRef } from '#member-cleanup/server/post-batch.ts'
import { isMerging } from '#member-cleanup/server/transfer.ts'

type Progress = Output<typeof clean>
/** The member of staff, and the reason shown to the member. */
type CleanupReason = { by: string; reason: string }

/** Begins to remove all posts of a member; the first are removed with this commit, the rest by a job. */
export async function begin(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, reason, andThen }: ParsedInput<typeof clean>,
): Promise<Progress> {
  if (andThen !== 'nothing' && !by.may('member.ban')) throw NotAllowed()
  const standing = await member.lockUnlessStaff(tx, memberId)
  await assertHasPosts(tx, memberId)
  const disabled = andThen === 'disable' && proof.canLogIn(standing)
  if (disabled) await member.disableAccount(tx, memberId, reason)
  else await proof.endAllSessions(tx, memberId, 'ended by staff')
  const ban_ids = andThen === 'ban' ? await member.replaceBans(tx, by, { memberId, from: [...publicFunctions], endsAt: null, reason }) : []
  const { id } = await tx
    .insertInto('member_cleanup')
    .values({ member_id: memberId, staff_id: by.id, reason, disabled, ban_ids })
    .returning('id')
    .executeTakeFirstOrThrow()
  await message.clean(tx, memberId, id)
  await notification.notify(tx, memberId, { kind: 'allRemoved', reason })
  const progress = await step(tx, id)
  await audit.note(tx, by, client, { action: 'cleaning.begin', about: `member ${memberId}`, reason, after: { cleaning: id, andThen } })
  return progress ?? progressOf(tx, id)
}

/** A second clean-up could be undone, but would restore nothing. */
async function assertHasPosts(tx: Db, memberId: string): Promise<void> {
  if (await isMerging(tx, [memberId])) throw AlreadyAtIt()
  const others = await tx
    .selectFrom('member_cleanup')
    .select('status')
    .where('member_id', '=', memberId)
    .where('status', '<>', 'restored')
    .execute()
  if (others.some(({ status }) => status !== 'removed')) throw AlreadyAtIt()
  if (others.length > 0 && (await postsOf(tx, memberId)).length === 0) throw CleanAlready()
}

/** Begins to restore the posts of a clean-up, and undoes its sanctions. */
export async function undo(tx: Db, by: StaffActor, client: ClientInfo, cleaningId: string): Promise<Progress> {
  const found = await tx.selectFrom('member_cleanup').select('member_id').where('id', '=', cleaningId).executeTakeFirst()
  if (!found) throw Missing()
  const { deactivated_as } = await member.lockUnlessStaff(tx, found.member_id)
  if (await isMerging(tx, [found.member_id])) throw AlreadyAtIt()
  const cleaning = await tx
    .updateTable('member_cleanup')
    .set({ status: 'restoring' })
    .where('id', '=', cleaningId)
    .where('status', 'in', ['removing', 'removed'])
    .where(sql<boolean>`began_at > now() - make_interval(days => ${undoDays})`)
    .returning(['member_id', 'disabled', 'ban_ids'])
    .executeTakeFirst()
  if (!cleaning) throw CannotUndo({ days: undoDays })
  if ((cleaning.disabled || cleaning.ban_ids.length > 0) && !by.may('member.ban')) throw NotAllowed()
  if (cleaning.disabled && deactivated_as === 'disabled') await member.enableAccount(tx, cleaning.member_id)
  await member.liftAll(tx, by, cleaning.ban_ids)
  await message.restoreCleaned(tx, cleaning.member_id, cleaningId)
  await notification.notify(tx, cleaning.member_id, { kind: 'allRestored' })
  const progress = await step(tx, cleaningId)
  await audit.note(tx, by, client, { action: 'cleaning.undo', about: `member ${cleaning.member_id}`, after: { cleaning: cleaningId } })
  return progress ?? progressOf(tx, cleaningId)
}

/** Resumes every unfinished clean-up, wherever it stopped. */
export function resume(database: Database): Promise<void> {
  return resumeUnfinished({
    unfinished: () => unfinished(database),
    step: async (id) => (await transact(database, (tx) => step(tx, id))) !== null,
  })
}

async function unfinished({ app }: Database): Promise<string[]> {
  const rows = await app.selectFrom('member_cleanup').select('id').where('status', 'in', ['removing', 'restoring']).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** One step of a clean-up, or null where another process runs it, or it is finished. */
async function step(tx: Db, cleaningId: string): Promise<Progress | null> {
  const cleaning = await tx
    .selectFrom('member_cleanup')
    .select(['id', 'member_id', 'staff_id', 'status', 'reason'])
    .where('id', '=', cleaningId)
    .where('status', 'in', ['removing', 'restoring'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!cleaning) return null
  const { id, member_id: memberId, staff_id: by, status, reason } = cleaning
  const [done, isLast] = status === 'removing' ? await remove(tx, id, memberId, { by, reason }) : await restore(tx, cleaning)
  const column = status === 'removing' ? 'removed' : 'restored'
  await tx
    .updateTable('member_cleanup')
    .set((row) => ({ [column]: row(column, '+', done), ...(isLast && { status: column }) }))
    .where('id', '=', id)
    .execute()
  return progressOf(tx, id)
}

async function remove(tx: Db, cleaningId: string, memberId: string, { by, reason }: CleanupReason): Promise<[number, boolean]> {
  const named = await postsOf(tx, memberId)
  await report.lockCases(tx, named)
  const found = (await posts.lockPosts(tx, named)).filter(({ status }) => status !== 'deleted')
  await posts.takeDown(tx, found, { by: 'staff', reason, removal: { by }, notifies: false })
  const settled = new Map((await report.settleCases(tx, by, found)).map((one) => [`${one.kind} ${one.id}`, one.caseId]))
  await sql`insert into member_cleanup_item (cleaning_id, kind, post_id, topic_id, was, case_id)
    select ${cleaningId}, * from unnest(${found.map(({ kind }) => kind)}::text[], ${found.map(({ id }) => id)}::bigint[],
      ${found.map(({ thread }) => thread.id)}::bigint[], ${found.map(({ status }) => status)}::text[],
      ${found.map(({ kind, id }) => settled.get(`${kind} ${id}`) ?? null)}::bigint[])`.execute(tx)
  invalidate(tx, `member:${memberId}`)
  return [found.length, named.length < postsPerTransaction]
}

// Each kind is read from an index of an author's posts that are not deleted.
async function postsOf(tx: Db, memberId: string): Promise<PostRef[]> {
  const { rows } = await sql<PostRef>`
    (select 'topic' as kind, id from topic where author_id = ${memberId} and status <> 'deleted' order by published_at desc limit ${postsPerTransaction})
    union all
    (select 'comment', id from comment where author_id = ${memberId} and status <> 'deleted' order by published_at desc limit ${postsPerTransaction})
    union all
    (select 'reply', id from reply where author_id = ${memberId} and status <> 'deleted' order by published_at desc limit ${postsPerTransaction})
    limit ${postsPerTransaction}`.execute(tx)
  return rows
}

type Cleaning = { id: string; member_id: string; staff_id: string }

async function restore(tx: Db, { id: cleaningId, member_id: memberId, staff_id }: Cleaning): Promise<[number, boolean]> {
  const taken = await tx
    .selectFrom('member_cleanup_item')
    .select(['kind', 'post_id as id', 'case_id'])
    .where('cleaning_id', '=', cleaningId)
    .where('settled_at', 'is', null)
    .limit(postsPerTransaction)
    .execute()
  const cases = new Map(taken.map((one) => [`${one.kind} ${one.id}`, one.case_id]))
  // A post that was restored meanwhile, or removed for another reason, no longer belongs to this clean-up.
  const found = (await posts.lockPosts(tx, taken)).filter(({ status, deletedBy }) => status === 'deleted' && deletedBy === 'staff')
  await posts.detachFromAppeals(tx, taken)
  await posts.putBack(tx, found, { notifies: false })
  invalidate(tx, `member:${memberId}`)
  await report.reopenCases(
    tx,
    staff_id,
    found.flatMap(({ kind, id }) => cases.get(`${kind} ${id}`) ?? []),
  )
  for (const kind of kinds)
    await sql`update member_cleanup_item set settled_at = now()
      where cleaning_id = ${cleaningId} and kind = ${kind} and post_id = any(${idsOf(taken, kind)}::bigint[])`.execute(tx)
  return [found.length, taken.length < postsPerTransaction]
}

async function progressOf(tx: Db, cleaningId: string): Promise<Progress> {
  return tx
    .selectFrom('member_cleanup')
    .select(['id as cleaningId', 'status', 'removed', 'restored'])
    .where('id', '=', cleaningId)
    .executeTakeFirstOrThrow()
}

const id = sql`member_cleanup.id`
const keys = { at: { by: id, as: 'bigint' } } as const

export async function list(db: Db, input: ParsedInput<typeof cleanings>): Promise<Answer<typeof cleanings>> {
  const undoUntil = sql<Date | null>`case when status in ('removing', 'removed') and began_at > now() - make_interval(days => ${undoDays})
    then began_at + make_interval(days => ${undoDays}) end`
  let query = db
    .selectFrom('member_cleanup')
    .innerJoin('member', 'member.id', 'member_id')
    .innerJoin('staff', 'staff.id', 'staff_id')
    .select([
      'member_cleanup.id',
      'member_cleanup.id as cleaningId',
      'member_id as memberId',
      'began_at as at',
      'status',
      'reason',
      'removed',
      'restored',
    ])
    .select(['member.account', 'staff.account as by', undoUntil.as('undoUntil')])
  if (input.memberId) query = query.where('member_id', '=', input.memberId)
  return paged(db, query, { ...input, keys, id })
}

import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { NotAllowed, type Output, type ParsedInput } from '#base/contract.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import { AppealDecided, RemovalTakenBack, ReportsWait } from '#report/contract.ts'
import * as appeals from '#report/server/appeal.ts'
import { recordTakenBack } from '#report/server/decision-history.ts'
import { claimant, refuseIfClaimed, releasedClaim } from '#report/server/claim.ts'
import { bumpVersion, lock, refuseIfChanged } from '#report/server/decide.ts'
import { refuseUnlessRecent } from '#report/server/take-back-limit.ts'
import { hiddenFlag, isUnchanged } from '#report/server/removal-state.ts'
import { thingView } from '#report/server/reported-post.ts'
import type { takeBackAppeal, takeBackCase } from '#report/undo-contract.ts'
import * as posts from '#post/server/post.ts'

type Case = Awaited<ReturnType<typeof lock>>

/**
 * Reopens a decided case. The removal that the decision caused is reverted, unless the post was changed since. A pending appeal against it
 * is granted by that, even if the actor removed the post, since nobody loses by it; a decided appeal has to be reversed first, so that no
 * second decision stands without its first.
 */
export async function ofCase(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  input: ParsedInput<typeof takeBackCase>,
): Promise<Output<typeof takeBackCase>> {
  const found = await lock(tx, by, input.caseId)
  refuseUnlessRecent({ at: found.decided_at, title: found.title })
  await refuseIfChanged(tx, found, input.version)
  const post = await posts.lockPost(tx, found.kind, found.thing_id)
  const removal = await removalOf(tx, found)
  if (removal?.appeal_outcome) throw AppealDecided()
  if (removal && !by.staff.may('content.remove')) throw NotAllowed()
  if (removal) refuseIfClaimed(removal, by.staff)

  const { outcome, result, remark, decided_by, decided_at } = found
  const decision = { outcome, said: result, remark, decided_by, decided_at }
  await recordTakenBack(tx, by.staff, { case_id: found.id }, { decision, reason: input.reason })
  await reopenCase(tx, by, found)
  const grants = removal !== undefined && removal.appeal !== null && (removal.isAsLeft || post.status === 'published')
  if (removal) await removeAgain(tx, by, removal.id, grants && input.reason)
  if (removal?.isAsLeft) await posts.putBack(tx, [post], { notifies: !grants })
  if (removal && grants) {
    const answer = { outcome: 'restored', answer: '', ...(await hiddenFlag(tx, removal.id)) } as const
    await notification.notify(tx, found.author_id, { kind: 'appealAnswered', post: thingView(found), ...answer })
  }
  await audit.note(tx, by.staff, client, {
    action: 'report.takeBack',
    about: `${found.kind} ${found.thing_id}`,
    reason: input.reason,
    before: { case: found.id, outcome, result, remark },
    after: grants ? { appeal: 'restored' } : undefined,
  })
  return { isLeft: removal !== undefined && !removal.isAsLeft }
}

/**
 * Reopens a decided appeal. A post that the appeal restored is removed again with the original reason, unless it was removed or restored
 * since. Answers and edits do not prevent it, as with any removal.
 */
export async function ofAppeal(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  input: ParsedInput<typeof takeBackAppeal>,
): Promise<Output<typeof takeBackAppeal>> {
  const found = await appeals.lock(tx, by, input.removalId)
  refuseUnlessRecent({ at: found.answered_at, title: found.title })
  await appeals.refuseIfChanged(tx, found, input.version)
  if (found.taken_back_at) throw RemovalTakenBack()
  const { kind, thing_id, appeal_outcome: outcome, answer, appeal_remark: remark } = found
  if (outcome === 'restored' && !by.staff.may('content.remove')) throw NotAllowed()

  const about = `${kind} ${thing_id}`
  const post = await posts.lockPost(tx, kind, thing_id)
  const putsAway = found.put_back_at !== null && post.status !== 'deleted'
  const decision = { outcome, said: answer, remark, decided_by: found.answered_by, decided_at: found.answered_at }
  await recordTakenBack(tx, by.staff, { removal_id: found.id }, { decision, reason: input.reason })
  const undecided = { appeal_outcome: null, answer: '', appeal_remark: '', answered_by: null, answered_at: null, put_back_at: null }
  await tx
    .updateTable('removal')
    .set((row) => ({ ...undecided, version: row('version', '+', 1) }))
    .where('id', '=', found.id)
    .execute()
  // The original time of removal: the decision about its reports still stands.
  if (putsAway) await posts.takeDown(tx, [post], { by: 'staff', reason: found.why, at: found.removed_at, notifies: false })
  const isAway = putsAway || !found.isBack
  const where = { isAway, ...(!isAway && (await hiddenFlag(tx, found.id))) }
  await notification.notify(tx, found.author_id, { kind: 'appealReopened', post: thingView(found), ...where })
  const before = { removal: found.id, ...(found.case_id && { case: found.case_id }), outcome, answer, remark }
  await audit.note(tx, by.staff, client, { action: 'appeal.takeBack', about, reason: input.reason, before })
  return { isLeft: outcome === 'restored' && !putsAway }
}

/** The removal that the decision caused, if any. */
function removalOf(tx: Db, { id }: Case) {
  return tx
    .selectFrom('removal')
    .innerJoin('report_case', 'report_case.id', 'case_id')
    .select(['removal.id', 'appeal', 'appeal_outcome', isUnchanged.as('isAsLeft')])
    .select(['removal.claimed_by', 'removal.claimed_at', claimant('removal')])
    .where('case_id', '=', id)
    .where('taken_back_at', 'is', null)
    .forUpdate('removal')
    .executeTakeFirst()
}

/** Restores the case and its reports, including those deleted by staff, and notifies the reporters. */
async function reopenCase(tx: Db, by: Staff, found: Case): Promise<void> {
  const undecided = { outcome: null, result: '', remark: '', decided_by: null, decided_at: null }
  try {
    await tx.updateTable('report_case').set(undecided).where('id', '=', found.id).execute()
  } catch (error) {
    throw isDuplicate(error) ? ReportsWait() : error
  }
  await bumpVersion(tx, by.staff, found.id)
  const reports = await tx
    .updateTable('report')
    .set({ status: sql<'pending'>`coalesce(decided_from, 'pending')`, decided_from: null, decided_at: null })
    .where('case_id', '=', found.id)
    .where('decided_at', 'is not', null)
    .returning(['reporter_id', 'deleted_by_staff_at'])
    .execute()
  const reporters = reports.filter((one) => one.deleted_by_staff_at === null).map(({ reporter_id }) => reporter_id)
  await notification.notify(tx, reporters, { kind: 'reportReopened', post: thingView(found) })
}

async function removeAgain(tx: Db, by: Staff, removalId: string, grantsFor: string | false): Promise<void> {
  const granted = {
    appeal_outcome: 'restored' as const,
    appeal_remark: grantsFor || '',
    answered_by: by.staff.id,
    answered_at: sql<Date>`now()`,
  }
  await tx
    .updateTable('removal')
    .set((row) => ({ taken_back_at: sql<Date>`now()`, ...(grantsFor && granted), version: row('version', '+', 1), ...releasedClaim }))
    .where('id', '=', removalId)
    .execute()
}

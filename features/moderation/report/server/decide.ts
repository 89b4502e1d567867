import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, NotAllowed, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import { ChangedBy, DecidedAlready, GoneAlready, MoreCameIn, WhyNeeded } from '#report/contract.ts'
import { accountsOf, claimant, refuseIfClaimed, releasedClaim } from '#report/server/claim.ts'
import { isOwn, right } from '#report/server/own.ts'
import { isPostVisible } from '#report/server/removal-state.ts'
import { thingColumns, thingView } from '#report/server/reported-post.ts'
import type { askForReason, decideCase, removeReport } from '#report/staff-contract.ts'
import { OwnCase } from '#staff/contract.ts'
import * as staff from '#staff/server/staff.ts'
import * as posts from '#post/server/post.ts'

type Case = Awaited<ReturnType<typeof lock>>

/** The state of the report before the decision. */
export const decided_from = sql<
  'pending' | 'needsReason' | 'reasonSupplied'
>`case when decided_at is null then status else decided_from end`

export async function claim(tx: Db, by: Staff, caseId: string): Promise<void> {
  const found = await lock(tx, by, caseId)
  if (found.outcome) throw DecidedAlready()
  await tx
    .updateTable('report_case')
    .set({ claimed_by: by.staff.id, claimed_at: sql`now()` })
    .where('id', '=', caseId)
    .execute()
}

export async function release(tx: Db, actor: StaffActor, caseId: string): Promise<void> {
  await tx.updateTable('report_case').set(releasedClaim).where('id', '=', caseId).where('claimed_by', '=', actor.id).execute()
}

/** Asks a reporter for more details. The case waits for the reporter, and can be decided meanwhile. */
export async function requestReason(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { reportId, version, question }: ParsedInput<typeof askForReason>,
): Promise<void> {
  const { case_id } = await reportOf(tx, reportId)
  const found = await lock(tx, by, case_id)
  await refuseIfStale(tx, found, version)
  const report = await tx
    .updateTable('report')
    .set({ status: 'needsReason', asked: question })
    .where('id', '=', reportId)
    .where('deleted_by_staff_at', 'is', null)
    .returning('reporter_id')
    .executeTakeFirst()
  if (!report) throw Missing()
  await bumpVersion(tx, by.staff, case_id)
  await notification.notify(tx, report.reporter_id, { kind: 'reportAsked', post: thingView(found), question })
  await audit.note(tx, by.staff, client, { action: 'report.ask', about: `report ${reportId}`, after: { question } })
}

/** Decides all reports of a case and optionally removes the post, in one transaction. */
export async function decide(tx: Db, by: Staff, client: ClientInfo, form: ParsedInput<typeof decideCase>): Promise<void> {
  await audit.note(tx, by.staff, client, await settle(tx, by, form))
}

/** Decides without a log entry; refuses before any write. */
export async function settle(tx: Db, by: Staff, form: ParsedInput<typeof decideCase>): Promise<audit.AuditEntry> {
  const { staff: actor } = by
  if (form.removes && !actor.may('content.remove')) throw NotAllowed()
  const found = await lock(tx, by, form.caseId)
  await refuseIfStale(tx, found, form.version)
  if (form.removes && !form.why) throw WhyNeeded()
  if (form.removes && !found.stands) throw GoneAlready()

  const { outcome, result, remark } = form
  // Before the decision gets its time, so that later removals can be told from this one.
  if (form.removes) await removePost(tx, actor, found, form.why)
  const decision = { outcome, result, remark, decided_by: actor.id, decided_at: sql<Date>`clock_timestamp()`, ...releasedClaim }
  await tx.updateTable('report_case').set(decision).where('id', '=', found.id).execute()
  await bumpVersion(tx, actor, found.id)
  const reports = await tx
    .updateTable('report')
    .set({ status: outcome, decided_from, decided_at: sql`now()` })
    .where('case_id', '=', found.id)
    .where('deleted_by_staff_at', 'is', null)
    .returning('reporter_id')
    .execute()
  const reporters = reports.map(({ reporter_id }) => reporter_id)
  await notification.notify(tx, reporters, { kind: 'reportDecided', post: thingView(found), outcome, result })
  const reasonText = form.removes ? form.why : remark || result
  return {
    action: form.removes ? 'report.decideAndRemove' : 'report.decide',
    about: `${found.kind} ${found.thing_id}`,
    // Of a removal, the reason that the author was given: it may be asked for years later.
    ...(reasonText && { reason: reasonText }),
    after: { case: found.id, outcome, ...(form.removes && { result, remark }) },
  }
}

/** Takes one report out of its case, such as a malicious one. */
export async function remove(tx: Db, by: Staff, client: ClientInfo, { reportId, reason }: ParsedInput<typeof removeReport>): Promise<void> {
  await setDeleted(tx, by, reportId, true)
  await audit.note(tx, by.staff, client, { action: 'report.remove', about: `report ${reportId}`, ...(reason && { reason }) })
}

export async function restore(tx: Db, by: Staff, client: ClientInfo, reportId: string): Promise<void> {
  await setDeleted(tx, by, reportId, false)
  await audit.note(tx, by.staff, client, { action: 'report.restore', about: `report ${reportId}` })
}

async function setDeleted(tx: Db, by: Staff, reportId: string, isOut: boolean): Promise<void> {
  const { case_id, reporter_id, decided_at } = await reportOf(tx, reportId)
  const found = await lock(tx, by, case_id)
  const turned = await tx
    .updateTable('report')
    .set({
      deleted_by_staff_at: isOut ? sql`now()` : null,
      // A report that returns to a case decided meanwhile gets the decision of the others.
      ...(!isOut && found.outcome && { status: found.outcome, decided_from, decided_at: sql`coalesce(decided_at, now())` }),
    })
    .where('id', '=', reportId)
    .where('deleted_by_staff_at', isOut ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (!turned) throw Missing()
  await tx
    .updateTable('report_case')
    .set((row) => ({ report_count: row('report_count', isOut ? '-' : '+', 1) }))
    .where('id', '=', case_id)
    .execute()
  await bumpVersion(tx, by.staff, case_id)
  if (isOut || !found.outcome || decided_at) return
  await notification.notify(tx, reporter_id, {
    kind: 'reportDecided',
    post: thingView(found),
    outcome: found.outcome,
    result: found.result,
  })
}

async function reportOf(tx: Db, reportId: string) {
  const row = await tx.selectFrom('report').select(['case_id', 'reporter_id', 'decided_at']).where('id', '=', reportId).executeTakeFirst()
  if (!row) throw Missing()
  return row
}

/** Locks the row of the case. Refused where another member of staff has claimed it, or where it is the actor's own. */
export async function lock(tx: Db, by: Staff, caseId: string) {
  const found = await tx
    .selectFrom('report_case')
    .select(thingColumns)
    .select([
      'id',
      'author_id',
      'outcome',
      'result',
      'remark',
      'version',
      'changed_by',
      'decided_by',
      'decided_at',
      'claimed_by',
      'claimed_at',
    ])
    .select([claimant('report_case'), isPostVisible.as('stands'), isOwn(by).as('is_own')])
    .where('id', '=', caseId)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw Missing()
  if (found.is_own && !(await staff.isOnlyHolder(tx, by.staff, right))) throw OwnCase()
  refuseIfClaimed(found, by.staff)
  return found
}

async function refuseIfStale(tx: Db, found: Case, version: number): Promise<void> {
  if (found.outcome) throw DecidedAlready()
  await refuseIfChanged(tx, found, version)
}

export async function refuseIfChanged(tx: Db, { version, changed_by }: Case, seen: number): Promise<void> {
  if (version === seen) return
  if (!changed_by) throw MoreCameIn()
  throw ChangedBy({ account: (await accountsOf(tx, [changed_by])).get(changed_by) ?? '' })
}

export async function bumpVersion(tx: Db, actor: StaffActor, caseId: string): Promise<void> {
  await tx
    .updateTable('report_case')
    .set((row) => ({ version: row('version', '+', 1), changed_by: actor.id }))
    .where('id', '=', caseId)
    .execute()
}

async function removePost(tx: Db, actor: StaffActor, found: Case, why: string): Promise<void> {
  const post = await posts.lockPost(tx, found.kind, found.thing_id)
  await posts.takeDown(tx, [post], { by: 'staff', reason: why, removal: { by: actor.id, caseId: found.id } })
}

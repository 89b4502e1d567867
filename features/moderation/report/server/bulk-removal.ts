import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import { releasedClaim } from '#report/server/claim.ts'
import { decided_from } from '#report/server/decide.ts'
import type { Kind } from '#kind/contract.ts'
import { thingColumns, thingView } from '#report/server/reported-post.ts'

type PostRef = { kind: Kind; id: string }

const isAbout = (posts: readonly PostRef[]) => sql<boolean>`outcome is null and (kind, thing_id) in (
  select * from unnest(${posts.map(({ kind }) => kind)}::text[], ${posts.map(({ id }) => id)}::bigint[]))`

/** Locks the open cases about posts that are about to be removed: before the posts, the order in which a decision locks. */
export async function lockCases(tx: Db, posts: readonly PostRef[]): Promise<void> {
  await sql`select from report_case where ${isAbout(posts)} order by id for update`.execute(tx)
}

/** Marks the reports on posts of a bulk removal as justified and notifies their reporters. Returns the cases it settled. */
export async function settleCases(tx: Db, staffId: string, posts: readonly PostRef[]): Promise<(PostRef & { caseId: string })[]> {
  const decision = { outcome: 'succeeded' as const, decided_by: staffId, decided_at: sql<Date>`clock_timestamp()`, ...releasedClaim }
  const cases = await tx
    .updateTable('report_case')
    .set((row) => ({ ...decision, changed_by: staffId, version: row('version', '+', 1) }))
    .where(isAbout(posts))
    .returning(['id', ...thingColumns])
    .execute()
  const ids = cases.map(({ id }) => id)
  await sql`update removal set case_id = report_case.id from report_case
    where report_case.id = any(${ids}::bigint[]) and removal.kind = report_case.kind and removal.thing_id = report_case.thing_id
      and removal.id = (select max(id) from removal as its where its.kind = removal.kind and its.thing_id = removal.thing_id)`.execute(tx)
  const reports = await tx
    .updateTable('report')
    .set({ status: 'succeeded', decided_from, decided_at: sql`now()` })
    .where('case_id', '=', anyOf(ids))
    .where('deleted_by_staff_at', 'is', null)
    .returning(['case_id', 'reporter_id'])
    .execute()
  await notify(tx, cases, reports, { kind: 'reportDecided', outcome: 'succeeded', result: '' })
  return cases.map((one) => ({ kind: one.kind, id: one.thing_id, caseId: one.id }))
}

/** Reopens the cases of restored posts, except those decided otherwise meanwhile, and notifies the reporters. */
export async function reopenCases(tx: Db, staffId: string, caseIds: readonly string[]): Promise<void> {
  const cases = await tx
    .updateTable('report_case')
    .set({ outcome: null, result: '', remark: '', decided_by: null, decided_at: null, changed_by: staffId, version: sql`version + 1` })
    .where('id', '=', anyOf(caseIds))
    .where('outcome', '=', 'succeeded')
    .where(sql<boolean>`not exists (select from report_case as newer where newer.kind = report_case.kind
      and newer.thing_id = report_case.thing_id and newer.outcome is null)`)
    .where(sql<boolean>`exists (select from removal where case_id = report_case.id and taken_back_at is null and appeal_outcome is null)`)
    .returning(['id', ...thingColumns])
    .execute()
  const ids = cases.map(({ id }) => id)
  await tx
    .updateTable('removal')
    .set({ taken_back_at: sql`now()`, version: sql`version + 1`, ...releasedClaim })
    .where('case_id', '=', anyOf(ids))
    .where('taken_back_at', 'is', null)
    .execute()
  const reports = await tx
    .updateTable('report')
    .set({ status: sql<'pending'>`coalesce(decided_from, 'pending')`, decided_from: null, decided_at: null })
    .where('case_id', '=', anyOf(ids))
    .where('decided_at', 'is not', null)
    .where('deleted_by_staff_at', 'is', null)
    .returning(['case_id', 'reporter_id'])
    .execute()
  await notify(tx, cases, reports, { kind: 'reportReopened' })
}

type Case = Parameters<typeof thingView>[0] & { id: string }
type CaseNotification = { kind: 'reportDecided'; outcome: 'succeeded'; result: '' } | { kind: 'reportReopened' }

async function notify(
  tx: Db,
  cases: readonly Case[],
  reports: readonly { case_id: string; reporter_id: string }[],
  content: CaseNotification,
): Promise<void> {
  const reporters = Map.groupBy(reports, ({ case_id }) => case_id)
  for (const one of cases) {
    const its = reporters.get(one.id) ?? []
    await notification.notify(
      tx,
      its.map(({ reporter_id }) => reporter_id),
      { ...content, post: thingView(one) },
    )
  }
}

import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, NotAllowed, type Answer, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import { ChangedBy, DecidedAlready, ForAnother } from '#report/contract.ts'
import { currentPost } from '#report/server/case.ts'
import { takenBackDecisions } from '#report/server/decision-history.ts'
import { accountsOf, claimant, claimView, refuseIfClaimed, releasedClaim } from '#report/server/claim.ts'
import { canTakeBack } from '#report/server/take-back-limit.ts'
import { appealView } from '#report/server/mine.ts'
import { isForOtherStaff, isTakenAwayBy, isWrittenBy, right } from '#report/server/own.ts'
import { hiddenFlag, isBack, isOnPage } from '#report/server/removal-state.ts'
import { removedColumns, thingView } from '#report/server/reported-post.ts'
import type { appealList, appealView as appealCall, decideAppeal } from '#report/staff-contract.ts'
import { OwnCase } from '#staff/contract.ts'
import * as staff from '#staff/server/staff.ts'
import * as user from '#user/server/user.ts'
import * as posts from '#post/server/post.ts'

const id = sql`removal.id`
const keys = { appealed: { by: sql`removal.appealed_at`, as: 'timestamptz' } } as const

export async function list(db: Db, by: Staff, input: ParsedInput<typeof appealList>): Promise<Answer<typeof appealList>> {
  const query = appeals(db, by)
  const filteredQuery = input.state === 'all' ? query : query.where('appeal_outcome', input.state === 'open' ? 'is' : 'is not', null)
  const page = await paged(db, filteredQuery, { ...input, keys, id })
  return { ...page, rows: await withDetails(db, by, page.rows) }
}

export async function show(db: Db, by: Staff, removalId: string): Promise<Answer<typeof appealCall>> {
  const found = await appeals(db, by)
    .select(['appeal_remark', 'answered_by', 'taken_back_at', 'result', 'report_case.remark', isBack.as('isBack'), isOnPage.as('isOnPage')])
    .where('removal.id', '=', removalId)
    .executeTakeFirst()
  if (!found) throw Missing()
  const [[row], now, reports, accounts, before] = await Promise.all([
    withDetails(db, by, [found]),
    currentPost(db, found),
    db
      .selectFrom('report')
      .innerJoin('report_category', 'report_category.id', 'category_id')
      .select(['reason', 'name_zh', 'name_en'])
      .where('case_id', '=', found.case_id)
      .where('deleted_by_staff_at', 'is', null)
      .orderBy('report.id')
      .limit(100)
      .execute(),
    accountsOf(db, [found.answered_by]),
    takenBackDecisions(db, { removal_id: removalId }),
  ])
  if (!row) throw Missing()
  return {
    ...row,
    segments: now.segments,
    publishedAt: now.publishedAt,
    isBack: found.isBack,
    isOnPage: found.isOnPage,
    canTakeBack: mayTakeBack(by, found) && row.mayDecide,
    takenBack: before,
    remark: found.appeal_remark,
    answeredBy: found.answered_by && (accounts.get(found.answered_by) ?? null),
    result: found.result ?? '',
    decisionRemark: found.remark ?? '',
    reports: reports.map(({ reason, name_zh, name_en }) => ({ category: { zh: name_zh, en: name_en }, reason })),
  }
}

function mayTakeBack(
  { staff: actor }: Staff,
  { answered_at: at, title, appeal_outcome, taken_back_at }: Row & { taken_back_at: Date | null },
): boolean {
  if (!actor.may(right) || taken_back_at || (appeal_outcome === 'restored' && !actor.may('content.remove'))) return false
  return canTakeBack({ at, title })
}

export async function claim(tx: Db, by: Staff, removalId: string): Promise<void> {
  const found = await lock(tx, by, removalId)
  if (found.appeal_outcome) throw DecidedAlready()
  await tx
    .updateTable('removal')
    .set({ claimed_by: by.staff.id, claimed_at: sql`now()` })
    .where('id', '=', found.id)
    .execute()
}

/** Restores the post or confirms its removal. */
export async function decide(tx: Db, by: Staff, client: ClientInfo, form: ParsedInput<typeof decideAppeal>): Promise<void> {
  const { staff: actor } = by
  if (form.outcome === 'restored' && !actor.may('content.remove')) throw NotAllowed()
  const found = await lock(tx, by, form.removalId)
  if (found.appeal_outcome) throw DecidedAlready()
  await refuseIfChanged(tx, found, form.version)

  const { outcome, answer, remark } = form
  const putsBack = outcome === 'restored' && !found.isBack
  // The answer to the appeal tells the author.
  if (putsBack) await posts.putBack(tx, [await posts.lockPost(tx, found.kind, found.thing_id)], { notifies: false })
  await tx
    .updateTable('removal')
    .set((row) => ({
      appeal_outcome: outcome,
      answer,
      appeal_remark: remark,
      answered_by: actor.id,
      answered_at: sql<Date>`now()`,
      put_back_at: putsBack ? sql<Date>`now()` : null,
      version: row('version', '+', 1),
      ...releasedClaim,
    }))
    .where('id', '=', found.id)
    .execute()
  const hidden = outcome === 'restored' && (await hiddenFlag(tx, found.id))
  await notification.notify(tx, found.author_id, { kind: 'appealAnswered', post: thingView(found), outcome, answer, ...hidden })
  await audit.note(tx, actor, client, {
    action: `appeal.${outcome}`,
    about: `${found.kind} ${found.thing_id}`,
    reason: remark || answer,
    after: { removal: found.id, ...(found.case_id && { case: found.case_id }) },
  })
}

export async function refuseIfChanged(tx: Db, found: LockedCase, seen: number): Promise<void> {
  if (found.version !== seen) throw ChangedBy({ account: (await audit.lastActor(tx, `${found.kind} ${found.thing_id}`)) ?? '' })
}

type LockedCase = Awaited<ReturnType<typeof lock>>

/** Locks the row of the appeal. Refused where another member of staff has claimed it, or has to judge it. */
export async function lock(tx: Db, by: Staff, removalId: string) {
  const found = await tx
    .selectFrom('removal')
    .select(removedColumns)
    .select(['removal.id', 'case_id', 'removal.author_id', 'why', 'removed_at', 'taken_back_at'])
    .select(['appeal_outcome', 'answer', 'appeal_remark', 'answered_by', 'answered_at', 'put_back_at', 'removal.version'])
    .select(['removal.claimed_by', 'removal.claimed_at', claimant('removal'), isBack.as('isBack')])
    .select([isWrittenBy(by).as('is_own'), isTakenAwayBy(by).as('is_first')])
    .where('removal.id', '=', removalId)
    .where('appeal', 'is not', null)
    .forUpdate('removal')
    .executeTakeFirst()
  if (!found) throw Missing()
  const isAlone = await staff.isOnlyHolder(tx, by.staff, right)
  if (found.is_own && !isAlone) throw OwnCase()
  if (found.is_first && !isAlone) throw ForAnother()
  refuseIfClaimed(found, by.staff)
  return found
}

function appeals(db: Db, by: Staff) {
  return db
    .selectFrom('removal')
    .leftJoin('report_case', 'report_case.id', 'case_id')
    .select(removedColumns)
    .select(['removal.id', 'case_id', 'removal.author_id', 'why', 'removed_by', 'removed_by_member', 'removed_at', 'removal.version'])
    .select(['appeal', 'appealed_at', 'appeal_outcome', 'answer', 'answered_at'])
    .select(['removal.claimed_by', 'removal.claimed_at', claimant('removal'), isForOtherStaff(by).as('is_for_another')])
    .where('appeal', 'is not', null)
}

type Row = Awaited<ReturnType<ReturnType<typeof appeals>['execute']>>[number]

async function withDetails(db: Db, { staff: actor }: Staff, rows: readonly Row[]): Promise<Answer<typeof appealList>['rows']> {
  const [people, accounts, isAlone] = await Promise.all([
    user.authors(
      db,
      rows.flatMap(({ author_id, removed_by_member }) => [author_id, removed_by_member ?? []].flat()),
    ),
    accountsOf(
      db,
      rows.map(({ removed_by }) => removed_by),
    ),
    staff.isOnlyHolder(db, actor, right),
  ])
  return rows.flatMap((row) => {
    const author = people.get(row.author_id)
    const appeal = appealView(row)
    if (!author || !appeal) return []
    return {
      id: row.id,
      caseId: row.case_id,
      thing: thingView(row),
      author,
      why: row.why,
      removedBy: accounts.get(row.removed_by ?? '') ?? '',
      removedByMember: people.get(row.removed_by_member ?? '') ?? null,
      removedAt: row.removed_at,
      appeal,
      claim: claimView(row, actor),
      mayDecide: isAlone || !row.is_for_another,
      version: row.version,
    }
  })
}

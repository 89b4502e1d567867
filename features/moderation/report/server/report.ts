import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo } from '#base/server/database/paged.ts'
import type { PrepareContext, Member, Staff } from '#base/server/http/route.ts'
import * as captcha from '#captcha/server/captcha.ts'
import * as contract from '#report/contract.ts'
import * as category from '#report/server/category.ts'
import { isForOtherStaff, isOwn, right } from '#report/server/own.ts'
import * as pictures from '#report/server/pictures.ts'
import { find, type ReportablePost } from '#report/server/reported-post.ts'
import * as setting from '#setting/server/setting.ts'
import * as staff from '#staff/server/staff.ts'
import type { Kind } from '#kind/contract.ts'

export { lockCases, reopenCases, settleCases } from '#report/server/bulk-removal.ts'

type Draft = ParsedInput<typeof contract.addReport>

export async function form(db: Db, member: Member, target: { kind: Kind; thingId: string }): Promise<Output<typeof contract.reportForm>> {
  const thing = await find(db, member, target.kind, target.thingId)
  const [settings, groups, isReported, needsCaptcha] = await Promise.all([
    setting.all(db),
    category.choices(db),
    hasOpen(db, member, thing),
    isCaptchaDue(db, member),
  ])
  return { isOpen: settings.allowReports, isReported, groups, pictures: settings.picturesPerReport, needsCaptcha }
}

/** Requires a captcha after many reports within a minute. */
export async function prepare({ db, viewer, input, client, inSeparateTransaction }: PrepareContext<Draft, Member>): Promise<void> {
  await setting.mustBeOpen(db, 'allowReports')
  if (await isCaptchaDue(db, viewer))
    captcha.requireRight(await inSeparateTransaction((tx) => captcha.consume(tx, 'report', client, input)))
}

/** Reports a post. Reports on one post form one case, which staff decide once. */
export async function add(tx: Db, reporter: Member, draft: Draft): Promise<{ reportId: string }> {
  await setting.mustBeOpen(tx, 'allowReports')
  const thing = await find(tx, reporter, draft.kind, draft.thingId)
  if (thing.authorId === reporter.id) throw contract.OwnPost()
  const chosen = await category.findSelectable(tx, draft.categoryId)
  if (!chosen) throw contract.CategoryGone()
  if (chosen.needsReason && !draft.reason) throw contract.ReasonNeeded()
  if (draft.pictures.length > 0 && !draft.reason) throw contract.PicturesNeedReason()

  const caseId = await caseFor(tx, thing)
  const added = await tx
    .insertInto('report')
    .values({ case_id: caseId, reporter_id: reporter.id, category_id: draft.categoryId, reason: draft.reason })
    .onConflict((there) => there.columns(['case_id', 'reporter_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw contract.AlreadyReported()
  await pictures.attach(tx, reporter.id, added.id, draft.pictures)
  return { reportId: added.id }
}

/** Supplies the details that staff asked for. */
export async function supply(tx: Db, reporter: Member, draft: ParsedInput<typeof contract.supplyReason>): Promise<void> {
  const own = await ownReport(tx, reporter, draft.reportId)
  // The case first: the lock order of a decision.
  await tx.selectFrom('report_case').select('id').where('id', '=', own.case_id).forUpdate().executeTakeFirst()
  const supplied = await tx
    .updateTable('report')
    .set((row) => ({
      status: 'reasonSupplied',
      reason: sql<string>`concat_ws(E'\n\n', nullif(${row.ref('reason')}, ''), ${draft.reason}::text)`,
    }))
    .where('id', '=', own.id)
    .where('status', '=', 'needsReason')
    .where('deleted_by_staff_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!supplied) throw contract.NothingAsked()
  await pictures.attach(tx, reporter.id, own.id, draft.pictures)
  await tx
    .updateTable('report_case')
    .set((row) => ({ version: row('version', '+', 1), changed_by: null }))
    .where('id', '=', own.case_id)
    .execute()
}

export async function hide(tx: Db, reporter: Member, reportId: string): Promise<void> {
  const own = await ownReport(tx, reporter, reportId)
  await tx
    .updateTable('report')
    .set({ deleted_by_user_at: sql`now()` })
    .where('id', '=', own.id)
    .execute()
}

async function ownReport(tx: Db, reporter: Member, reportId: string) {
  const own = await tx
    .selectFrom('report')
    .select(['id', 'case_id'])
    .where('id', '=', reportId)
    .where('reporter_id', '=', reporter.id)
    .where('deleted_by_user_at', 'is', null)
    .executeTakeFirst()
  if (!own) throw Missing()
  return own
}

// Concurrent reports and decisions wait for this row.
async function caseFor(tx: Db, { kind, id, topicId, commentId, replyId, authorId, title, excerpt }: ReportablePost): Promise<string> {
  const row = { kind, thing_id: id, topic_id: topicId, comment_id: commentId, reply_id: replyId, author_id: authorId, title, excerpt }
  const { id: caseId } = await tx
    .insertInto('report_case')
    .values({ ...row, report_count: 1 })
    .onConflict((there) =>
      there
        .columns(['kind', 'thing_id'])
        .where('outcome', 'is', null)
        .doUpdateSet((now) => ({
          report_count: now('report_case.report_count', '+', 1),
          version: now('report_case.version', '+', 1),
          changed_by: null,
        })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return caseId
}

async function hasOpen(db: Db, member: Member, { kind, id }: ReportablePost): Promise<boolean> {
  const row = await db
    .selectFrom('report')
    .innerJoin('report_case', 'report_case.id', 'case_id')
    .select('report.id')
    .where('report_case.kind', '=', kind)
    .where('thing_id', '=', id)
    .where('outcome', 'is', null)
    .where('reporter_id', '=', member.id)
    .executeTakeFirst()
  return row !== undefined
}

async function isCaptchaDue(db: Db, member: Member): Promise<boolean> {
  const { reportCaptchaAfter } = await setting.all(db)
  if (reportCaptchaAfter === 0) return true
  const { count } = await db
    .selectFrom('report')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('reporter_id', '=', member.id)
    .where('reported_at', '>', sql<Date>`now() - interval '1 minute'`)
    .executeTakeFirstOrThrow()
  return Number(count) >= reportCaptchaAfter
}

/** Counts the cases and appeals that wait, up to a limit; without those that other staff have to judge. */
export async function waiting(db: Db, by: Staff): Promise<{ cases: number; appeals: number }> {
  const isAlone = await staff.isOnlyHolder(db, by.staff, right)
  const [cases, appeals] = await Promise.all([
    countUpTo(
      db,
      db
        .selectFrom('report_case')
        .where('outcome', 'is', null)
        .where('report_count', '>', 0)
        .where(sql<boolean>`(${isAlone} or not ${isOwn(by)})`),
    ),
    countUpTo(
      db,
      db
        .selectFrom('removal')
        .where('appeal', 'is not', null)
        .where('appeal_outcome', 'is', null)
        .where(sql<boolean>`(${isAlone} or not ${isForOtherStaff(by)})`),
    ),
  ])
  return { cases, appeals }
}

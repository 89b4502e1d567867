import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import * as file from '#file/server/file.ts'
import { AppealedAlready, BackAlready, type appealRemoval, type myRemovals, type myReports } from '#report/contract.ts'
import * as pictures from '#report/server/pictures.ts'
import { isBack, isOnPage } from '#report/server/removal-state.ts'
import { removedColumns, thingColumns, thingView } from '#report/server/reported-post.ts'
import * as setting from '#setting/server/setting.ts'

const perPage = 20

/** The reports of a member that are still on their list, newest first. */
export async function reports(db: Db, member: Member, page: number): Promise<Output<typeof myReports>> {
  const own = db.selectFrom('report').where('reporter_id', '=', member.id).where('deleted_by_user_at', 'is', null)
  const { count } = await own.select((row) => row.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const pages = pagePosition(Number(count), page, perPage)
  const rows = await own
    .innerJoin('report_case', 'report_case.id', 'case_id')
    .innerJoin('report_category', 'report_category.id', 'category_id')
    .select(thingColumns)
    .select(['report.id', 'reason', 'status', 'asked', 'reported_at', 'report.decided_at', 'result', 'name_zh', 'name_en'])
    .select((row) => row('deleted_by_staff_at', 'is not', null).as('isDeletedByStaff'))
    .orderBy('reported_at', 'desc')
    .orderBy('report.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const [pictureIds, { picturesPerReport }] = await Promise.all([
    pictures.of(
      db,
      rows.map(({ id }) => id),
    ),
    setting.all(db),
  ])
  return {
    ...pages,
    picturesEach: picturesPerReport,
    reports: rows.map((row) => ({
      id: row.id,
      thing: thingView(row),
      category: { zh: row.name_zh, en: row.name_en },
      reason: row.reason,
      pictures: (pictureIds.get(row.id) ?? []).map(file.srcOf),
      status: row.status,
      isDeletedByStaff: Boolean(row.isDeletedByStaff),
      asked: row.asked,
      result: row.decided_at ? row.result : '',
      reportedAt: row.reported_at.toISOString(),
      decidedAt: row.decided_at?.toISOString() ?? null,
    })),
  }
}

/** A member's posts that staff removed, newest first. The result does not say whether a post was reported, or by whom. */
export async function removals(db: Db, member: Member, page: number): Promise<Output<typeof myRemovals>> {
  const own = db.selectFrom('removal').where('removal.author_id', '=', member.id)
  const { count } = await own.select((row) => row.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
  const pages = pagePosition(Number(count), page, perPage)
  const rows = await own
    .select(removedColumns)
    .select(['removal.id', 'why', 'removed_at', 'appeal', 'appealed_at', 'appeal_outcome', 'answer', 'answered_at'])
    .select([isBack.as('isBack'), isOnPage.as('isOnPage')])
    .orderBy('removed_at', 'desc')
    .orderBy('removal.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return {
    ...pages,
    removals: rows.map((row) => ({
      id: row.id,
      thing: thingView(row),
      why: row.why,
      removedAt: row.removed_at.toISOString(),
      appeal: appealView(row),
      isBack: row.isBack,
      isOnPage: row.isOnPage,
    })),
  }
}

type AppealColumns = {
  appeal: string | null
  appealed_at: Date | null
  appeal_outcome: 'restored' | 'confirmed' | null
  answer: string
  answered_at: Date | null
}

export function appealView({ appeal, appealed_at, appeal_outcome, answer, answered_at }: AppealColumns) {
  if (appeal === null || appealed_at === null) return null
  const answeredAt = answered_at?.toISOString() ?? null
  return { text: appeal, at: appealed_at.toISOString(), outcome: appeal_outcome, answer, answeredAt }
}

/** Appeals against a removal. Only once, because a second member of staff reviews the first decision already. */
export async function appeal(tx: Db, author: Member, { removalId, text }: ParsedInput<typeof appealRemoval>): Promise<void> {
  const own = await tx
    .selectFrom('removal')
    .select(['removal.id', 'appeal', 'removal.title'])
    .select(isBack.as('isBack'))
    .where('removal.id', '=', removalId)
    .where('removal.author_id', '=', author.id)
    .forUpdate('removal')
    .executeTakeFirst()
  // A purged post has no text left and cannot be restored.
  if (!own?.title) throw Missing()
  if (own.appeal !== null) throw AppealedAlready()
  if (own.isBack) throw BackAlready()
  await tx
    .updateTable('removal')
    .set({ appeal: text, appealed_at: sql`now()` })
    .where('id', '=', own.id)
    .execute()
}

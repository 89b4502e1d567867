import { sql } from 'kysely'
import { Missing, type Answer } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Staff } from '#base/server/http/route.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { cases, withDetails } from '#report/server/cases.ts'
import { takenBackDecisions } from '#report/server/decision-history.ts'
import { accountsOf } from '#report/server/claim.ts'
import { canTakeBack } from '#report/server/take-back-limit.ts'
import { right } from '#report/server/own.ts'
import * as pictures from '#report/server/pictures.ts'
import type { caseView } from '#report/staff-contract.ts'
import * as user from '#user/server/user.ts'
import type { Kind } from '#kind/contract.ts'

type View = Answer<typeof caseView>

// The removal that the decision caused.
const removalOfCase = sql`from removal where case_id = report_case.id and taken_back_at is null`

/** All that a decision about a reported post needs. */
export async function show(db: Db, by: Staff, caseId: string): Promise<View> {
  const found = await cases(db, by)
    .select(['report_case.reply_id', 'result', 'remark', 'decided_by', 'decided_at'])
    .select([
      sql<string | null>`(select id::text ${removalOfCase})`.as('removalId'),
      sql<string | null>`(select appeal_outcome ${removalOfCase})`.as('appeal_outcome'),
    ])
    .where('report_case.id', '=', caseId)
    .executeTakeFirst()
  if (!found) throw Missing()
  const [[row], now, context, list, record, accounts, before] = await Promise.all([
    withDetails(db, by, [found]),
    currentPost(db, found),
    contextOf(db, found),
    reportsIn(db, caseId, found.author_id !== by.id),
    authorRecord(db, found.author_id, caseId),
    accountsOf(db, [found.decided_by]),
    takenBackDecisions(db, { case_id: caseId }),
  ])
  if (!row) throw Missing()
  return {
    ...row,
    now,
    context,
    list,
    result: found.result,
    remark: found.remark,
    decidedBy: found.decided_by && (accounts.get(found.decided_by) ?? null),
    decidedAt: found.decided_at,
    authorRecord: record,
    removalId: found.removalId,
    isAppealDecided: found.appeal_outcome !== null,
    canTakeBack: row.mayDecide && mayTakeBack(by, found),
    takenBack: before,
  }
}

type DecidedCase = { decided_at: Date | null; title: string; removalId: string | null; appeal_outcome: string | null }

function mayTakeBack({ staff }: Staff, { decided_at: at, title, removalId, appeal_outcome }: DecidedCase): boolean {
  if (appeal_outcome) return false
  return staff.may(right) && (removalId === null || staff.may('content.remove')) && canTakeBack({ at, title })
}

type ReportTarget = { kind: Kind; thing_id: string; topic_id: string; comment_id: string | null }

/** A post as it is now, deleted or not. */
export async function currentPost(
  db: Db,
  { kind, thing_id, topic_id }: Pick<ReportTarget, 'kind' | 'thing_id' | 'topic_id'>,
): Promise<View['now']> {
  const [row, topic] = await Promise.all([
    db
      .selectFrom(kind)
      .select(['segments', 'published_at', 'edited_at', 'status', 'deleted_by'])
      .where('id', '=', thing_id)
      .executeTakeFirstOrThrow(),
    db.selectFrom('topic').select('title').where('id', '=', topic_id).executeTakeFirst(),
  ])
  return {
    title: topic?.title ?? '',
    segments: row.segments as Segment[],
    publishedAt: row.published_at,
    editedAt: row.edited_at,
    status: row.status,
    deletedBy: row.deleted_by,
  }
}

// The posts above it on the page.
async function contextOf(db: Db, { kind, topic_id, comment_id }: ReportTarget): Promise<View['context']> {
  const above = kind === 'reply' && comment_id ? comment_id : null
  const [topic, comment] = await Promise.all([
    kind === 'topic'
      ? undefined
      : db.selectFrom('topic').select(['id', 'author_id', 'summary as text', 'published_at']).where('id', '=', topic_id).executeTakeFirst(),
    above
      ? db.selectFrom('comment').select(['id', 'author_id', 'text', 'published_at']).where('id', '=', above).executeTakeFirst()
      : undefined,
  ])
  const rows = [...(topic ? [{ kind: 'topic' as const, ...topic }] : []), ...(comment ? [{ kind: 'comment' as const, ...comment }] : [])]
  const authors = await user.authors(
    db,
    rows.map(({ author_id }) => author_id),
  )
  return rows.flatMap(({ kind, id, author_id, text, published_at }) => {
    const author = authors.get(author_id)
    return author ? [{ kind, id, author, text, at: published_at }] : []
  })
}

async function reportsIn(db: Db, caseId: string, isNamed: boolean): Promise<View['list']> {
  const rows = await db
    .selectFrom('report')
    .innerJoin('report_category', 'report_category.id', 'category_id')
    .select(['report.id', 'reporter_id', 'reason', 'status', 'asked', 'reported_at', 'deleted_by_user_at', 'deleted_by_staff_at'])
    .select(['name_zh', 'name_en'])
    .where('case_id', '=', caseId)
    .orderBy('report.id')
    .limit(500)
    .execute()
  const reporters = rows.map(({ reporter_id }) => reporter_id)
  const [people, records, pictureIds] = await Promise.all([
    user.authors(db, reporters),
    recordsOf(db, reporters, caseId),
    pictures.of(
      db,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.flatMap((row) => {
    const reporter = people.get(row.reporter_id)
    if (!reporter) return []
    return {
      id: row.id,
      reporter: isNamed ? reporter : null,
      record: isNamed ? (records.get(row.reporter_id) ?? { decided: 0, succeeded: 0 }) : null,
      category: { zh: row.name_zh, en: row.name_en },
      reason: row.reason,
      pictures: pictureIds.get(row.id) ?? [],
      status: row.status,
      asked: row.asked,
      reportedAt: row.reported_at,
      isDeletedByUser: row.deleted_by_user_at !== null,
      isDeletedByStaff: row.deleted_by_staff_at !== null,
    }
  })
}

type ReportRecord = { decided: number; succeeded: number }

const decidedCount = sql<number>`count(*)::int`.as('decided')

/** Records of the reporters before this case. */
async function recordsOf(db: Db, reporterIds: readonly string[], caseId: string): Promise<Map<string, ReportRecord>> {
  const rows = await db
    .selectFrom('report')
    .select(['reporter_id', decidedCount, sql<number>`(count(*) filter (where status = 'succeeded'))::int`.as('succeeded')])
    .where('reporter_id', '=', anyOf(reporterIds))
    .where('case_id', '<>', caseId)
    .where('decided_at', 'is not', null)
    .where('deleted_by_staff_at', 'is', null)
    .groupBy('reporter_id')
    .execute()
  return new Map(rows.map(({ reporter_id, ...record }) => [reporter_id, record]))
}

function authorRecord(db: Db, authorId: string, caseId: string): Promise<ReportRecord> {
  return db
    .selectFrom('report_case')
    .select([decidedCount, sql<number>`(count(*) filter (where outcome = 'succeeded'))::int`.as('succeeded')])
    .where('author_id', '=', authorId)
    .where('id', '<>', caseId)
    .where('outcome', 'is not', null)
    .executeTakeFirstOrThrow()
}

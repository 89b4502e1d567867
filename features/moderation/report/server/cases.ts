import { sql } from 'kysely'
import type { Answer, ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import { postCalled } from '#kind/contract.ts'
import { claimant, claimView, isClaimed } from '#report/server/claim.ts'
import { isOwn, right } from '#report/server/own.ts'
import { thingColumns, thingView, threadKind } from '#report/server/reported-post.ts'
import type { caseList } from '#report/staff-contract.ts'
import * as staff from '#staff/server/staff.ts'
import * as user from '#user/server/user.ts'

type CaseListParams = ParsedInput<typeof caseList>

const id = sql`report_case.id`
const keys = {
  opened: { by: sql`report_case.opened_at`, as: 'timestamptz' },
  reports: { by: sql`report_case.report_count`, as: 'bigint' },
} as const

/** A page of cases, each with its author, its categories and its claim. */
export async function list(db: Db, by: Staff, input: CaseListParams): Promise<Answer<typeof caseList>> {
  const page = await paged(db, filtered(db, by, input), { ...input, keys, id })
  return { ...page, rows: await withDetails(db, by, page.rows) }
}

export type Row = Awaited<ReturnType<ReturnType<typeof cases>['execute']>>[number]

/** The rows of cases, unordered. */
export function cases(db: Db, by: Staff) {
  return db
    .selectFrom('report_case')
    .select(thingColumns)
    .select([
      'report_case.id',
      'author_id',
      'report_count as reports',
      'opened_at as openedAt',
      'outcome',
      'report_case.version',
      'claimed_by',
      'claimed_at',
      claimant('report_case'),
    ])
    .select(isOwn(by).as('is_own'))
}

/** The rows of the list with the data that lies beside the case. */
export async function withDetails(db: Db, by: Staff, rows: readonly Row[]): Promise<Answer<typeof caseList>['rows']> {
  const [isAlone, authors, details] = await Promise.all([
    staff.isOnlyHolder(db, by.staff, right),
    user.authors(
      db,
      rows.map(({ author_id }) => author_id),
    ),
    detailsOf(
      db,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => {
    const author = authors.get(row.author_id)
    if (!author) throw new Error(`Case ${row.id} has no author`)
    const { categories = [], statuses = [] } = details.get(row.id) ?? {}
    return {
      id: row.id,
      thing: thingView(row),
      author,
      reports: row.reports,
      categories,
      statuses,
      openedAt: row.openedAt,
      outcome: row.outcome,
      claim: claimView(row, by.staff),
      mayDecide: !row.is_own || isAlone,
      version: row.version,
    }
  })
}

type CaseDetails = Pick<Answer<typeof caseList>['rows'][number], 'categories' | 'statuses'>

async function detailsOf(db: Db, caseIds: readonly string[]): Promise<Map<string, CaseDetails>> {
  if (caseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('report')
    .innerJoin('report_category', 'report_category.id', 'category_id')
    .select(['case_id', 'status', 'name_zh', 'name_en'])
    .distinct()
    .where('case_id', '=', anyOf(caseIds))
    .where('deleted_by_staff_at', 'is', null)
    .execute()
  const found = Map.groupBy(rows, ({ case_id }) => case_id)
  return new Map(
    [...found].map(([caseId, list]) => {
      const categories = new Map(list.map(({ name_zh, name_en }) => [`${name_zh} ${name_en}`, { zh: name_zh, en: name_en }]))
      return [caseId, { categories: [...categories.values()], statuses: [...new Set(list.map(({ status }) => status))] }]
    }),
  )
}

function filtered(db: Db, by: Staff, { state, status, categoryId, kind, reporter, author, claimed, deleted }: CaseListParams) {
  let query = cases(db, by)
  if (!deleted) query = query.where('report_count', '>', 0)
  if (deleted) query = query.where(sql<boolean>`exists (select from report where case_id = ${id} and deleted_by_staff_at is not null)`)
  if (state !== 'all') query = query.where('outcome', state === 'open' ? 'is' : 'is not', null)
  if (kind)
    query = query.where('report_case.kind', '=', postCalled(kind).kind).where(threadKind('report_case'), '=', postCalled(kind).thread)
  if (status) query = query.where(sql<boolean>`exists (select from report where case_id = ${id} and status = ${status})`)
  if (categoryId) query = query.where(sql<boolean>`exists (select from report where case_id = ${id} and category_id = ${categoryId})`)
  if (reporter)
    query = query.where(
      sql<boolean>`exists (select from report where case_id = ${id} and reporter_id in (${user.memberIdsNamed(reporter)}))`,
    )
  // The reporters stay unknown to the author.
  if (reporter) query = query.where('author_id', '<>', by.id)
  if (author) query = query.where(sql<boolean>`author_id in (${user.memberIdsNamed(author)})`)
  if (claimed === 'nobody') query = query.where(sql<boolean>`(${isClaimed}) is not true`)
  if (claimed === 'mine') query = query.where(isClaimed).where('claimed_by', '=', by.staff.id)
  if (claimed === 'others') query = query.where(isClaimed).where('claimed_by', '<>', by.staff.id)
  return query
}

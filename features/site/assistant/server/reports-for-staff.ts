import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { HandledAlready } from '#assistant/contract.ts'
import type {
  answerReportList,
  answerReportView,
  handleAnswerReport,
  openAnswerReport,
  reportReasons,
  ReportedTurn,
} from '#assistant/report-contract.ts'
import { Missing, type Answer, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo, paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import { OwnCase } from '#staff/contract.ts'
import * as staff from '#staff/server/staff.ts'
import * as user from '#user/server/user.ts'

const right = 'assistant.report'
const id = sql`assistant_report.id`
const keys = { reported: { by: id, as: 'bigint' } } as const

export async function list(db: Db, by: Staff, input: ParsedInput<typeof answerReportList>): Promise<Answer<typeof answerReportList>> {
  let query = reports(db)
  if (input.state !== 'all') query = query.where('handled_at', input.state === 'open' ? 'is' : 'is not', null)
  const page = await paged(db, query, { ...input, keys, id })
  return { ...page, rows: await filled(db, by, page.rows) }
}

export async function view(db: Db, by: Staff, reportId: string): Promise<Answer<typeof answerReportView>> {
  const [found] = await filled(db, by, await reports(db).where('assistant_report.id', '=', reportId).execute())
  if (!found) throw Missing()
  return found
}

/** Counts open reports, up to a limit. */
export function pendingMessageReports(db: Db): Promise<number> {
  return countUpTo(db, db.selectFrom('assistant_report').where('handled_at', 'is', null))
}

/** The conversation up to the answer. Access is logged before it is read. */
export async function open(tx: Db, by: Staff, client: ClientInfo, reportId: string): Promise<Output<typeof openAnswerReport>> {
  const found = await reports(tx).where('assistant_report.id', '=', reportId).executeTakeFirst()
  if (!found) throw Missing()
  await audit.note(tx, by.staff, client, { action: 'assistantReport.open', about: `assistantReport ${reportId}` })
  const { rows } = await sql<{ turns: ReportedTurn[] | null }>`select reported_turns(${reportId}::bigint) as turns`.execute(tx)
  const turns = rows[0]?.turns ?? null
  return { turns: turns && turns.map((turn) => ({ ...turn, at: new Date(turn.at).toISOString() })) }
}

export async function handle(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { reportId, result }: ParsedInput<typeof handleAnswerReport>,
): Promise<void> {
  const found = await reports(tx).where('assistant_report.id', '=', reportId).forUpdate('assistant_report').executeTakeFirst()
  if (!found) throw Missing()
  if (found.handledAt) throw HandledAlready()
  if (found.member_id === by.id && !(await staff.isOnlyHolder(tx, by.staff, right))) throw OwnCase()
  await tx
    .updateTable('assistant_report')
    .set({ result, handled_by: by.staff.id, handled_at: sql`clock_timestamp()` })
    .where('id', '=', reportId)
    .execute()
  await notification.notify(tx, found.member_id, { kind: 'answerReportHandled', result })
  await audit.note(tx, by.staff, client, { action: 'assistantReport.handle', about: `assistantReport ${reportId}` })
}

function reports(db: Db) {
  return db
    .selectFrom('assistant_report')
    .leftJoin('staff', 'staff.id', 'handled_by')
    .select(['assistant_report.id', 'member_id', 'reason', 'note', 'reported_at as reportedAt', 'result'])
    .select(['handled_at as handledAt', 'staff.account as handledBy'])
}

type Row = Awaited<ReturnType<ReturnType<typeof reports>['execute']>>[number]

async function filled(db: Db, by: Staff, rows: readonly Row[]): Promise<Answer<typeof answerReportView>[]> {
  const [isAlone, people] = await Promise.all([
    staff.isOnlyHolder(db, by.staff, right),
    user.authors(
      db,
      rows.map(({ member_id }) => member_id),
    ),
  ])
  return rows.flatMap(({ member_id, ...row }) => {
    const member = people.get(member_id)
    const reason = row.reason as (typeof reportReasons)[number]
    return member ? [{ ...row, member, reason, mayHandle: isAlone || member_id !== by.id }] : []
  })
}

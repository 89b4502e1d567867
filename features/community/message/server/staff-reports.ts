import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Answer, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo, paged } from '#base/server/database/paged.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import { DecidedAlready } from '#message/contract.ts'
import type { CopiedMessage } from '#message/server/report.ts'
import type { decideMessageReport, messageReportList, messageReportView, openMessageReport } from '#message/staff-contract.ts'
import * as notification from '#notification/server/notification.ts'
import { OwnCase } from '#staff/contract.ts'
import * as staff from '#staff/server/staff.ts'
import * as user from '#user/server/user.ts'

const right = 'message.report'
const id = sql`message_report.id`
const keys = { reported: { by: id, as: 'bigint' } } as const

export async function list(db: Db, by: Staff, input: ParsedInput<typeof messageReportList>): Promise<Answer<typeof messageReportList>> {
  let query = reports(db)
  if (input.state !== 'all') query = query.where('outcome', input.state === 'open' ? 'is' : 'is not', null)
  const page = await paged(db, query, { ...input, keys, id })
  return { ...page, rows: await withMembers(db, by, page.rows) }
}

export async function view(db: Db, by: Staff, reportId: string): Promise<Answer<typeof messageReportView>> {
  const [found] = await withMembers(db, by, await reports(db).where('message_report.id', '=', reportId).execute())
  if (!found) throw Missing()
  return found
}

/** The number of open reports, up to the limit of counting. */
export function pendingMessageReports(db: Db): Promise<number> {
  return countUpTo(db, db.selectFrom('message_report').where('outcome', 'is', null))
}

/** The reported messages. The access is logged before they are read. */
export async function open(tx: Db, by: Staff, client: ClientInfo, reportId: string): Promise<Answer<typeof openMessageReport>> {
  const found = await reports(tx).where('message_report.id', '=', reportId).executeTakeFirst()
  if (!found) throw Missing()
  await audit.note(tx, by.staff, client, { action: 'messageReport.open', about: `messageReport ${reportId}` })
  const { rows } = await sql<{ messages: CopiedMessage[] }>`select reported_messages(${reportId}::bigint) as messages`.execute(tx)
  const people = await user.authors(tx, [found.author_id, found.reporter_id])
  const messages = (rows[0]?.messages ?? []).map(async ({ id: messageId, isByReporter, segments, sentAt }) => {
    const author = people.get(isByReporter ? found.reporter_id : found.author_id)
    const staffSegments = await Promise.all(segments.map(async ({ html }) => ({ html: await file.withStaffKeys(tx, html) })))
    const isReported = messageId === found.message_id
    return author ? [{ id: messageId, author, isReported, segments: staffSegments, sentAt: new Date(sentAt) }] : []
  })
  return { messages: (await Promise.all(messages)).flat() }
}

export async function decide(tx: Db, by: Staff, client: ClientInfo, input: ParsedInput<typeof decideMessageReport>): Promise<void> {
  const { reportId, outcome, result } = input
  const found = await reports(tx).where('message_report.id', '=', reportId).forUpdate('message_report').executeTakeFirst()
  if (!found) throw Missing()
  if (found.outcome) throw DecidedAlready()
  if (isOwn(by, found) && !(await staff.isOnlyHolder(tx, by.staff, right))) throw OwnCase()
  await tx
    .updateTable('message_report')
    .set({ outcome, result, decided_by: by.staff.id, decided_at: sql`clock_timestamp()` })
    .where('id', '=', reportId)
    .execute()
  // The name is filled in when the notification is read.
  await notification.notify(tx, found.reporter_id, { kind: 'messageReportDecided', memberId: found.author_id, name: '', outcome, result })
  await audit.note(tx, by.staff, client, { action: 'messageReport.decide', about: `messageReport ${reportId}`, after: { outcome } })
}

function reports(db: Db) {
  return db
    .selectFrom('message_report')
    .leftJoin('staff', 'staff.id', 'decided_by')
    .select(['message_report.id', 'message_id', 'author_id', 'reporter_id', 'reason', 'reported_at as reportedAt', 'outcome', 'result'])
    .select(['decided_at as decidedAt', 'staff.account as decidedBy'])
}

type Row = Awaited<ReturnType<ReturnType<typeof reports>['execute']>>[number]

function isOwn({ id: memberId }: Staff, { author_id, reporter_id }: Pick<Row, 'author_id' | 'reporter_id'>): boolean {
  return memberId === author_id || memberId === reporter_id
}

async function withMembers(db: Db, by: Staff, rows: readonly Row[]): Promise<Answer<typeof messageReportView>[]> {
  const [isAlone, people] = await Promise.all([
    staff.isOnlyHolder(db, by.staff, right),
    user.authors(
      db,
      rows.flatMap(({ author_id, reporter_id }) => [author_id, reporter_id]),
    ),
  ])
  return rows.flatMap((row) => {
    const { author_id, reporter_id, message_id: _, ...its } = row
    const [author, reporter] = [people.get(author_id), people.get(reporter_id)]
    return author && reporter ? [{ ...its, author, reporter, mayDecide: isAlone || !isOwn(by, row) }] : []
  })
}

import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { conversation, HandledAlready, NothingThere, removeConversation, ReportedAlready } from '#assistant/contract.ts'
import * as contract from '#assistant/report-contract.ts'
import { aConversation } from '#assistant/testing/factories.ts'
import { jobs } from '#assistant/server/jobs.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { banMember } from '#member/contract.ts'
import { asMember } from '#message/server/message.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { Banned } from '#role/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let [chief, clerk] = [] as unknown as [Staffer, Staffer]
let mei: Person
let turnIds: string[]
let conversationId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  clerk = await aStaffer(forum, ['assistant.view', 'assistant.manage', 'report.view', 'report.decide', 'message.report', 'member.view'])
})
beforeEach(async () => {
  mei = await forum.member()
  conversationId = await aConversation(forum.database, mei.id, ['zqone', 'zqtwo', 'zqthree'])
  turnIds = (await mei.call(conversation, { conversationId })).turns.map(({ id }) => id)
})

const turn = (place: number) => turnIds[place] ?? ''

/** Mei reports the second of three answers. Returns the report's id. */
async function reported(): Promise<string> {
  await mei.call(contract.reportAnswer, { turnId: turn(1), reason: 'incorrect', note: 'Not so.' })
  const { rows } = await chief.call(contract.answerReportList, { order: 'desc' })
  return rows[0]?.id ?? ''
}

const readBy = async (who: Staffer, reportId: string) =>
  (await who.call(contract.openAnswerReport, { reportId })).turns?.map(({ answer }) => answer) ?? null

test('staff read a reported answer with the turns before it, and no later or unreported ones; each reading is logged', async () => {
  const reportId = await reported()
  const listed = await chief.call(contract.answerReportList, {})
  expect(listed.rows.at(-1)).toMatchObject({ id: reportId, member: { id: mei.id }, reason: 'incorrect', note: 'Not so.', handledAt: null })
  expect(JSON.stringify([listed, await chief.call(contract.answerReportView, { reportId })])).not.toContain('zq')
  expect(await readBy(chief, reportId)).toEqual(['zqone', 'zqtwo'])
  await readBy(chief, reportId)
  const { rows } = await chief.call(auditLog, { about: `assistantReport ${reportId}` })
  expect(rows.map(({ action }) => action)).toEqual(['assistantReport.open', 'assistantReport.open'])
  expect(JSON.stringify(rows)).not.toContain('zq')
})

test('the copy has the text of its time, even after the member deletes the conversation', async () => {
  const reportId = await reported()
  await mei.call(removeConversation, { conversationId })
  expect(await readBy(chief, reportId)).toEqual(['zqone', 'zqtwo'])
})

test('staff with other rights are refused', async () => {
  const reportId = await reported()
  for (const [call, input] of [
    [contract.answerReportList, {}],
    [contract.answerReportView, { reportId }],
    [contract.openAnswerReport, { reportId }],
    [contract.handleAnswerReport, { reportId }],
  ] as const) {
    expect((await clerk.tryCall(call, input as never)).status).toBe(403)
    for (const who of [mei, forum.visitor()]) expect((await who.tryCall(call, input as never)).status).toBe(401)
  }
})

test('a report is closed once, its reporter is notified, and the answer may be reported again', async () => {
  const reportId = await reported()
  const again = { turnId: turn(1), reason: 'other' } as const
  expect(await mei.isRefused(contract.reportAnswer, again, ReportedAlready)).toBe(true)
  await chief.call(contract.handleAnswerReport, { reportId, result: 'Thank you.' })
  expect(await chief.isRefused(contract.handleAnswerReport, { reportId }, HandledAlready)).toBe(true)
  expect((await noticesOf(mei))[0]?.says).toEqual({ kind: 'answerReportHandled', result: 'Thank you.' })
  expect(await chief.call(contract.answerReportView, { reportId })).toMatchObject({ result: 'Thank you.', handledBy: chief.account })
  expect((await chief.call(contract.answerReportList, {})).rows.map(({ id }) => id)).not.toContain(reportId)
  await mei.call(contract.reportAnswer, again)
})

test('several reports of one answer at once are one', async () => {
  const send = () => mei.tryCall(contract.reportAnswer, { turnId: turn(0), reason: 'harmful' })
  const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
})

test('a member cannot report an answer of another or an empty one, nor while banned from reporting', async () => {
  const tom = await forum.member()
  const input = { turnId: turn(0), reason: 'other' } as const
  expect((await tom.tryCall(contract.reportAnswer, input)).status).toBe(404)
  expect((await forum.visitor().tryCall(contract.reportAnswer, input)).status).toBe(401)
  const empty = await aConversation(forum.database, mei.id, [''])
  const [first] = (await mei.call(conversation, { conversationId: empty })).turns
  expect(await mei.isRefused(contract.reportAnswer, { ...input, turnId: first?.id ?? '' }, NothingThere)).toBe(true)
  await chief.call(banMember, { memberId: mei.id, from: ['report'], reason: 'Too many' })
  expect(await mei.isRefused(contract.reportAnswer, input, Banned)).toBe(true)
})

test('staff leave their own report to others', async () => {
  const other = await aStaffer(forum, ['assistant.report'])
  const { speaks_as } = await forum.database.app
    .selectFrom('staff')
    .select('speaks_as')
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow()
  const reportId = await reported()
  await forum.database.app.updateTable('assistant_report').set({ member_id: speaks_as }).where('id', '=', reportId).execute()
  expect((await other.call(contract.answerReportView, { reportId })).mayHandle).toBe(false)
  expect(await other.isRefused(contract.handleAnswerReport, { reportId }, OwnCase)).toBe(true)
})

test('reports go along with a merge of their member, and with an erasure', async () => {
  const tom = await forum.member()
  const reportId = await reported()
  const { app } = forum.database
  await sql`select merge_conversations(${mei.id}::bigint, ${tom.id}::bigint)`.execute(app)
  expect((await chief.call(contract.answerReportView, { reportId })).member.id).toBe(tom.id)
  expect(await readBy(chief, reportId)).toEqual(['zqone', 'zqtwo'])
  await sql`insert into account_deletion (member_id, posts, erase_at) values (${tom.id}, 'stay', now())`.execute(app)
  await eraseDue(forum.database)
  expect((await chief.tryCall(contract.answerReportView, { reportId })).status).toBe(404)
  const { rows } = await sql`select reported_turns(${reportId}::bigint) as turns`.execute(app)
  expect(rows).toEqual([{ turns: null }])
})

test('the copy of a handled report goes when conversations of that age go, and that of an open one stays', async () => {
  const handled = await reported()
  await chief.call(contract.handleAnswerReport, { reportId: handled })
  const recent = await reported()
  await chief.call(contract.handleAnswerReport, { reportId: recent })
  const open = await reported()
  await transact(forum.database, (tx) => applySettings(tx, { assistantKeptDays: 7 }))
  const age = (id: string, column: 'handled_at' | 'reported_at', days: number) =>
    sql`update assistant_report set ${sql.ref(column)} = now() - make_interval(days => ${days}) where id = ${id}`.execute(
      forum.database.app,
    )
  await age(handled, 'handled_at', 8)
  await age(recent, 'handled_at', 6)
  await age(open, 'reported_at', 400)
  const forget = jobs.find(({ name }) => name === 'assistant-forget')
  await forget?.run({ database: forum.database, log: pino({ level: 'silent' }), dataDir: forum.dataDir }, {})
  expect(await readBy(chief, handled)).toBeNull()
  expect(await readBy(chief, recent)).toEqual(['zqone', 'zqtwo'])
  expect(await readBy(chief, open)).toEqual(['zqone', 'zqtwo'])
})

test.each(['app', 'reader'] as const)(
  'the %s of the database shows a copy to its member alone, and the reader opens none for staff',
  async (role) => {
    const reportId = await reported()
    const copies = (db: Forum['database']['app']) =>
      sql`select from assistant_report_copy where report_id = ${reportId}`.execute(db).then(({ rows }) => rows.length)
    const db = forum.database[role]
    expect(await copies(db)).toBe(0)
    expect(await asMember(db, mei.id, copies)).toBe(1)
    expect(await asMember(db, (await forum.member()).id, copies)).toBe(0)
    const open = sql`select reported_turns(${reportId}::bigint)`.execute(forum.database.reader)
    await expect(open).rejects.toThrow('permission denied')
  },
)

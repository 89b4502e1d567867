import { beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#message/contract.ts'
import { aMessage, talking } from '#message/testing/factories.ts'
import { decideMessageReport, messageReportList, messageReportView, openMessageReport } from '#message/staff-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let [chief, clerk] = [] as unknown as [Staffer, Staffer]
let [mei, tom] = [] as unknown as [Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  clerk = await aStaffer(forum, ['report.view', 'report.decide', 'content.view', 'member.view'])
})
beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
  await talking(mei, tom)
})

/** Mei reports the seventh message of Tom's, after twelve. Returns the report's id. */
async function aReport(): Promise<string> {
  const ids: string[] = []
  for (let number = 0; number < 12; number++) ids.push(await aMessage(tom, mei, `zqword${number}`))
  await mei.call(contract.report, { messageId: ids[6] ?? '', reason: 'Advertising' })
  const { rows } = await chief.call(messageReportList, { order: 'desc' })
  return rows[0]?.id ?? ''
}

const saidIn = async (reportId: string) =>
  (await chief.call(openMessageReport, { reportId })).messages.map(({ segments }) =>
    segments.map(({ html }) => html.replaceAll(/<[^>]*>/g, '')).join(),
  )

test('a report is listed without texts, and opened with five messages before and after it, which is logged each time', async () => {
  const reportId = await aReport()
  const listed = await chief.call(messageReportList, {})
  expect(listed.rows.at(-1)).toMatchObject({
    id: reportId,
    author: { id: tom.id },
    reporter: { id: mei.id },
    reason: 'Advertising',
    outcome: null,
  })
  expect(JSON.stringify([listed, await chief.call(messageReportView, { reportId })])).not.toContain('zqword')
  const around = Array.from({ length: 11 }, (_, at) => `zqword${at + 1}`)
  expect(await saidIn(reportId)).toEqual(around)
  await saidIn(reportId)
  const { rows } = await chief.call(auditLog, { about: `messageReport ${reportId}` })
  expect(rows.map(({ action }) => action)).toEqual(['messageReport.open', 'messageReport.open'])
  expect(JSON.stringify(rows)).not.toContain('zqword')
})

test('it has the text of its time, even after both deleted it', async () => {
  const reportId = await aReport()
  const upTo = '999999999'
  await mei.call(contract.remove, { userId: tom.id, upTo })
  await tom.call(contract.remove, { userId: mei.id, upTo })
  expect(await saidIn(reportId)).toHaveLength(11)
})

test('staff with other rights are refused', async () => {
  const reportId = await aReport()
  for (const [call, input] of [
    [messageReportList, {}],
    [messageReportView, { reportId }],
    [openMessageReport, { reportId }],
    [decideMessageReport, { reportId, outcome: 'upheld' }],
  ] as const) {
    expect((await clerk.tryCall(call, input as never)).status).toBe(403)
    for (const who of [mei, forum.visitor()]) expect((await who.tryCall(call, input as never)).status).toBe(401)
  }
})

test('it is decided once, and its reporter is notified', async () => {
  const reportId = await aReport()
  await chief.call(decideMessageReport, { reportId, outcome: 'upheld', result: 'Thank you.' })
  expect(await chief.isRefused(decideMessageReport, { reportId, outcome: 'dismissed' }, contract.DecidedAlready)).toBe(true)
  expect((await noticesOf(mei))[0]?.says).toEqual({
    kind: 'messageReportDecided',
    memberId: tom.id,
    name: tom.account,
    outcome: 'upheld',
    result: 'Thank you.',
  })
  expect(await noticesOf(tom)).toEqual([])
  expect(await chief.call(messageReportView, { reportId })).toMatchObject({
    outcome: 'upheld',
    result: 'Thank you.',
    decidedBy: chief.account,
  })
  expect((await chief.call(messageReportList, {})).rows.map(({ id }) => id)).not.toContain(reportId)
})

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ChangedSince } from '#audit/contract.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as contract from '#feedback/contract.ts'
import { banMember } from '#member/contract.ts'
import { Banned } from '#role/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'
import { FunctionClosed } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  await change({ feedbackCaptcha: false })
})

beforeEach(async () => {
  await forum.database.app.deleteFrom('feedback').execute()
})

async function change(values: Partial<Settings>): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const message = { name: 'Mei', contact: 'mei@example.org', content: 'The night theme is lovely.' }

test('visitors and members send feedback to the staff, who handle it with a remark', async () => {
  const tom = await forum.member('tom')
  await forum.visitor().call(contract.sendFeedback, message)
  await tom.call(contract.sendFeedback, { ...message, name: 'Tom' })
  const { rows } = await chief.call(contract.feedbackList, {})
  expect(rows.map(({ name, member }) => [name, member?.name ?? null])).toEqual([
    ['Mei', null],
    ['Tom', 'tom'],
  ])
  await chief.call(contract.handleFeedback, { feedbackId: rows[0]?.id ?? '', version: 1, isHandled: true, remark: 'Thanked.' })
  const late = { feedbackId: rows[0]?.id ?? '', version: 1, isHandled: false }
  expect(await chief.isRefused(contract.handleFeedback, late, ChangedSince)).toBe(true)
  expect((await chief.call(contract.feedbackList, { state: 'handled' })).rows).toMatchObject([
    { handledBy: chief.account, remark: 'Thanked.' },
  ])
  await chief.call(contract.removeFeedback, { ids: rows.map(({ id }) => id) })
  expect((await chief.call(contract.feedbackList, {})).rows).toEqual([])
  await chief.call(contract.restoreFeedback, { ids: rows.map(({ id }) => id) })
  await chief.call(contract.removeFeedback, { everything: true })
  expect((await chief.call(contract.feedbackList, { state: 'deleted' })).rows).toMatchObject([{ name: 'Tom' }])
  await chief.call(contract.restoreFeedback, { all: { state: 'deleted' } })
  expect((await chief.call(contract.feedbackList, { state: 'all' })).rows).toHaveLength(2)
})

test('characters that reverse text are removed, and invisible text is empty', async () => {
  expect((await forum.visitor().tryCall(contract.sendFeedback, { ...message, content: '\u200b\u2060\u3164\u2800' })).error).toHaveProperty(
    'content',
  )
  await forum.visitor().call(contract.sendFeedback, { ...message, name: 'A\u202eb', content: '\u2066line one\nline two\u202e' })
  const { rows } = await chief.call(contract.feedbackList, {})
  expect(rows.at(-1)).toMatchObject({ name: 'Ab', content: 'line one\nline two' })
})

test('refused words are refused at their field; other sensitive words reach the staff', async () => {
  await aList(chief, 'refuse', 'casino royale')
  await aList(chief, 'review', 'lottery')
  const send = (content: string) => forum.visitor().tryCall(contract.sendFeedback, { ...message, content })
  expect((await send('A lottery')).status).toBe(200)
  const { status, error } = await send('Casino  Royale')
  expect([status, error]).toEqual([422, { content: 'These words aren’t allowed here: casino royale.' }])
})

test('a member banned from feedback is told so, and no one else is', async () => {
  const nuisance = await forum.member()
  await chief.call(banMember, { memberId: nuisance.id, from: ['feedback'], reason: 'Twenty letters about nothing' })
  expect(await nuisance.isRefused(contract.sendFeedback, message, Banned)).toBe(true)
  await (await forum.member()).call(contract.sendFeedback, message)
})

test('feedback is refused without a captcha, beyond five an hour, and when it is closed', async () => {
  await change({ feedbackCaptcha: true })
  expect((await forum.visitor().tryCall(contract.sendFeedback, message)).error).toHaveProperty('captcha')
  await change({ feedbackCaptcha: false })
  const busy = forum.visitor()
  for (let sent = 0; sent < 5; sent++) await busy.call(contract.sendFeedback, { ...message, content: `Again ${sent}` })
  expect((await busy.tryCall(contract.sendFeedback, message)).status).toBe(429)
  await change({ allowFeedback: false })
  expect(await forum.visitor().isRefused(contract.sendFeedback, message, FunctionClosed)).toBe(true)
  expect((await forum.visitor().call(contract.feedbackForm, {})).isOpen).toBe(false)
  await change({ allowFeedback: true })
})

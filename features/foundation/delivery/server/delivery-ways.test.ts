import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import { aForum } from '#base/testing/forum.ts'
import { send, type Template } from '#delivery/server/delivery.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)

test.each([
  ['dataReady', '/user/control/personalData'],
  ['leavingBegun', '/login'],
  ['secondFactorOn', '/user/control/security'],
  ['secondFactorOff', '/user/control/security'],
  ['leavingSoon', '/login'],
  ['recoveryCodesRenewed', '/user/control/security'],
  ['passkeyAdded', '/user/control/security'],
  ['passkeyRemoved', '/user/control/security'],
  ['programTokenMade', '/user/control/tokens'],
  ['newLogin', '/user/control/userLoginLogList'],
  ['sessionReused', '/user/control/userLoginLogList'],
  ['staffChanged', '/feedback'],
  ['leavingDone', null],
] as const)('the e-mail %s leads where something can be done, in both languages', async (template, path) => {
  const [zh, en] = [await textOf(template, 'zh'), await textOf(template, 'en')]
  const ways = [zh, en].map((text) => /^(.+): (http\S+)$/m.exec(text))
  expect(ways.map((way) => way?.[2] ?? null)).toEqual([path && absoluteUrl(path), path && absoluteUrl(path)])
  expect(new Set(ways.map((way) => way?.[1])).size).toBe(path ? 2 : 1)
})

async function textOf(template: Template, language: 'zh' | 'en'): Promise<string> {
  const to = `${randomUUID().slice(0, 8)}@example.com`
  const values = { name: 'Tea', device: 'Firefox', place: 'Hangzhou', what: 'password', its: '' }
  await transact(forum.database, (tx) => send(tx, { effectKey: randomUUID(), channel: 'email', to, template, values, language }))
  return lastTo(forum, to)
}

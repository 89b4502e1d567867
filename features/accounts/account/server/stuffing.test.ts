import { beforeEach, expect, test } from 'vitest'
import { changePassword, login, loginBy } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as contact from '#contact/server/contact.ts'

const forum = await aForum()
const { app } = forum.database
const password = 'a-quiet-evening'
const wrong = 'whatever-it-is'
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }

beforeEach(async () => {
  await ageAttempts(forum)
  // The captchas are solved: the limits must hold without them.
  await transact(forum.database, (tx) => applySettings(tx, { loginCaptchaAfter: 100, allowLoginAccountType: ['account', 'email'] }))
})

const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) =>
  `${status} ${response.body.replace(/\d+/g, 'n')}`

/** Each attempt from an address of its own. */
async function fromEverywhere(account: string, times: number): Promise<string[]> {
  const answers: string[] = []
  for (let count = 0; count < times; count += 10) {
    const some = Array.from({ length: 10 }, () => forum.visitor().tryCall(login, { account, password: wrong }))
    answers.push(...(await Promise.all(some)).map(statusAndBody))
  }
  return answers
}

test.each(['there is', 'there is not'])('an account tried from everywhere is locked for strangers, if %s such an account', async (how) => {
  const account = how === 'there is' ? (await forum.member()).account : 'nobody_at_all'
  const answers = await fromEverywhere(account, 80)
  const let_in = answers.filter((one) => one.startsWith('422')).length
  expect(let_in).toBeGreaterThanOrEqual(50)
  // Also counts the attempts that were in flight already.
  expect(let_in).toBeLessThanOrEqual(60)
  expect(new Set(answers).size).toBe(2)
  const refused = await forum.visitor().tryCall(login, { account, password })
  expect([refused.status, refused.error['password']]).toEqual([429, expect.stringMatching(/Too many/)])
  expect(refused.response.headers['retry-after']).toBeDefined()
})

test('the owner gets in from a browser that did before, and from no other', async () => {
  const { account } = await forum.member()
  const home = forum.visitor()
  await home.call(login, { account, password })
  await fromEverywhere(account, 60)
  // From another network.
  home.ip = '192.0.2.7'
  await home.call(login, { account, password })
  expect((await forum.visitor().tryCall(login, { account, password })).status).toBe(429)
  const { account: another } = await forum.member()
  await fromEverywhere(another, 60)
  expect((await home.tryCall(login, { account: another, password })).status).toBe(429)
})

test('a browser that did before has no more tries than all others together', async () => {
  const { account } = await forum.member()
  const home = forum.visitor()
  await home.call(login, { account, password })
  let status = 0
  for (let n = 0; n < 51; n++) {
    home.ip = `192.0.2.${n}`
    status = (await home.tryCall(login, { account, password: wrong })).status
  }
  expect(status).toBe(429)
  // Other members can still log in.
  await forum.visitor().call(login, { account, password })
})

test('after a change of the password every other browser is a stranger again', async () => {
  const member = await forum.member()
  const home = forum.visitor()
  await home.call(login, { account: member.account, password })
  await member.call(changePassword, { oldPassword: password, ...next })
  await fromEverywhere(member.account, 60)
  expect((await home.tryCall(login, { account: member.account, password: next.password })).status).toBe(429)
  await member.call(login, { account: member.account, password: next.password })
})

test('staff say how often a password may be wrong, of one account and from one network', async () => {
  await transact(forum.database, (tx) => applySettings(tx, { failedLoginsPerHour: 5, failedLoginsPerNetworkPerHour: 8 }))
  const { account } = await forum.member()
  const network = Object.assign(forum.visitor(), { ip: '198.51.100.77' })
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await network.tryCall(login, { account, password: wrong })).status)
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  const { account: another } = await forum.member()
  for (let n = 0; n < 3; n++) expect((await network.tryCall(login, { account: another, password: wrong })).status).toBe(422)
  expect((await network.tryCall(login, { account: another, password })).status).toBe(429)
  await forum.visitor().call(login, { account: another, password })
  await transact(forum.database, (tx) => applySettings(tx, { failedLoginsPerHour: 50, failedLoginsPerNetworkPerHour: 200 }))
})

test('slow tries ask for a captcha too, and an address is counted as an account is', async () => {
  await transact(forum.database, (tx) => applySettings(tx, { loginCaptchaAfter: 3 }))
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: 'leaf@example.org' }))
  const tries = () => forum.visitor().tryCall(loginBy, { kind: 'email', email: 'leaf@example.org', password: wrong })
  for (let n = 0; n < 15; n++) {
    expect((await tries()).error).toHaveProperty('password')
    await app
      .updateTable('attempt')
      .set({ at: new Date(Date.now() - 120_000) })
      .execute()
  }
  expect(Object.keys((await tries()).error)).toEqual(['captcha'])
})

test('accounts tried from one network are locked for it, except for members who logged in from there before', async () => {
  const { account } = await forum.member()
  const neighbour = forum.visitor()
  await neighbour.call(login, { account, password })
  await app
    .insertInto('attempt')
    .values(Array.from({ length: 200 }, () => ({ key: 'login network 198.51.100.9' })))
    .execute()
  const thief = Object.assign(forum.visitor(), { ip: '198.51.100.9' })
  expect((await thief.tryCall(login, { account: 'account_1000', password: wrong })).status).toBe(429)
  expect((await thief.tryCall(login, { account, password })).status).toBe(429)
  neighbour.ip = '198.51.100.9'
  await transact(forum.database, (tx) => applySettings(tx, { loginCaptchaAfter: 100 }))
  expect(Object.keys((await neighbour.tryCall(login, { account, password })).error)).toEqual(['captcha'])
})

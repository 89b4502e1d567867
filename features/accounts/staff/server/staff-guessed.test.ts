import { beforeEach, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { outbox } from '#delivery/server/outbox.ts'
import * as contract from '#staff/contract.ts'
import { aStaffer, Staffer } from '#staff/testing/factories.ts'
import { resetPassword } from '#staff/server/staff.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const wrong = 'whatever-it-is'

async function set(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

beforeEach(async () => {
  await ageAttempts(forum)
  // The test sends the captchas; the limits must hold without them.
  await set({ loginCaptchaAfter: 100, failedLoginsPerHour: 50, failedLoginsPerNetworkPerHour: 200 })
})

const someone = () => new Staffer(forum.app)
const signsIn = (who: Staffer, account: string, password: string) => who.tryCall(contract.signIn, { account, password })
const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) =>
  `${status} ${response.body.replace(/\d+/g, 'n')}`

/** Each attempt comes from its own address. */
async function fromEverywhere(account: string, times: number): Promise<string[]> {
  const answers: string[] = []
  for (let count = 0; count < times; count += 40)
    answers.push(...(await Promise.all(Array.from({ length: 40 }, () => signsIn(someone(), account, wrong)))).map(statusAndBody))
  return answers
}

test.each(['there is', 'there is not'])('an account tried from everywhere is locked for strangers, if %s such staff', async (how) => {
  const { account, password } = how === 'there is' ? await aStaffer(forum) : { account: 'nobody_at_all', password: 'none' }
  const answers = await fromEverywhere(account, 80)
  expect(answers.filter((one) => one.startsWith('422'))).toHaveLength(50)
  expect(new Set(answers).size).toBe(2)
  const refused = await signsIn(someone(), account, password)
  expect([refused.status, refused.error['password']]).toEqual([429, expect.stringMatching(/Try again in/)])
  expect(refused.response.headers['retry-after']).toBeDefined()
})

test('its owner gets in from a browser that signed in before, from anywhere, and from no other', async () => {
  const chief = await aStaffer(forum)
  await chief.signIn()
  await fromEverywhere(chief.account, 60)
  chief.ip = '192.0.2.7'
  await chief.signIn()
  expect((await signsIn(someone(), chief.account, chief.password)).status).toBe(429)
  const other = await aStaffer(forum)
  await fromEverywhere(other.account, 60)
  expect((await signsIn(chief, other.account, other.password)).status).toBe(429)
})

test('after a change of the password every other browser is a stranger', async () => {
  const chief = await aStaffer(forum)
  const home = await Object.assign(someone(), { account: chief.account, password: chief.password }).signIn()
  await chief.signIn()
  await chief.call(contract.changeOwnPassword, { password: 'another-kettle-boils' })
  await fromEverywhere(chief.account, 60)
  expect((await signsIn(home, chief.account, 'another-kettle-boils')).status).toBe(429)
  expect((await signsIn(chief, chief.account, 'another-kettle-boils')).status).toBe(200)
})

test('attempts at the login of members count together with those at sign-in, as the password is the same', async () => {
  await set({ failedLoginsPerHour: 6 })
  const { account, password } = await aStaffer(forum)
  for (let n = 0; n < 3; n++) {
    expect((await signsIn(someone(), account, wrong)).status).toBe(422)
    expect((await forum.visitor().tryCall(login, { account, password: wrong })).status).toBe(422)
  }
  expect((await signsIn(someone(), account, password)).status).toBe(429)
  expect((await forum.visitor().tryCall(login, { account, password })).status).toBe(429)
})

test('accounts tried from one network are locked for it, except for staff who signed in from there before', async () => {
  await set({ failedLoginsPerNetworkPerHour: 8 })
  const [chief, other] = [await aStaffer(forum), await aStaffer(forum)]
  await chief.signIn()
  const thief = Object.assign(someone(), { ip: '198.51.100.77' })
  for (let n = 0; n < 8; n++) expect((await signsIn(thief, `guessed_${n}`, wrong)).status).toBe(422)
  expect((await signsIn(thief, other.account, other.password)).status).toBe(429)
  chief.ip = '198.51.100.77'
  await chief.signIn()
  expect((await signsIn(someone(), other.account, other.password)).status).toBe(200)
})

test('its owner is notified at every address, once in a day, whichever login was tried', async () => {
  await set({ failedLoginsPerHour: 5 })
  const tried = (address: string) => outbox().filter(({ to, text }) => to === address && /wrong password|密码均不正确/.test(text)).length
  for (const [n, tries] of [
    (account: string) => signsIn(someone(), account, wrong),
    (account: string) => forum.visitor().tryCall(login, { account, password: wrong }),
  ].entries()) {
    const { account, id } = await aStaffer(forum)
    const { speaks_as } = await app.selectFrom('staff').select('speaks_as').where('id', '=', id).executeTakeFirstOrThrow()
    const [phone, email] = [`+861373100000${n}`, `chief${n}@example.org`]
    await transact(forum.database, async (tx) => {
      await contact.bind(tx, speaks_as, { kind: 'phone', address: phone })
      await contact.bind(tx, speaks_as, { kind: 'email', address: email })
    })
    for (let count = 0; count < 4; count++) await tries(account)
    expect([tried(phone), tried(email)]).toEqual([0, 0])
    await Promise.all(Array.from({ length: 10 }, () => tries(account)))
    await ageAttempts(forum)
    for (let count = 0; count < 8; count++) await tries(account)
    await lastTo(forum, phone)
    await lastTo(forum, email)
    expect([tried(phone), tried(email)]).toEqual([1, 1])
  }
})

test('a new password, from another administrator or from the operator, lets its owner in at once', async () => {
  const [chief, { account, id }] = [await aStaffer(forum), await aStaffer(forum)]
  await fromEverywhere(account, 60)
  const { password } = await chief.call(contract.resetStaff, { staffId: id })
  expect((await signsIn(someone(), account, password)).status).toBe(200)
  await fromEverywhere(account, 60)
  const renewed = await transact(forum.database, (tx) => resetPassword(tx, account))
  expect((await signsIn(someone(), account, renewed?.password ?? '')).status).toBe(200)
})

import { beforeEach, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { login, loginBy, loginForm, sendLoginCode } from '#account/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { normalizeEmail } from '#base/email-address.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as bindings from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, chooseOutbox } from '#delivery/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const password = 'a-quiet-evening'
let numbers = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await set({
    allowLoginAccountType: ['account', 'phone', 'email'],
    smsCountries: ['86 100000', '1 100'],
    smsPerDay: 100_000,
    emailsPerDay: 100_000,
  })
})

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

const aNumber = () => `+8613${String(700_000_000 + ++numbers)}`

async function bound(phone = aNumber()) {
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'phone', address: phone }))
  return { member, phone }
}

async function codeFor(visitor: Visitor, phone: string): Promise<string> {
  await visitor.call(sendLoginCode, { kind: 'phone', phone, ...(await solvedCaptcha(forum, visitor)) })
  return codeTo(forum, phone)
}

const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) => `${status} ${response.body}`

test('a member logs in by the number in any spelling, with the password or a code', async () => {
  const { member, phone } = await bound()
  const spelled = `${phone.slice(3, 6)} ${phone.slice(6, 10)}-${phone.slice(10)}`
  const first = await forum.visitor().call(loginBy, { kind: 'phone', phone: spelled, countryCode: '86', password })
  expect(sessionOf(first).systemUser.userId).toBe(member.id)
  const visitor = forum.visitor()
  const code = await codeFor(visitor, phone)
  expect(sessionOf(await visitor.call(loginBy, { kind: 'phone', phone, code })).systemUser.userId).toBe(member.id)
  expect((await visitor.tryCall(loginBy, { kind: 'phone', phone, code })).error).toHaveProperty('code')
})

test.each([
  ["tea'n'cup@example.com", "TEA'N'CUP@Example.COM"],
  ['mei@bücher.example', 'mei@xn--bcher-kva.example'],
  ['用户@例子.测试', '用户＠例子。测试'],
])('an address may be any that the standards have: %s', async (email, spelled) => {
  const member = await forum.member()
  await member.call(bindings.getEmailCode, { about: 'bind', email, ...(await solvedCaptcha(forum, member)) })
  await member.call(bindings.bindEmail, { email, code: await codeTo(forum, normalizeEmail(email) ?? '') })
  const { bound: stars } = await member.call(bindings.emailBinding, {})
  expect(stars).toBe(`${[...email][0]}***${email.slice(email.indexOf('@'))}`)
  const first = await forum.visitor().call(loginBy, { kind: 'email', email: spelled, password })
  expect(sessionOf(first).systemUser.userId).toBe(member.id)
})

test('a code by e-mail logs in, too', async () => {
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: 'mei@example.org' }))
  const { systemUser } = sessionOf(await forum.visitor().call(loginBy, { kind: 'email', email: 'Mei@Example.org', password }))
  expect(systemUser.userId).toBe(member.id)
})

test('an unknown number, a wrong password and a deactivated member get one and the same answer', async () => {
  const [real, deactivated] = [await bound(), await bound()]
  await app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
    .where('id', '=', deactivated.member.id)
    .execute()
  const answers = [
    await forum.visitor().tryCall(loginBy, { kind: 'phone', phone: aNumber(), password: 'whatever-it-is' }),
    await forum.visitor().tryCall(loginBy, { kind: 'phone', phone: real.phone, password: 'whatever-it-is' }),
    await forum.visitor().tryCall(loginBy, { kind: 'phone', phone: deactivated.phone, password }),
  ]
  expect(new Set(answers.map(statusAndBody)).size).toBe(1)
})

test.each([true, false])('a number asks for a captcha after three failures, bound (%s) or not', async (isBound) => {
  const phone = isBound ? (await bound()).phone : aNumber()
  for (let n = 0; n < 3; n++) await forum.visitor().tryCall(loginBy, { kind: 'phone', phone, password: 'whatever-it-is' })
  expect(Object.keys((await forum.visitor().tryCall(loginBy, { kind: 'phone', phone, password })).error)).toEqual(['captcha'])
  const keys = await app.selectFrom('attempt').select('key').execute()
  expect(JSON.stringify(keys)).not.toContain(phone.slice(3))
})

test('a bound number is revealed only to a visitor with its code', async () => {
  const [{ phone }, free] = [await bound(), aNumber()]
  const [one, two] = [forum.visitor(), forum.visitor()]
  const sent = [
    await one.tryCall(sendLoginCode, { kind: 'phone', phone, ...(await solvedCaptcha(forum, one)) }),
    await two.tryCall(sendLoginCode, { kind: 'phone', phone: free, ...(await solvedCaptcha(forum, two)) }),
  ]
  expect(new Set(sent.map(statusAndBody))).toEqual(new Set(['200 {}']))
  const guesses = [
    await one.tryCall(loginBy, { kind: 'phone', phone, code: '000000' }),
    await two.tryCall(loginBy, { kind: 'phone', phone: free, code: '000000' }),
  ]
  expect(new Set(guesses.map(statusAndBody)).size).toBe(1)
  const { error } = await two.tryCall(loginBy, { kind: 'phone', phone: free, code: await codeTo(forum, free) })
  expect(error['code']).toMatch(/No account/)
  await one.call(loginBy, { kind: 'phone', phone, code: await codeTo(forum, phone) })
})

test('a code logs in once, in the browser that asked, however many try at once', async () => {
  const { phone } = await bound()
  const visitor = forum.visitor()
  const code = await codeFor(visitor, phone)
  expect((await forum.visitor().tryCall(loginBy, { kind: 'phone', phone, code })).error).toHaveProperty('code')
  const tries = await Promise.all(Array.from({ length: 10 }, () => visitor.tryCall(loginBy, { kind: 'phone', phone, code })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a login method that staff switched off is refused', async () => {
  const { member, phone } = await bound()
  await set({ allowLoginAccountType: ['phone'] })
  const visitor = forum.visitor()
  expect(await visitor.call(loginForm, {})).toMatchObject({ ways: ['phone'], countries: [{ code: '86' }, { code: '1' }] })
  expect(statusAndBody(await visitor.tryCall(login, { account: member.account, password }))).toMatch(/"setting"/)
  await visitor.call(loginBy, { kind: 'phone', phone, password })
  await set({ allowLoginAccountType: ['account'] })
  expect(statusAndBody(await visitor.tryCall(loginBy, { kind: 'phone', phone, password }))).toMatch(/"setting"/)
  expect(statusAndBody(await visitor.tryCall(sendLoginCode, { kind: 'phone', phone }))).toMatch(/"setting"/)
  await visitor.call(login, { account: member.account, password })
})

test('a disabled account is reported only to a visitor with its password or code', async () => {
  const { member, phone } = await bound()
  const end = { deactivated_at: new Date(), deactivated_as: 'disabled' } as const
  await app.updateTable('member').set(end).where('id', '=', member.id).execute()
  const visitor = forum.visitor()
  expect(statusAndBody(await visitor.tryCall(loginBy, { kind: 'phone', phone, password }))).toMatch(/disabled/)
  const code = await codeFor(visitor, phone)
  expect(statusAndBody(await visitor.tryCall(loginBy, { kind: 'phone', phone, code }))).toMatch(/disabled/)
})

import { beforeEach, expect, test } from 'vitest'
import { login, loginBy, loginForm, sendLoginCode, sessions } from '#account/contract.ts'
import { recoverForm, recoverStep1, recoverStep2, sendRecoveryCode } from '#account/recover-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as contact from '#contact/server/contact.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { codeTo, lastTo, chooseOutbox } from '#delivery/testing/factories.ts'

const forum = await aForum()
const { app } = forum.database
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
let people = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await chooseOutbox(forum)
})

const anAddress = () => `tea${++people}@example.org`

async function bound(email = anAddress()) {
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  return { member, email }
}

async function codeFor(visitor: Visitor, email: string): Promise<string> {
  await visitor.call(sendRecoveryCode, { kind: 'email', email, ...(await solvedCaptcha(forum, visitor)) })
  return codeTo(forum, email)
}

async function ticketFor(visitor: Visitor, email: string): Promise<string> {
  return (await visitor.call(recoverStep1, { kind: 'email', email, code: await codeFor(visitor, email) })).ticket
}

const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) => `${status} ${response.body}`

test('a member who forgot the password sets another by a code; every device is logged out, and the owner notified', async () => {
  const { member, email } = await bound()
  const visitor = forum.visitor()
  await visitor.call(recoverStep2, { ticket: await ticketFor(visitor, email), ...next })
  expect((await member.tryCall(sessions, {})).status).toBe(401)
  expect((await visitor.tryCall(login, { account: member.account, password: member.password })).status).toBe(422)
  await visitor.call(login, { account: member.account, password: next.password })
  expect(await lastTo(forum, email, /密码已重置|password of your .* was changed/)).not.toBe('')
})

test('a bound address is revealed only to a visitor with its code', async () => {
  const [{ email }, free] = [await bound(), anAddress()]
  const [one, two] = [forum.visitor(), forum.visitor()]
  const asks = async (visitor: Visitor, to: string) =>
    statusAndBody(await visitor.tryCall(sendRecoveryCode, { kind: 'email', email: to, ...(await solvedCaptcha(forum, visitor)) }))
  expect(await asks(one, email)).toBe(await asks(two, free))
  const guess = async (visitor: Visitor, to: string) =>
    statusAndBody(await visitor.tryCall(recoverStep1, { kind: 'email', email: to, code: '000000' }))
  expect(await guess(one, email)).toBe(await guess(two, free))
  expect(statusAndBody(await two.tryCall(recoverStep1, { kind: 'email', email: free, code: await codeTo(forum, free) }))).toMatch(
    /No account/,
  )
})

test('a login code does not recover, and a recovery code does not log in', async () => {
  const { email } = await bound()
  await transact(forum.database, (tx) => applySettings(tx, { allowLoginAccountType: ['account', 'email'] }))
  const visitor = forum.visitor()
  const toRecover = await codeFor(visitor, email)
  expect((await visitor.tryCall(loginBy, { kind: 'email', email, code: toRecover })).error).toHaveProperty('code')
  await ageAttempts(forum)
  await visitor.call(sendLoginCode, { kind: 'email', email, ...(await solvedCaptcha(forum, visitor)) })
  const toLogIn = await codeTo(forum, email)
  expect((await visitor.tryCall(recoverStep1, { kind: 'email', email, code: toLogIn })).error).toHaveProperty('code')
  await visitor.call(loginBy, { kind: 'email', email, code: toLogIn })
  await visitor.call(recoverStep1, { kind: 'email', email, code: toRecover })
})

test('many guesses at once are compared only as often as a code has tries', async () => {
  const { email } = await bound()
  const visitor = forum.visitor()
  const code = await codeFor(visitor, email)
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  await Promise.all(Array.from({ length: 15 }, () => visitor.tryCall(recoverStep1, { kind: 'email', email, code: wrong })))
  expect((await visitor.tryCall(recoverStep1, { kind: 'email', email, code })).error).toHaveProperty('code')
})

test('no code is sent without a captcha', async () => {
  const { error } = await forum.visitor().tryCall(sendRecoveryCode, { kind: 'email', email: anAddress() })
  expect(Object.keys(error)).toEqual(['captcha'])
})

test('a ticket sets one password, in its own browser and in time, however many try at once', async () => {
  const { member, email } = await bound()
  const [one, two] = [forum.visitor(), forum.visitor()]
  const ticket = await ticketFor(one, email)
  expect(statusAndBody(await two.tryCall(recoverStep2, { ticket, ...next }))).toMatch(/Start again/)
  expect(statusAndBody(await one.tryCall(recoverStep2, { ticket: `${ticket}x`, ...next }))).toMatch(/Start again/)
  // A refusal of a common password keeps the ticket.
  expect((await one.tryCall(recoverStep2, { ticket, password: 'qwertyuiop', passwordAgain: 'qwertyuiop' })).error).toHaveProperty(
    'password',
  )
  const tries = await Promise.all(Array.from({ length: 8 }, () => one.tryCall(recoverStep2, { ticket, ...next })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  await ageAttempts(forum)
  const late = await ticketFor(one, email)
  await app
    .updateTable('recovery_ticket')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(statusAndBody(await one.tryCall(recoverStep2, { ticket: late, ...next }))).toMatch(/Start again/)
  await one.call(login, { account: member.account, password: next.password })
})

test('a new password ends all other pending recoveries of the account', async () => {
  const { email } = await bound()
  const [one, two] = [forum.visitor(), forum.visitor()]
  const first = await ticketFor(one, email)
  await ageAttempts(forum)
  const second = await ticketFor(two, email)
  await two.call(recoverStep2, { ticket: second, ...next })
  expect(statusAndBody(await one.tryCall(recoverStep2, { ticket: first, ...next }))).toMatch(/Start again/)
})

test('an account disabled between the steps stays closed, and staff recover in the administration', async () => {
  const [disabled, official] = [await bound(), await bound()]
  const visitor = forum.visitor()
  const ticket = await ticketFor(visitor, disabled.email)
  const end = { deactivated_at: new Date(), deactivated_as: 'disabled' } as const
  await app.updateTable('member').set(end).where('id', '=', disabled.member.id).execute()
  expect(statusAndBody(await visitor.tryCall(recoverStep2, { ticket, ...next }))).toMatch(/disabled/)
  await app.updateTable('member').set({ is_official: true }).where('id', '=', official.member.id).execute()
  const code = await codeFor(visitor, official.email)
  expect(statusAndBody(await visitor.tryCall(recoverStep1, { kind: 'email', email: official.email, code }))).toMatch(/admin area/)
})

test('recovery is offered by the methods that work, and without any, staff are named', async () => {
  const set = async (values: Parameters<typeof applySettings>[1]) => {
    await transact(forum.database, (tx) => applySettings(tx, values))
  }
  const recoveryOptions = async () => {
    const [{ ways, staff }, { canRecover }] = [await forum.visitor().call(recoverForm, {}), await forum.visitor().call(loginForm, {})]
    return { ways, staff, canRecover }
  }
  await set({ emailProvider: 'none', smsProvider: 'none', allowLoginAccountType: ['account', 'phone', 'email'] })
  expect(await recoveryOptions()).toEqual({ ways: [], staff: 'feedback', canRecover: true })
  await set({ emailProvider: 'smtp' })
  expect(await recoveryOptions()).toEqual({ ways: ['email'], staff: 'feedback', canRecover: true })
  await set({ emailProvider: 'none', smsProvider: 'webhook', allowFeedback: false })
  expect(await recoveryOptions()).toEqual({ ways: ['phone'], staff: null, canRecover: true })
  await set({ smsProvider: 'none', recoverByHint: true })
  expect(await recoveryOptions()).toEqual({ ways: ['account'], staff: null, canRecover: true })
  await set({ recoverByHint: false })
  expect(await recoveryOptions()).toEqual({ ways: [], staff: null, canRecover: false })
  await set({ runByEn: 'A tea house in Hangzhou, tea@example.org' })
  expect(await recoveryOptions()).toEqual({ ways: [], staff: 'about', canRecover: true })
})

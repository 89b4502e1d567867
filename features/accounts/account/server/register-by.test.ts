import { beforeEach, expect, test } from 'vitest'
import { login, loginBy, register, registerForm, PasswordCommon, RegisterExpired, AccountTaken } from '#account/contract.ts'
import { proveAddress, registerBy, sendRegisterCode } from '#account/register-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { AddressTaken, CodeWrong, emailBinding } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { FunctionClosed, type Settings } from '#setting/contract.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const password = 'rain-on-the-roof'
const form = { password, agrees: true }
let people = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await set({ allowRegisterAccountType: ['account', 'phone', 'email'], allowLoginAccountType: ['account', 'phone', 'email'] })
})

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

const anAddress = () => `new${++people}@example.org`

async function codeFor(visitor: Visitor, email: string): Promise<string> {
  await visitor.call(sendRegisterCode, { kind: 'email', email, ...(await solvedCaptcha(forum, visitor)) })
  return codeTo(forum, email.toLowerCase())
}

async function ticketFor(visitor: Visitor, email: string): Promise<string> {
  return (await visitor.call(proveAddress, { kind: 'email', email, code: await codeFor(visitor, email) })).ticket
}

async function bound(email = anAddress()) {
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  return { member, email }
}

const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) => `${status} ${response.body}`

test('a visitor with the code of an address makes an account that is bound to it', async () => {
  const [visitor, email] = [forum.visitor(), anAddress()]
  const ticket = await ticketFor(visitor, email.toUpperCase())
  const { systemUser, ...pair } = await visitor.call(registerBy, { ...form, ticket, account: 'by_the_gate', nickname: '门边人' })
  expect(systemUser).toMatchObject({ account: 'by_the_gate', nickname: '门边人' })
  visitor.pair = pair
  expect((await visitor.call(emailBinding, {})).bound).toMatch(/example.org$/)
  await forum.visitor().call(loginBy, { kind: 'email', email, password })
  await forum.visitor().call(login, { account: 'by_the_gate', password })
})

test('a visitor with the code of a number does, too, and without an account name gets one that sounds like the nickname', async () => {
  const visitor = forum.visitor()
  await visitor.call(sendRegisterCode, { kind: 'phone', phone: '138 0000 1234', ...(await solvedCaptcha(forum, visitor)) })
  const code = await codeTo(forum, '+8613800001234')
  const { ticket } = await visitor.call(proveAddress, { kind: 'phone', phone: '+86 13800001234', code })
  expect((await visitor.call(registerBy, { ...form, ticket, nickname: '王小明' })).systemUser.account).toBe('wangxiaoming')
  const other = forum.visitor()
  const unnamed = await other.call(registerBy, { ...form, ticket: await ticketFor(other, anAddress()) })
  expect(unnamed.systemUser.account).toMatch(/^member\d{10}$/)
})

test('a bound address is revealed only to a visitor with its code', async () => {
  const [{ email }, free] = [await bound(), anAddress()]
  const [one, two] = [forum.visitor(), forum.visitor()]
  const asks = async (visitor: Visitor, to: string) =>
    statusAndBody(await visitor.tryCall(sendRegisterCode, { kind: 'email', email: to, ...(await solvedCaptcha(forum, visitor)) }))
  expect(await asks(one, email)).toBe(await asks(two, free))
  const guess = async (visitor: Visitor, to: string) =>
    statusAndBody(await visitor.tryCall(proveAddress, { kind: 'email', email: to, code: '000000' }))
  expect(await guess(one, email)).toBe(await guess(two, free))
  expect(await one.isRefused(proveAddress, { kind: 'email', email, code: await codeTo(forum, email) }, AddressTaken)).toBe(true)
})

test('no code is sent without a captcha, and five wrong ones are all', async () => {
  const [visitor, email] = [forum.visitor(), anAddress()]
  expect(Object.keys((await visitor.tryCall(sendRegisterCode, { kind: 'email', email })).error)).toEqual(['captcha'])
  const code = await codeFor(visitor, email)
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  await Promise.all(Array.from({ length: 15 }, () => visitor.tryCall(proveAddress, { kind: 'email', email, code: wrong })))
  expect(await visitor.isRefused(proveAddress, { kind: 'email', email, code }, CodeWrong)).toBe(true)
})

test('a ticket makes one account, in its own browser and in time; a refusal leaves it valid', async () => {
  const [one, two] = [forum.visitor(), forum.visitor()]
  const ticket = await ticketFor(one, anAddress())
  expect(await two.isRefused(registerBy, { ...form, ticket, account: 'one_ticket' }, RegisterExpired)).toBe(true)
  expect(await one.isRefused(registerBy, { ...form, ticket, password: 'qwertyuiop' }, PasswordCommon)).toBe(true)
  const { account: takenAccount } = await forum.member()
  expect(await one.isRefused(registerBy, { ...form, ticket, account: takenAccount }, AccountTaken)).toBe(true)
  const many = Array.from({ length: 3 }, (_, n) => one.tryCall(registerBy, { ...form, ticket, account: `one_ticket_${n}` }))
  expect((await Promise.all(many)).filter(({ status }) => status === 200)).toHaveLength(1)

  await ageAttempts(forum)
  const late = await ticketFor(two, anAddress())
  await app
    .updateTable('register_ticket')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await two.isRefused(registerBy, { ...form, ticket: late }, RegisterExpired)).toBe(true)
})

test('two registrations with one address at once make one account, and none without an address', async () => {
  const [one, two, email] = [forum.visitor(), forum.visitor(), anAddress()]
  const first = await ticketFor(one, email)
  await ageAttempts(forum)
  const second = await ticketFor(two, email)
  const tries = await Promise.all([
    one.tryCall(registerBy, { ...form, ticket: first, account: 'first_of_two' }),
    two.tryCall(registerBy, { ...form, ticket: second, account: 'second_of_two' }),
  ])
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 422])
  const accounts = await app.selectFrom('member').select('account').where('account', 'like', '%\\_of\\_two').execute()
  expect(accounts).toHaveLength(1)
})

test('only the allowed registration methods are open, even to a visitor already in progress', async () => {
  const [visitor, email] = [forum.visitor(), anAddress()]
  const code = await codeFor(visitor, email)
  await set({ allowRegisterAccountType: ['account'] })
  expect((await visitor.call(registerForm, {})).ways).toEqual(['account'])
  expect(await visitor.isRefused(proveAddress, { kind: 'email', email, code }, FunctionClosed)).toBe(true)
  expect(await visitor.isRefused(sendRegisterCode, { kind: 'email', email }, FunctionClosed)).toBe(true)
  await set({ allowRegisterAccountType: ['email'] })
  expect(await visitor.isRefused(register, { ...form, account: 'not_this_way' }, FunctionClosed)).toBe(true)
  const { ticket } = await visitor.call(proveAddress, { kind: 'email', email, code })
  await set({ allowRegistrations: false })
  expect(await visitor.isRefused(registerBy, { ...form, ticket }, FunctionClosed)).toBe(true)
  await set({ allowRegistrations: true, allowRegisterAccountType: ['phone'] })
  expect(await visitor.isRefused(registerBy, { ...form, ticket }, FunctionClosed)).toBe(true)
  await set({ allowRegisterAccountType: ['email'] })
  await visitor.call(registerBy, { ...form, ticket })
})

test('the address is not in the database in clear', async () => {
  const [visitor, email] = [forum.visitor(), anAddress()]
  await ticketFor(visitor, email)
  const rows = await app.selectFrom('register_ticket').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ address }) => !address.toString('latin1').includes('example'))).toBe(true)
})

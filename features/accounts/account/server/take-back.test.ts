import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { changePassword, login, sessions } from '#account/contract.ts'
import { recoverStep1, recoverStep2, sendRecoveryCode, takeBack } from '#account/recover-contract.ts'
import { beginSecondFactor, confirmSecondFactor } from '#account-security/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { sessionOf } from '#base/testing/session.ts'
import {
  bindEmail,
  bindPhone,
  emailBinding,
  getEmailCode,
  getSmsCode,
  phoneBinding,
  updateEmailStep1,
  updateEmailStep2,
  updatePhoneStep1,
  updatePhoneStep2,
} from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { outbox } from '#delivery/server/outbox.ts'
import { leave, leaving } from '#leaving/contract.ts'
import { notifyOfSignIns } from '#notification/server/sign-ins.ts'

const forum = await aForum({ env: { TEAHOUSE_URL: 'https://teahouse.localhost' } })
await chooseOutbox(forum)
const { app } = forum.database
const password = 'a-quiet-evening'
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
const thiefs = { password: 'not-their-roof', passwordAgain: 'not-their-roof' }
let people = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await transact(forum.database, (tx) => applySettings(tx, { smsPerDay: 100_000, emailsPerDay: 100_000 }))
})

const anAddress = () => `leaf${++people}@example.org`
const aNumber = () => `+8613${String(710_000_000 + ++people)}`

async function bound({ phone = null as string | null, email = anAddress() } = {}) {
  const member = await forum.member()
  await transact(forum.database, async (tx) => {
    await contact.bind(tx, member.id, { kind: 'email', address: email })
    if (phone) await contact.bind(tx, member.id, { kind: 'phone', address: phone })
  })
  await app
    .updateTable('contact')
    .set({ bound_at: new Date('2026-01-01') })
    .where('member_id', '=', member.id)
    .execute()
  return { member, email }
}

async function linkTo(address: string): Promise<string> {
  const [, link] = /https:\/\/teahouse\.localhost\/takeBack#([\w-]{43})/.exec(await lastTo(forum, address, /takeBack#/)) ?? []
  if (!link) throw new Error(`No link came to ${address}`)
  return link
}

async function changeEmail(member: Person, to: string): Promise<void> {
  await ageAttempts(forum)
  await member.call(updateEmailStep1, {})
  await member.call(getEmailCode, { about: 'new', email: to, ...(await solvedCaptcha(forum, member)) })
  await member.call(updateEmailStep2, { email: to, code: await codeTo(forum, to) })
}

async function changePhone(member: Person, to: string): Promise<void> {
  await ageAttempts(forum)
  await member.call(updatePhoneStep1, {})
  await member.call(getSmsCode, { about: 'new', phone: to, ...(await solvedCaptcha(forum, member)) })
  await member.call(updatePhoneStep2, { phone: to, code: await codeTo(forum, to) })
}

const statusAndBody = ({ status, response }: { status: number; response: { body: string } }) => `${status} ${response.body}`
const addressesOf = async (id: string) => (await contact.addressesOf(app, id)).map(({ address }) => address).sort()

test('an owner notified of a password set by another takes the account back', async () => {
  const { member, email } = await bound()
  await member.call(changePassword, { oldPassword: password, ...thiefs })
  const link = await linkTo(email)
  const owner = forum.visitor()
  expect(await owner.call(takeBack, { link, ...next })).toEqual({ account: member.account, missing: [], removed: [] })
  expect((await member.tryCall(sessions, {})).status).toBe(401)
  expect((await forum.visitor().tryCall(login, { account: member.account, password: thiefs.password })).status).toBe(422)
  await owner.call(login, { account: member.account, password: next.password })
  expect(statusAndBody(await owner.tryCall(takeBack, { link, ...next }))).toMatch(/has been used/)
  expect(await lastTo(forum, email, /recovered|取回/)).not.toBe('')
})

test('the former address is back, and those bound since are removed and notified', async () => {
  const [phone, stolen, another] = [aNumber(), anAddress(), aNumber()]
  const { member, email } = await bound({ phone })
  await changePhone(member, another)
  await changeEmail(member, stolen)
  await member.call(changePassword, { oldPassword: password, ...thiefs })
  expect(await addressesOf(member.id)).toEqual([another, stolen].sort())
  expect(await lastTo(forum, phone, /换绑|different phone/)).not.toBe('')
  // The link of the change of the number came first, and undoes everything after it.
  const links = await app.selectFrom('take_back').select(['id', 'hash']).where('member_id', '=', member.id).orderBy('id').execute()
  expect(links.map(({ hash }) => hash !== null)).toEqual([true, true, false])
  const sent = await allLinksTo(email)
  expect(sent).toHaveLength(2)
  await forum.visitor().call(takeBack, { link: sent[0] ?? '', ...next })
  expect(await addressesOf(member.id)).toEqual([phone, email].sort())
  expect(await lastTo(forum, stolen, /recovered|取回/)).not.toBe('')
  expect(await lastTo(forum, another, /recovered|取回/)).not.toBe('')
  expect(statusAndBody(await forum.visitor().tryCall(takeBack, { link: sent[1] ?? '', ...next }))).toMatch(/has been used/)
})

/** Every link sent there, oldest first. */
async function allLinksTo(address: string): Promise<string[]> {
  await lastTo(forum, address)
  return outbox()
    .filter(({ to }) => to === address)
    .flatMap(({ text }) => /takeBack#([\w-]{43})/.exec(text)?.[1] ?? [])
    .reverse()
}

test('an address bound a moment ago gets no link, and the one before keeps its own', async () => {
  const [stolen, third] = [anAddress(), anAddress()]
  const { member, email } = await bound()
  await changeEmail(member, stolen)
  const link = await linkTo(email)
  await changeEmail(member, third)
  expect(await allLinksTo(stolen)).toEqual([])
  expect(await lastTo(forum, stolen, /换绑|different email/)).not.toBe('')
  await forum.visitor().call(takeBack, { link, ...next })
  expect(await addressesOf(member.id)).toEqual([email])
})

test('a first number is notified to the former e-mail address, and removed with the take-back', async () => {
  const { member, email } = await bound()
  const phone = aNumber()
  await member.call(getSmsCode, { about: 'bind', phone, ...(await solvedCaptcha(forum, member)) })
  await member.call(bindPhone, { phone, code: await codeTo(forum, phone) })
  expect((await member.call(phoneBinding, {})).bound).not.toBeNull()
  await forum.visitor().call(takeBack, { link: await linkTo(email), ...next })
  expect(await addressesOf(member.id)).toEqual([email])
})

test('a first e-mail address is notified to the former number, and gets no link', async () => {
  const phone = aNumber()
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'phone', address: phone }))
  const email = anAddress()
  await member.call(getEmailCode, { about: 'bind', email, ...(await solvedCaptcha(forum, member)) })
  await member.call(bindEmail, { email, code: await codeTo(forum, email) })
  expect((await member.call(emailBinding, {})).bound).not.toBeNull()
  expect(await lastTo(forum, phone, /绑定了|now has/)).not.toBe('')
  expect([...(await allLinksTo(phone)), ...(await allLinksTo(email))]).toEqual([])
})

test('a recovered password is notified with a link too', async () => {
  const { member, email } = await bound()
  const thief = forum.visitor()
  await thief.call(sendRecoveryCode, { kind: 'email', email, ...(await solvedCaptcha(forum, thief)) })
  const { ticket } = await thief.call(recoverStep1, { kind: 'email', email, code: await codeTo(forum, email) })
  await thief.call(recoverStep2, { ticket, ...thiefs })
  await forum.visitor().call(takeBack, { link: await linkTo(email), ...next })
  await forum.visitor().call(login, { account: member.account, password: next.password })
})

test('a second factor set by another does not keep the owner out: the link turns it off', async () => {
  const { member, email } = await bound()
  const { secret } = await member.call(beginSecondFactor, {})
  await member.call(confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
  const owner = forum.visitor()
  expect(await owner.call(login, { account: member.account, password })).toHaveProperty('secondFactor')
  await owner.call(takeBack, { link: await linkTo(email), ...next })
  sessionOf(await owner.call(login, { account: member.account, password: next.password }))
})

test('a thief cannot keep the account by using up the notifications of the day', async () => {
  const { member, email } = await bound()
  await member.call(changePassword, { oldPassword: password, ...thiefs })
  const link = await linkTo(email)
  await app
    .insertInto('attempt')
    .values(Array.from({ length: 20 }, () => ({ key: `delivery safety email of ${member.id}` })))
    .execute()
  await forum.visitor().call(takeBack, { link, ...next })
  await forum.visitor().call(login, { account: member.account, password: next.password })
})

test('a thief with the password cannot keep its owner from changing it by logging in from everywhere', async () => {
  const { member, email } = await bound()
  await transact(forum.database, notifyOfSignIns)
  for (let n = 0; n < 21; n++) await forum.visitor({ userAgent: `Browser ${n}` }).call(login, { account: member.account, password })
  await transact(forum.database, notifyOfSignIns)
  await member.call(changePassword, { oldPassword: password, ...next })
  expect(await linkTo(email)).not.toBe('')
})

test('an erasure asked for by another is cancelled, once the owner has taken the account back', async () => {
  const { member, email } = await bound()
  await member.call(changePassword, { oldPassword: password, ...thiefs })
  await member.call(leave, { way: 'erase' })
  await forum.visitor().call(takeBack, { link: await linkTo(email), ...next })
  const owner = forum.visitor()
  owner.pair = sessionOf(await owner.call(login, { account: member.account, password: next.password }))
  expect((await owner.call(leaving, {})).eraseAt).toBeNull()
  await owner.call(leave, { way: 'erase' })
  const back = forum.visitor()
  back.pair = sessionOf(await back.call(login, { account: member.account, password: next.password }))
  expect((await back.call(leaving, {})).eraseAt).not.toBeNull()
})

test('an address bound to another account meanwhile is not put back, and the answer says so', async () => {
  const { member, email } = await bound()
  const stolen = anAddress()
  await changeEmail(member, stolen)
  const other = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, other.id, { kind: 'email', address: email }))
  const answer = await forum.visitor().call(takeBack, { link: await linkTo(email), ...next })
  expect(answer).toMatchObject({ account: member.account, missing: ['email'] })
  expect(await addressesOf(member.id)).toEqual([])
  expect(await addressesOf(other.id)).toEqual([email])
})

test('a link is good once, however many use it at once, and not after seven days', async () => {
  const { member, email } = await bound()
  await member.call(changePassword, { oldPassword: password, ...thiefs })
  const link = await linkTo(email)
  const visitor = forum.visitor()
  expect(statusAndBody(await visitor.tryCall(takeBack, { link: `${link}x`, ...next }))).toMatch(/has been used/)
  expect((await visitor.tryCall(takeBack, { link, password: 'qwertyuiop', passwordAgain: 'qwertyuiop' })).error).toHaveProperty('password')
  const tries = await Promise.all(Array.from({ length: 6 }, () => forum.visitor().tryCall(takeBack, { link, ...next })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(tries.every(({ status }) => status < 500)).toBe(true)

  const late = await bound()
  await late.member.call(changePassword, { oldPassword: password, ...thiefs })
  await app
    .updateTable('take_back')
    .set({ expires_at: new Date(0) })
    .where('member_id', '=', late.member.id)
    .execute()
  expect(statusAndBody(await visitor.tryCall(takeBack, { link: await linkTo(late.email), ...next }))).toMatch(/has been used/)
})

test('no request has the target of the link, and the database has neither it nor the old address', async () => {
  const { member, email } = await bound()
  const forged = { 'x-forwarded-host': 'thief.example', forwarded: 'host=thief.example' }
  await member.call(changePassword, { oldPassword: password, ...next }, forged)
  const text = await lastTo(forum, email, /takeBack#/)
  expect(text).not.toContain('thief.example')
  const rows = await app.selectFrom('take_back').selectAll().where('member_id', '=', member.id).execute()
  const storedText = JSON.stringify(
    rows.map(({ former, hash, ...rest }) => ({ ...rest, former: former?.toString('latin1'), hash: hash?.toString('latin1') })),
  )
  expect(storedText).not.toContain(email)
  expect(storedText).not.toContain(await linkTo(email))
})

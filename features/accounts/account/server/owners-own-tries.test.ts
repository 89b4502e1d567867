import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { changePassword, login, loginBy, sendLoginCode } from '#account/contract.ts'
import { recoverByHint, recoverStep1, sendRecoveryCode } from '#account/recover-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { CodeTooSoon } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { chooseOutbox, codeTo, lastTo } from '#delivery/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const password = 'a-quiet-evening'
let addresses = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await transact(forum.database, (tx) =>
    applySettings(tx, {
      allowLoginAccountType: ['account', 'email'],
      recoverByHint: true,
      emailsPerDay: 100_000,
      verificationCodesPerDay: 2,
      verificationCodesPerNetworkPerDay: 6,
    }),
  )
})

/** A member with an e-mail address, and the browser they log in from. */
async function anOwner() {
  const [member, email] = [await forum.member(), `owner${++addresses}@example.org`]
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  const home = forum.visitor()
  await home.call(login, { account: member.account, password })
  return { member, email, home }
}

/** Whether a code is sent. */
async function asks(visitor: Visitor, email: string, call: typeof sendLoginCode | typeof sendRecoveryCode = sendLoginCode) {
  return !(await visitor.isRefused(call, { kind: 'email', email, ...(await solvedCaptcha(forum, visitor)) }, CodeTooSoon))
}

/** Long enough that only the daily limits still count. */
const anHourPasses = () =>
  app
    .updateTable('attempt')
    .set({ at: sql`at - interval '61 minutes'` })
    .execute()

/** Strangers in other networks use up the day's codes for an address. */
async function usedUp(email: string): Promise<void> {
  for (const call of [sendLoginCode, sendRecoveryCode]) {
    expect(await asks(forum.visitor(), email, call)).toBe(true)
    await anHourPasses()
  }
  expect(await asks(forum.visitor(), email)).toBe(false)
  // E-mails that wait together are sent together, in any order.
  await lastTo(forum, email)
}

test('requests of strangers use up the codes of an address, and none of the browser its owner logged in from', async () => {
  const { email, home } = await anOwner()
  await usedUp(email)
  home.ip = '192.0.2.7'
  expect(await asks(home, email)).toBe(true)
  expect((await home.tryCall(loginBy, { kind: 'email', email, code: await codeTo(forum, email) })).status).toBe(200)
  await anHourPasses()
  expect(await asks(home, email, sendRecoveryCode)).toBe(true)
  expect((await home.tryCall(recoverStep1, { kind: 'email', email, code: await codeTo(forum, email) })).status).toBe(200)
  await anHourPasses()
  expect(await asks(home, email)).toBe(false)
})

test('an unknown browser in a network where the owner is logged in has codes that no stranger uses up', async () => {
  const { member, email, home } = await anOwner()
  await usedUp(email)
  const other = forum.visitor()
  expect(await asks(other, email)).toBe(false)
  other.ip = home.ip
  expect(await asks(other, email)).toBe(true)
  await anHourPasses()
  await member.call(changePassword, { oldPassword: password, password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' })
  const later = forum.visitor()
  later.ip = home.ip
  expect(await asks(later, email)).toBe(false)
})

test('a code sent to the owner’s browser takes none from other browsers', async () => {
  const { email, home } = await anOwner()
  expect(await asks(home, email)).toBe(true)
  expect(await asks(home, email)).toBe(false)
  expect(await asks(forum.visitor(), email)).toBe(true)
})

test('requests of a network use up its codes, and none of the owners in it', async () => {
  const { email, home } = await anOwner()
  const [stranger, ip] = [forum.visitor(), '198.51.100.30']
  for (const visitor of [stranger, home]) visitor.ip = ip
  for (let sent = 0; sent < 6; sent++) {
    expect(await asks(stranger, `elsewhere${++addresses}@example.org`)).toBe(true)
    await anHourPasses()
  }
  expect(await asks(stranger, `elsewhere${++addresses}@example.org`)).toBe(false)
  expect(await asks(home, email)).toBe(true)
})

test('a browser that logged in to another account, or before the password became another, is a stranger', async () => {
  const [one, other] = [await anOwner(), await anOwner()]
  await usedUp(one.email)
  expect(await asks(other.home, one.email)).toBe(false)
  await one.member.call(changePassword, { oldPassword: password, password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' })
  expect(await asks(one.home, one.email)).toBe(false)
  expect(await asks(one.member, one.email)).toBe(true)
})

test('an owner with many browsers has no more sent than three of them may', async () => {
  const { member, email } = await anOwner()
  const sent: boolean[] = []
  for (let n = 0; n < 5; n++) {
    const browser = forum.visitor()
    await browser.call(login, { account: member.account, password })
    for (const _ of [1, 2]) {
      sent.push(await asks(browser, email))
      await anHourPasses()
    }
  }
  expect(sent).toEqual([...Array(6).fill(true), ...Array(4).fill(false)])
})

test('answers to a hint question that strangers tried leave those of the owner’s browser', async () => {
  const { member, home } = await anOwner()
  const answers = async (visitor: Visitor, hintAnswer: string) =>
    (await visitor.tryCall(recoverByHint, { account: member.account, hintAnswer, ...(await solvedCaptcha(forum, visitor)) })).status
  for (let n = 0; n < 5; n++) expect(await answers(forum.visitor(), `guess ${n}`)).toBe(422)
  expect(await answers(forum.visitor(), 'longjing, always')).toBe(429)
  expect(await answers(home, 'longjing, always')).toBe(200)
})

test('hint questions of many accounts are not answered without end from one network', async () => {
  const guess = async (n: number) => {
    const visitor = Object.assign(forum.visitor(), { ip: '198.51.100.31' })
    const input = { account: `anyone_${n}`, hintAnswer: 'rain', ...(await solvedCaptcha(forum, visitor)) }
    const { status } = await visitor.tryCall(recoverByHint, input)
    await app.deleteFrom('rate_limit').execute()
    return status
  }
  await app
    .insertInto('attempt')
    .values(Array.from({ length: 49 }, () => ({ key: 'hint network 198.51.100.31' })))
    .execute()
  expect([await guess(1), await guess(2)]).toEqual([422, 429])
})

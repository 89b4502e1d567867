import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { changePassword, login, loginBy, register, sendLoginCode, type password } from '#account/contract.ts'
import { loginStep2 } from '#account/login-contract.ts'
import { hintOfAccount, recoverByHint, setMyHint } from '#account/recover-contract.ts'
import * as security from '#account-security/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts, freezeTotpClock } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { sessionOf } from '#base/testing/session.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { unlockPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import * as invitation from '#invitation/contract.ts'
import * as staffInvitation from '#invitation/staff-contract.ts'
import type { Settings } from '#setting/contract.ts'
import * as staff from '#staff/contract.ts'
import { aStaffer, Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, paragraph } from '#writing/testing/factories.ts'
import type { z } from 'zod'

const forum = await aForum()
await chooseOutbox(forum)

beforeEach(async () => {
  await ageAttempts(forum)
  await set({ recoverByHint: true, registrationMode: 'open', allowLoginAccountType: ['account', 'email'] })
})

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

const typed: z.infer<typeof password> = 'pässwörd 茶馆 9'
// The same text as other systems, input methods and phones write it.
const elsewhere = [
  typed.normalize('NFD'),
  'pässwörd　茶馆　９',
  'pässwörd\u00a0茶馆\u00a09',
  'pässwörd 茶馆 \u200b٩',
  'ｐässwörd 茶馆 9',
] as const
const cells = (code: string) => code.replaceAll(/[\dA-Za-z]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
const arabic = (code: string) => code.replaceAll(/\d/g, (one) => String.fromCharCode(0x660 + Number(one)))

const comesIn = async (account: string, secret: string) => (await forum.visitor().tryCall(login, { account, password: secret })).status

test('a password is taken however another machine writes it, and another is not', async () => {
  const account = 'typed_here'
  await forum.visitor().call(register, { account, password: typed, passwordAgain: elsewhere[0], agrees: true })
  for (const other of [typed, ...elsewhere]) expect([other, await comesIn(account, other)]).toEqual([other, 200])
  expect(await comesIn('ＴＹＰＥＤ＿here', typed)).toBe(200)
  expect(await comesIn(account, 'password 茶馆 9')).toBe(422)
})

test('a password has the same length however it is typed', async () => {
  const mei = await forum.member()
  const change = (secret: string) => mei.tryCall(changePassword, { oldPassword: mei.password, password: secret, passwordAgain: secret })
  const short = 'ǘǘǘǘêế'
  for (const one of [short, short.normalize('NFD'), `${short}\u200b`]) expect((await change(one)).error).toHaveProperty('password')
  const long = `${'ế'.repeat(250)}茶馆`
  expect((await change(long.normalize('NFD'))).status).toBe(200)
  expect(await comesIn(mei.account, long)).toBe(200)
})

test('staff sign in with their password however it is written', async () => {
  const chief = await aStaffer(forum)
  await chief.call(staff.changeOwnPassword, { password: typed.normalize('NFD') })
  for (const other of [typed, ...elsewhere]) {
    const again = Object.assign(new Staffer(forum.app), { account: chief.account.toUpperCase(), password: other })
    await again.fetchToken()
    await again.signIn()
  }
})

test('the answer to a hint question is taken however it is written', async () => {
  const mei = await forum.member()
  await mei.call(setMyHint, { hintQuestion: 'Whose “tea house”?', hintAnswer: "O'Brien – Café 7" })
  for (const hintAnswer of ['O’Brien - Café 7', "o'brien – café ٧".normalize('NFD'), 'Ｏ＇Ｂｒｉｅｎ　－　ｃａｆé　７']) {
    await ageAttempts(forum)
    const visitor = forum.visitor()
    await visitor.call(hintOfAccount, { account: mei.account, ...(await solvedCaptcha(forum, visitor)) })
    expect(
      (await visitor.tryCall(recoverByHint, { account: mei.account, hintAnswer, ...(await solvedCaptcha(forum, visitor)) })).status,
    ).toBe(200)
  }
})

test('the password of a hidden part opens it however it is written', async () => {
  const mei = await forum.member()
  const body = documentWith(paragraph({ type: 'text', text: 'Open.' }), hides('password', typed.normalize('NFD'), 'the cave'))
  const topicId = await aTopic(mei, await aTag(forum.database), { body })
  const partId = partIds((await forum.visitor().call(thread, { topicId })).segments)[0] ?? ''
  for (const other of [typed, ...elsewhere]) {
    const reader = await forum.member()
    expect((await reader.tryCall(unlockPart, { partId, password: other })).status).toBe(200)
  }
})

test('a code that was sent is taken in digits of any script and in groups, and so is a captcha', async () => {
  const member = await forum.member()
  const email = 'typed@example.org'
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  const visitor = forum.visitor()
  for (const written of [cells, arabic, (code: string) => ` ${code.slice(0, 3)}　${code.slice(3)}\u200f`]) {
    await ageAttempts(forum)
    const { captchaId, captcha } = await solvedCaptcha(forum, visitor)
    await visitor.call(sendLoginCode, { kind: 'email', email, captchaId, captcha: cells(captcha).replace('ａ', 'А') })
    const code = written(await codeTo(forum, email))
    expect(sessionOf(await visitor.call(loginBy, { kind: 'email', email, code })).systemUser.userId).toBe(member.id)
  }
})

/** Logs in up to the code of the authenticator app. */
async function secondStep(visitor: Visitor, { account, password: secret }: Person, code: string): Promise<number> {
  const view = await visitor.call(login, { account, password: secret })
  if (!('secondFactor' in view)) throw new Error('No second step was asked for')
  return (await visitor.tryCall(loginStep2, { ticket: view.secondFactor.ticket, code })).status
}

test('a code of an app and a recovery code are taken on any keyboard', async () => {
  const member = await forum.member()
  const { secret } = await member.call(security.beginSecondFactor, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
  freezeTotpClock()
  const { recoveryCodes } = await member.call(security.confirmSecondFactor, { code: arabic(codeAt(-1)) })
  expect(await secondStep(forum.visitor(), member, cells(codeAt(0)))).toBe(200)
  const [one = '', two = ''] = recoveryCodes
  expect(await secondStep(forum.visitor(), member, cells(one.toUpperCase()).replaceAll('-', '–'))).toBe(200)
  const cyrillic = (code: string) => code.replaceAll('a', 'а').replaceAll('c', 'с').replaceAll('e', 'е')
  expect(await secondStep(forum.visitor(), member, arabic(cyrillic(two)).replaceAll('-', ' '))).toBe(200)
})

test('an invitation is taken however it was copied', async () => {
  const chief = await aStaffer(forum)
  const { code } = await chief.call(staffInvitation.addInvitation, { uses: 2 })
  await set({ registrationMode: 'invitation' })
  const form = { password: 'rain-on-the-roof', agrees: true }
  const broken = `${cells(code.slice(0, 9))}\n ${code.slice(9)}\u200b`
  expect((await forum.visitor().tryCall(register, { ...form, account: 'by_copy', invitation: broken })).status).toBe(200)
  expect(
    await forum.visitor().isRefused(register, { ...form, account: 'by_guess', invitation: code.slice(1) }, invitation.InvitationWrong),
  ).toBe(true)
})

import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { changePassword } from '#account/contract.ts'
import { setMyHint } from '#account/recover-contract.ts'
import * as security from '#account-security/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { bindEmail, getEmailCode, type Kind } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { outbox } from '#delivery/server/outbox.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { Authenticator } from '#second-factor/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const origin = 'http://forum.localhost'
const forum = await aForum({ env: { TEAHOUSE_URL: origin } })
await chooseOutbox(forum)
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
let people = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await set({ smsPerDay: 100_000, emailsPerDay: 100_000 })
})

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

async function bound(...which: Kind[]) {
  const [member, number] = [await forum.member(), ++people]
  const addresses = { phone: `+8613${String(730_000_000 + number)}`, email: `told${number}@example.org` }
  for (const kind of which) await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind, address: addresses[kind] }))
  return { member, ...addresses }
}

async function bindsEmail(member: Person, email: string): Promise<void> {
  await member.call(getEmailCode, { about: 'bind', email, ...(await solvedCaptcha(forum, member)) })
  await member.call(bindEmail, { email, code: await codeTo(forum, email) })
}

async function turnsOnCodes(member: Person): Promise<void> {
  const { secret } = await member.call(security.beginSecondFactor, {})
  await member.call(security.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
}

async function addsPasskey(member: Person): Promise<void> {
  const registration = new Authenticator(origin).make(await member.call(security.beginPasskey, {}))
  await member.call(security.addPasskey, { name: 'Her phone', made: registration })
}

const setsPassword = (member: Person) => member.call(changePassword, { oldPassword: member.password, ...next })

/** Everything sent to an address, oldest first. */
async function cameTo(address: string): Promise<string> {
  await lastTo(forum, address)
  return outbox()
    .filter(({ to }) => to === address)
    .map(({ text }) => text)
    .toReversed()
    .join('\n')
}

test('an owner with only a number hears of a password that a thief sets after binding an e-mail address', async () => {
  const { member, phone, email } = await bound('phone')
  await bindsEmail(member, email)
  await setsPassword(member)
  const messages = await cameTo(phone)
  expect(messages).toMatch(/绑定了.*邮箱|now has an email address/)
  expect(messages).toMatch(/密码已重置|was changed/)
  expect(await cameTo(email)).not.toContain('takeBack#')
})

test('an owner with a number and an e-mail address is notified at both, with a link in the e-mail alone', async () => {
  const { member, phone, email } = await bound('phone', 'email')
  await setsPassword(member)
  expect(await cameTo(email)).toContain('takeBack#')
  expect(await cameTo(phone)).toMatch(/密码已重置|was changed/)
  expect(await cameTo(phone)).not.toContain('takeBack')
})

test.each<[string, (member: Person) => Promise<unknown>, RegExp]>([
  ['codes that are asked for', turnsOnCodes, /验证器|authenticator/],
  ['a passkey', addsPasskey, /Her phone/],
  [
    'another security question',
    (member) => member.call(setMyHint, { hintQuestion: 'Which kettle boils?', hintAnswer: 'The blue one' }),
    /密保问题|security question/,
  ],
  [
    'codes that are asked for no more',
    (member) => turnsOnCodes(member).then(() => member.call(security.removeSecondFactor, {})),
    /已关闭|turned off/,
  ],
  [
    'new recovery codes',
    (member) => turnsOnCodes(member).then(() => member.call(security.renewRecoveryCodes, {})),
    /恢复码|recovery codes/,
  ],
])('an owner with only a number hears of %s', async (_, action, says) => {
  const { member, phone, email } = await bound('phone')
  await bindsEmail(member, email)
  await action(member)
  expect(await cameTo(phone)).toMatch(says)
})

test('an owner with only a number hears of a merge of two accounts', async () => {
  const [chief, one, other] = [await aStaffer(forum), await bound('phone'), await bound('phone')]
  const { id: memberId, account } = one.member
  await chief.call(mergeMembers, { memberId, account, into: other.member.account, reason: 'The same person' })
  expect(await cameTo(one.phone)).toContain(other.member.account)
  expect(await cameTo(other.phone)).toContain(account)
})

test('with the day’s text messages used up, an owner with an e-mail address can set a password, and one without cannot', async () => {
  const [both, alone] = [await bound('phone', 'email'), await bound('phone')]
  await set({ smsPerDay: 0 })
  await setsPassword(both.member)
  expect(await cameTo(both.email)).toContain('takeBack#')
  expect((await alone.member.tryCall(changePassword, { oldPassword: alone.member.password, ...next })).status).toBe(503)
})

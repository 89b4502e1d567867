import { beforeEach, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { login, loginBy } from '#account/contract.ts'
import * as contract from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { codeTo, lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { proofForm, prove } from '#second-factor/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const password = 'a-quiet-evening'
let numbers = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await set({
    allowLoginAccountType: ['account', 'phone'],
    accountsPerPhone: 1,
    emailDomains: [],
    smsCountries: ['86 100000', '1 100000'],
    smsPerDay: 100_000,
  })
})

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

const aNumber = () => `+8613${String(800_000_000 + ++numbers)}`

async function asks(member: Visitor, about: 'bind' | 'old' | 'new', phone?: string) {
  return member.tryCall(contract.getSmsCode, { about, phone, ...(await solvedCaptcha(forum, member)) })
}

async function codeFor(member: Visitor, about: 'bind' | 'old' | 'new', phone: string): Promise<string> {
  await app.deleteFrom('attempt').execute()
  const { status, response } = await asks(member, about, about === 'old' ? undefined : phone)
  if (status !== 200) throw new Error(response.body)
  return codeTo(forum, phone)
}

async function bound(phone = aNumber()) {
  const member = await forum.member()
  await member.call(contract.bindPhone, { phone, code: await codeFor(member, 'bind', phone) })
  return { member, phone }
}

async function loggedInLongAgo({ id }: { id: string }): Promise<void> {
  const started_at = new Date(Date.now() - 11 * 60_000)
  await app.updateTable('session').set({ started_at }).where('member_id', '=', id).execute()
}

async function refusal<E extends Endpoint>(member: Visitor, endpoint: E, input: RawInput<E>): Promise<string> {
  const { status, error } = await member.tryCall(endpoint, input)
  return status === 200 ? 'done' : `${status} ${Object.values(error).join(' ')}`
}

test('a number is bound by its code, and shown with stars', async () => {
  const { member, phone } = await bound()
  const seen = await member.call(contract.phoneBinding, {})
  expect(seen).toMatchObject({ bound: `+86****${phone.slice(-4)}`, isProved: false })
  expect(seen.countries).toEqual([
    { code: '86', region: 'CN' },
    { code: '1', region: null },
  ])
  const row = await app.selectFrom('contact').selectAll().where('member_id', '=', member.id).executeTakeFirstOrThrow()
  expect(JSON.stringify({ ...row, address: row.address?.toString('latin1') })).not.toContain(phone.slice(3))
})

test.each(['138 0000 1234', '+86 138-0000-1234', '0086 13800001234', '8613800001234', '１３８００００１２３４', ' +86 (138) 0000.1234 '])(
  '%s is one number with all its other spellings',
  async (phone) => {
    const member = await forum.member()
    const code = await codeFor(member, 'bind', '13800001234').catch(() => codeTo(forum, '+8613800001234'))
    await member.call(contract.bindPhone, { phone, countryCode: '86', code })
    expect((await member.call(contract.phoneBinding, {})).bound).toBe('+86****1234')
    await app.deleteFrom('contact').execute()
  },
)

test.each([
  ['12', /number/],
  ['not a number', /number/],
  ['010 1234 5678', /number/],
  ['+44 7911 123456', /country/],
])('no code is sent to %s', async (phone, expected) => {
  const member = await forum.member()
  const { error } = await asks(member, 'bind', phone)
  expect(Object.keys(error)).toEqual(['phone'])
  expect(error['phone']).toMatch(expected)
})

test.each(['999', '0', '1111'])('there is no country %s, and no number of it', async (countryCode) => {
  const { status, error } = await forum.visitor().tryCall(loginBy, { kind: 'phone', phone: '13800001234', countryCode, password })
  expect([status, Object.keys(error)]).toEqual([422, [expect.stringMatching(/phone|countryCode/)]])
})

test('a code is sent only with a captcha, and once a minute', async () => {
  const [member, phone] = [await forum.member(), aNumber()]
  expect(Object.keys((await member.tryCall(contract.getSmsCode, { about: 'bind', phone })).error)).toEqual(['captcha'])
  expect((await asks(member, 'bind', phone)).status).toBe(200)
  expect(Object.values((await asks(member, 'bind', phone)).error).join()).toMatch(/another code in/)
})

test('a member who logged in long ago binds a number only after a fresh proof', async () => {
  const [member, phone] = [await forum.member(), aNumber()]
  const code = await codeFor(member, 'bind', phone)
  await loggedInLongAgo(member)
  expect((await member.tryCall(contract.bindPhone, { phone, code })).status).toBe(428)
  expect((await member.call(proofForm, {})).ways).toEqual(['password'])
  expect(await refusal(member, prove, { password: 'another-evening' })).toMatch(/Wrong password/)
  await member.call(prove, { password })
  // The refusal kept the code.
  await member.call(contract.bindPhone, { phone, code })
})

test('a member without a password logs in again', async () => {
  const member = await forum.member()
  await app.updateTable('member').set({ password_hash: null }).where('id', '=', member.id).execute()
  await loggedInLongAgo(member)
  expect((await member.call(proofForm, {})).ways).toEqual([])
  expect(await refusal(member, prove, { password })).toMatch(/Sign in again/)
})

test('a proof holds in its own session, for ten minutes', async () => {
  const { member } = await bound()
  await loggedInLongAgo(member)
  await member.call(prove, { password })
  await member.call(contract.updatePhoneStep1, {})
  await app
    .updateTable('session_proof')
    .set({ proved_at: new Date(Date.now() - 11 * 60_000) })
    .execute()
  expect((await member.tryCall(contract.updatePhoneStep1, {})).status).toBe(428)
  const elsewhere = forum.visitor()
  elsewhere.pair = sessionOf(await elsewhere.call(login, { account: member.account, password }))
  await elsewhere.call(contract.updatePhoneStep1, {})
  expect((await member.tryCall(contract.updatePhoneStep1, {})).status).toBe(428)
})

test('many tries at once are compared five times, and a right one after those does not count', async () => {
  const member = await forum.member()
  const tries = await Promise.all(Array.from({ length: 12 }, () => member.tryCall(prove, { password: 'another-evening' })))
  expect(tries.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(422), ...Array(7).fill(429)])
  expect(await refusal(member, prove, { password })).toMatch(/Too many tries/)
})

test('a code binds its own number, for its own member, for its own purpose', async () => {
  const [one, two, phone] = [await forum.member(), await forum.member(), aNumber()]
  const code = await codeFor(one, 'bind', phone)
  expect(await refusal(one, contract.bindPhone, { phone: aNumber(), code })).toMatch(/code/)
  expect(await refusal(two, contract.bindPhone, { phone, code })).toMatch(/code/)
  two.cookie = one.cookie
  expect(await refusal(two, contract.bindPhone, { phone, code })).toMatch(/code/)
  await one.call(contract.bindPhone, { phone, code })
  expect(await refusal(one, contract.updatePhoneStep1, { code })).toMatch(/code/)
})

test('another’s number answers like any other before its code is entered', async () => {
  const { phone } = await bound()
  await ageAttempts(forum)
  const member = await forum.member()
  const [ofTakenNumber, free] = [await asks(member, 'bind', phone), await asks(member, 'bind', aNumber())]
  expect([ofTakenNumber.status, ofTakenNumber.body, ofTakenNumber.response.headers['content-length']]).toEqual([
    free.status,
    free.body,
    free.response.headers['content-length'],
  ])
  const code = await codeTo(forum, phone)
  expect(await refusal(member, contract.bindPhone, { phone, code: '000000' })).toMatch(/code is wrong/)
  expect(await refusal(member, contract.bindPhone, { phone, code })).toMatch(/another account/)
  expect((await member.call(contract.phoneBinding, {})).bound).toBeNull()
})

test('staff may let one number have several accounts, and of many at once no more get it', async () => {
  const phone = aNumber()
  await set({ accountsPerPhone: 2 })
  const members = await Promise.all(Array.from({ length: 5 }, () => forum.member()))
  const codes: string[] = []
  for (const member of members) codes.push(await codeFor(member, 'bind', phone))
  const tries = await Promise.all(members.map((member, n) => member.tryCall(contract.bindPhone, { phone, code: codes[n] ?? '' })))
  const statuses = tries.map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 200, 422, 422, 422])
})

test('a shared number leads to the member who bound it first, also after one has given it up', async () => {
  await set({ accountsPerPhone: 2 })
  const its = { kind: 'phone', address: aNumber() } as const
  const [old, mei, lin] = [await forum.member(), await forum.member(), await forum.member()]
  const bind = (member: Person, address = its.address) => transact(forum.database, (tx) => contact.bind(tx, member.id, { ...its, address }))
  await bind(old)
  await bind(mei)
  expect(await contact.ownerOf(app, its)).toBe(old.id)
  await bind(old, aNumber())
  await bind(lin)
  expect(await contact.ownerOf(app, its)).toBe(mei.id)
})

test('a number is changed after its code, and the old one is notified', async () => {
  const { member, phone } = await bound()
  const other = aNumber()
  expect(await refusal(member, contract.updatePhoneStep2, { phone: other, code: '123456' })).toMatch(/Confirm again/)
  expect(Object.values((await asks(member, 'new', other)).error).join()).toMatch(/Confirm again/)
  await member.call(contract.updatePhoneStep1, { code: await codeFor(member, 'old', phone) })
  const code = await codeFor(member, 'new', other)
  await member.call(contract.updatePhoneStep2, { phone: other, code })
  expect((await member.call(contract.phoneBinding, {})).bound).toBe(`+86****${other.slice(-4)}`)
  expect(await lastTo(forum, phone, /已换绑|now has a different/)).not.toBe('')
  // The proof of step one counts once.
  expect(Object.values((await asks(member, 'new', aNumber())).error).join()).toMatch(/Confirm again/)
})

test('the proof of step one belongs to its own session, and expires', async () => {
  const { member } = await bound()
  await member.call(contract.updatePhoneStep1, {})
  const { member: stranger } = await bound()
  expect(Object.values((await asks(stranger, 'new', aNumber())).error).join()).toMatch(/Confirm again/)
  const other = aNumber()
  const code = await codeFor(member, 'new', other)
  await app
    .updateTable('contact_proof')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await refusal(member, contract.updatePhoneStep2, { phone: other, code })).toMatch(/Confirm again/)
  expect(await refusal(member, contract.updatePhoneStep1, { code: '123456' })).toMatch(/code/)
})

test('an e-mail address is bound in one spelling, of the domains that staff take', async () => {
  const member = await forum.member()
  await set({ emailDomains: ['example.org'] })
  const ask = async (email: string) =>
    member.tryCall(contract.getEmailCode, { about: 'bind', email, ...(await solvedCaptcha(forum, member)) })
  expect(Object.values((await ask('mei@example.com')).error).join()).toMatch(/email provider/)
  expect(Object.keys((await ask('mei at example.org')).error)).toEqual(['email'])
  expect((await ask(' Mei＠Example.ORG ')).status).toBe(200)
  const code = await codeTo(forum, 'mei@example.org')
  await member.call(contract.bindEmail, { email: 'MEI@example.org', code })
  expect((await member.call(contract.emailBinding, {})).bound).toBe('m***@example.org')
  await member.call(contract.updateEmailStep1, {})
  await ageAttempts(forum)
  await member.call(contract.getEmailCode, { about: 'new', email: 'lin@example.org', ...(await solvedCaptcha(forum, member)) })
  await member.call(contract.updateEmailStep2, { email: 'lin@example.org', code: await codeTo(forum, 'lin@example.org') })
  expect(await lastTo(forum, 'mei@example.org', /已换绑|now has a different/)).not.toBe('')
})

test('visitors bind nothing', async () => {
  const visitor = forum.visitor()
  expect((await visitor.tryCall(contract.phoneBinding, {})).status).toBe(401)
  expect((await visitor.tryCall(prove, { password })).status).toBe(401)
  expect((await visitor.tryCall(proofForm, {})).status).toBe(401)
  expect((await visitor.tryCall(contract.getSmsCode, { about: 'bind', phone: aNumber() })).status).toBe(401)
})

test('the address goes along with a merge of accounts', async () => {
  const chief = await aStaffer(forum)
  const { member, phone } = await bound()
  const into = await forum.member()
  const emails = ['one@example.org', 'other@example.org']
  for (const [who, address] of [
    [member, emails[0]],
    [into, emails[1]],
  ] as const)
    await transact(forum.database, (tx) => contact.bind(tx, who.id, { kind: 'email', address: address ?? '' }))
  await chief.call(mergeMembers, { memberId: member.id, into: into.account, account: member.account, reason: 'One person' })
  expect((await into.call(contract.phoneBinding, {})).bound).toBe(`+86****${phone.slice(-4)}`)
  // The owners of both accounts are notified, because each now logs in to both.
  for (const email of emails) expect(await lastTo(forum, email, /合并|merged/)).toContain(member.account)
  const { notices } = await into.call(systemNotifyList, {})
  expect(notices[0]?.says).toEqual({ kind: 'accountsMerged', name: member.account })
  await into.call(contract.updatePhoneStep1, { code: await codeFor(into, 'old', phone) })
})

import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { changePassword, login } from '#account/contract.ts'
import { loginByPasskey, askPasskeyLogin } from '#account/login-contract.ts'
import { myHint, setMyHint, takeBack } from '#account/recover-contract.ts'
import { jobs } from '#account/server/jobs.ts'
import * as security from '#account-security/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { sessionOf } from '#base/testing/session.ts'
import { followRedirects } from '#base/testing/fake-server.ts'
import { bindPhone, getSmsCode, updatePhoneStep1, updatePhoneStep2 } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { beginWay, endWay, registerByTicket, signInMethods } from '#identity/contract.ts'
import { anAddedProvider } from '#identity/testing/factories.ts'
import { leave, leaving } from '#leaving/contract.ts'
import { Authenticator } from '#second-factor/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const origin = 'http://forum.localhost'
const home = `${origin}/thirdParty/loginRedirect`
const forum = await aForum({ env: { TEAHOUSE_URL: origin } })
await chooseOutbox(forum)
const { app } = forum.database
const chief = await aStaffer(forum)
const { provider, providerId } = await anAddedProvider(chief, home)
const password = 'a-quiet-evening'
const thiefs = { password: 'not-their-roof', passwordAgain: 'not-their-roof' }
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
let people = 0

beforeEach(async () => {
  await ageAttempts(forum)
  await transact(forum.database, (tx) => applySettings(tx, { smsPerDay: 100_000, emailsPerDay: 100_000 }))
  provider.person = { id: `person${++people}`, name: 'A thief' }
})

const aNumber = () => `+8613${String(720_000_000 + ++people)}`

/** The session is a thief's, who knows the password. */
async function stolen(phone?: string) {
  const [member, email] = [await forum.member(), `leaf${++people}@example.org`]
  await transact(forum.database, async (tx) => {
    await contact.bind(tx, member.id, { kind: 'email', address: email })
    if (phone) await contact.bind(tx, member.id, { kind: 'phone', address: phone })
  })
  await earlier(member, 40)
  return { member, email }
}

const perDay = [
  ['contact', 'bound_at'],
  ['member', 'joined_at'],
  ['member_identity', 'linked_at'],
  ['passkey', 'made_at'],
  ['recovery_code', 'made_at'],
  ['second_factor', 'confirmed_at'],
  ['take_back', 'at'],
  ['take_back', 'expires_at'],
] as const

/** Moves everything that happened so many days into the past. */
async function earlier({ id }: Pick<Person, 'id'>, days: number): Promise<void> {
  for (const [table, column] of perDay) {
    const [its, whose] = [sql.ref(column), sql.ref(table === 'member' ? 'id' : 'member_id')]
    await sql`update ${sql.table(table)} set ${its} = ${its} - make_interval(days => ${days}) where ${whose} = ${id}`.execute(app)
  }
}

async function addsPasskey(member: Person, name = 'Thief’s phone') {
  const device = new Authenticator(origin)
  await member.call(security.addPasskey, { name, made: device.make(await member.call(security.beginPasskey, {})) })
  return device
}

async function links(member: Person): Promise<void> {
  const { redirectUrl } = await member.call(beginWay, { providerId, links: true })
  await member.call(endWay, { answer: await followRedirects(redirectUrl, home) })
}

async function turnsOnCodes(member: Person): Promise<void> {
  const { secret } = await member.call(security.beginSecondFactor, {})
  await member.call(security.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
}

async function binds(member: Person, phone = aNumber()): Promise<string> {
  await member.call(getSmsCode, { about: 'bind', phone, ...(await solvedCaptcha(forum, member)) })
  await member.call(bindPhone, { phone, code: await codeTo(forum, phone) })
  return phone
}

async function changesPhone(member: Person, phone: string): Promise<void> {
  await ageAttempts(forum)
  await member.call(updatePhoneStep1, {})
  await member.call(getSmsCode, { about: 'new', phone, ...(await solvedCaptcha(forum, member)) })
  await member.call(updatePhoneStep2, { phone, code: await codeTo(forum, phone) })
}

/** The thief sets another password, and the owner follows the link of that notification. */
async function lastLink(member: Person, email: string): Promise<string> {
  // Mails are sent four at once, in any order: those of earlier changes go first.
  await lastTo(forum, email)
  await member.call(changePassword, { oldPassword: password, ...thiefs })
  return /takeBack#([\w-]{43})/.exec(await lastTo(forum, email, /takeBack#/))?.[1] ?? ''
}

async function tookBack(member: Person, email: string) {
  const { removed } = await forum.visitor().call(takeBack, { link: await lastLink(member, email), ...next })
  return { removed, owner: await ownerOf(member) }
}

async function ownerOf({ account }: Person) {
  const owner = forum.visitor()
  owner.pair = sessionOf(await owner.call(login, { account, password: next.password }))
  return owner
}

const addressesOf = async ({ id }: Person) => (await contact.addressesOf(app, id)).map(({ address }) => address).sort()

test('a passkey that a thief added before the change of the password is removed, and its owner notified', async () => {
  const { member, email } = await stolen()
  const device = await addsPasskey(member)
  const { removed, owner } = await tookBack(member, email)
  expect(removed).toEqual([{ what: 'passkey', name: 'Thief’s phone' }])
  expect((await owner.call(security.security, {})).passkeys).toEqual([])
  const thief = forum.visitor()
  const ask = await thief.call(askPasskeyLogin, {})
  expect((await thief.tryCall(loginByPasskey, { passkey: device.sign(ask) })).status).toBe(422)
  expect(await lastTo(forum, email, /recovered|取回/)).toContain('Thief’s phone')
})

test('another site, codes of an app, and a hint question are removed, too', async () => {
  const { member, email } = await stolen()
  await links(member)
  await turnsOnCodes(member)
  await member.call(setMyHint, { hintQuestion: 'Whose account is it?', hintAnswer: 'not yours' })
  const { removed, owner } = await tookBack(member, email)
  expect(removed.map(({ what }) => what).toSorted()).toEqual(['hint', 'identity', 'secondFactor'])
  expect((await owner.call(signInMethods, {})).linked).toEqual([])
  expect((await owner.call(myHint, {})).question).toBeNull()
})

test('a number bound first, or in the place of another, is removed, too, and the other comes back', async () => {
  const first = await stolen()
  await binds(first.member)
  expect((await tookBack(first.member, first.email)).removed).toMatchObject([{ what: 'phone', name: expect.stringContaining('*') }])
  expect(await addressesOf(first.member)).toEqual([first.email])
  const phone = aNumber()
  const second = await stolen(phone)
  await changesPhone(second.member, aNumber())
  expect((await tookBack(second.member, second.email)).removed).toMatchObject([{ what: 'phone' }])
  expect(await addressesOf(second.member)).toEqual([phone, second.email].sort())
})

test('an account that a thief asked to be erased first is not', async () => {
  const { member, email } = await stolen()
  await member.call(leave, { way: 'erase' })
  member.pair = sessionOf(await member.call(login, { account: member.account, password }))
  const { owner } = await tookBack(member, email)
  expect((await owner.call(leaving, {})).eraseAt).toBeNull()
})

test('additions of long before stay: second factors and numbers after a week, other methods after a month', async () => {
  const { member, email } = await stolen()
  await addsPasskey(member, 'Old phone')
  await links(member)
  await earlier(member, 23)
  await turnsOnCodes(member)
  const phone = await binds(member)
  await member.call(setMyHint, { hintQuestion: 'Which kettle boils?', hintAnswer: 'The blue one' })
  await earlier(member, 8)
  const { removed } = await forum.visitor().call(takeBack, { link: await lastLink(member, email), ...next })
  expect(removed).toEqual([])
  expect(await addressesOf(member)).toEqual([phone, email].sort())
  const counted = await Promise.all(
    (['passkey', 'member_identity', 'second_factor'] as const).map((table) =>
      app.selectFrom(table).select('member_id').where('member_id', '=', member.id).execute(),
    ),
  )
  expect(counted.map((rows) => rows.length)).toEqual([1, 1, 1])
})

test('a passkey of three weeks goes, codes of a week and a day stay', async () => {
  const { member, email } = await stolen()
  await addsPasskey(member)
  await earlier(member, 13)
  await turnsOnCodes(member)
  await earlier(member, 8)
  const { removed } = await forum.visitor().call(takeBack, { link: await lastLink(member, email), ...next })
  expect(removed.map(({ what }) => what)).toEqual(['passkey'])
})

test('the provider that a member registered with stays linked', async () => {
  const visitor = forum.visitor()
  const { redirectUrl } = await visitor.call(beginWay, { providerId })
  const { ticket } = await visitor.call(endWay, { answer: await followRedirects(redirectUrl, home) })
  const account = `by_site_${++people}`
  const { systemUser } = await visitor.call(registerByTicket, { ticket: ticket ?? '', account, agrees: true })
  const email = `leaf${++people}@example.org`
  await transact(forum.database, (tx) => contact.bind(tx, systemUser.userId, { kind: 'email', address: email }))
  const { password_hash } = await app
    .selectFrom('member')
    .select('password_hash')
    .where('id', '=', (await forum.member()).id)
    .executeTakeFirstOrThrow()
  await app.updateTable('member').set({ password_hash }).where('id', '=', systemUser.userId).execute()
  const member = Object.assign(await forum.member(), { account, id: systemUser.userId })
  member.pair = sessionOf(await member.call(login, { account, password }))
  const { removed, owner } = await tookBack(member, email)
  expect(removed).toEqual([])
  expect((await owner.call(signInMethods, {})).linked).toHaveLength(1)
})

test('a link used on its last day undoes the changes of the week before all the same', async () => {
  const phone = aNumber()
  const { member, email } = await stolen(phone)
  await changesPhone(member, aNumber())
  await earlier(member, 6)
  const link = await lastLink(member, email)
  await earlier(member, 6)
  await jobs.find(({ name }) => name === 'account-forget')?.run({ database: forum.database } as never, {})
  await forum.visitor().call(takeBack, { link, ...next })
  expect(await addressesOf(member)).toEqual([phone, email].sort())
})

import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { login, sessions } from '#account/contract.ts'
import { endAllSessions } from '#account/server/account.ts'
import { askPasskeyLogin, loginByPasskey, loginStep2 } from '#account/login-contract.ts'
import * as contract from '#account-security/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { untilLockWaits } from '#base/testing/waits.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { LastWayIn } from '#identity/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { prove, proofForm, PasskeyKnown, PasskeyWrong } from '#second-factor/contract.ts'
import { askPasskeyProof } from '#second-factor/passkey-contract.ts'
import { Authenticator } from '#second-factor/testing/factories.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const origin = 'https://forum.localhost'
const forum = await aForum({ env: { TEAHOUSE_URL: origin } })
await chooseOutbox(forum)
const { app } = forum.database

async function added(member: Person, device = new Authenticator(origin)): Promise<Authenticator> {
  const challenge = await member.call(contract.beginPasskey, {})
  await member.call(contract.addPasskey, { name: 'My phone', made: device.make(challenge) })
  return device
}

async function withPasskey() {
  const member = await forum.member()
  return { member, device: await added(member) }
}

async function refused(visitor: Visitor, passkey: ReturnType<Authenticator['sign']>): Promise<boolean> {
  return visitor.isRefused(loginByPasskey, { passkey }, PasskeyWrong)
}

const challengeFor = (visitor: Visitor) => visitor.call(askPasskeyLogin, {})

test('a passkey logs in without a password, and is shown with its name', async () => {
  const { member, device } = await withPasskey()
  const visitor = forum.visitor()
  const ask = await challengeFor(visitor)
  expect(ask).toMatchObject({ site: 'forum.localhost', known: [] })
  const { systemUser, ...pair } = await visitor.call(loginByPasskey, { passkey: device.sign(ask) })
  expect(systemUser.userId).toBe(member.id)
  visitor.pair = pair
  const { passkeys } = await visitor.call(contract.security, {})
  expect(passkeys).toMatchObject([{ name: 'My phone', usedAt: expect.any(String) }])
  await visitor.call(contract.namePasskey, { passkeyId: passkeys[0]?.id ?? '', name: 'Old phone' })
  expect((await visitor.call(contract.security, {})).passkeys).toMatchObject([{ name: 'Old phone' }])
})

test('a passkey that is being added while all sessions of its member end is not added', async () => {
  const member = await forum.member()
  const made = new Authenticator(origin).make(await member.call(contract.beginPasskey, {}))
  let adding: Promise<{ status: number }> | undefined
  await transact(forum.database, async (tx) => {
    await endAllSessions(tx, member.id, 'ended by staff')
    adding = member.tryCall(contract.addPasskey, { name: 'Thief’s phone', made })
    await untilLockWaits(app)
  })
  expect((await adding)?.status).toBe(401)
  expect(await secondFactor.passkeys(app, member.id)).toEqual([])
})

test('a device with unreadable transports is added all the same', async () => {
  const member = await forum.member()
  const device = new Authenticator(origin)
  const registration = {
    ...device.make(await member.call(contract.beginPasskey, {})),
    transports: ['hybrid', 'some future way', '', 'x'.repeat(90)],
  }
  await member.call(contract.addPasskey, { name: 'Odd', made: registration })
  const { known } = await member.call(askPasskeyProof, {})
  expect(known.map(({ transports }) => transports)).toEqual([['hybrid']])
})

test('a challenge is signed once, in its own browser and in time', async () => {
  const { device } = await withPasskey()
  const [one, two] = [forum.visitor(), forum.visitor()]
  const passkey = device.sign(await challengeFor(one))
  expect(await refused(two, passkey)).toBe(true)
  await one.call(loginByPasskey, { passkey })
  expect(await refused(one, passkey)).toBe(true)
  const late = device.sign(await challengeFor(one))
  await app
    .updateTable('passkey_challenge')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await refused(one, late)).toBe(true)
  const atOnce = device.sign(await challengeFor(one))
  const tries = await Promise.all(Array.from({ length: 6 }, () => one.tryCall(loginByPasskey, { passkey: atOnce })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

test.each([
  ['another site', (device: Authenticator) => void (device.origin = 'https://forum.localhost.evil')],
  ['somebody who was not checked', (device: Authenticator) => void (device.isVerified = false)],
  ['a copy that counts less', (device: Authenticator) => void (device.counter = -1)],
])('%s cannot log in', async (_, change) => {
  const { device } = await withPasskey()
  const visitor = forum.visitor()
  await visitor.call(loginByPasskey, { passkey: device.sign(await challengeFor(visitor)) })
  change(device)
  expect(await refused(visitor, device.sign(await challengeFor(visitor)))).toBe(true)
})

test('a wrong key for a passkey cannot log in, nor can an unknown passkey', async () => {
  const { device } = await withPasskey()
  const visitor = forum.visitor()
  const stranger = Object.assign(new Authenticator(origin), { id: device.id })
  expect(await refused(visitor, stranger.sign(await challengeFor(visitor)))).toBe(true)
  expect(await refused(visitor, new Authenticator(origin).sign(await challengeFor(visitor)))).toBe(true)
  const elsewhere = await challengeFor(visitor)
  expect(await refused(visitor, device.sign({ ...elsewhere, site: 'forum.localhost.evil' }))).toBe(true)
})

test('it is added after a fresh proof, by the member with the challenge, once', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const device = new Authenticator(origin)
  const challenge = await mei.call(contract.beginPasskey, {})
  tom.cookie = mei.cookie
  expect(await tom.isRefused(contract.addPasskey, { name: 'x', made: device.make(challenge) }, PasskeyWrong)).toBe(true)
  const registration = device.make(await mei.call(contract.beginPasskey, {}))
  await mei.call(contract.addPasskey, { name: 'Key', made: registration })
  expect(await mei.isRefused(contract.addPasskey, { name: 'Key', made: registration }, PasskeyWrong)).toBe(true)
  const again = device.make(await tom.call(contract.beginPasskey, {}))
  expect(await tom.isRefused(contract.addPasskey, { name: 'Key', made: again }, PasskeyKnown)).toBe(true)
  await loggedInLongAgo(mei)
  expect((await mei.tryCall(contract.beginPasskey, {})).status).toBe(428)
})

test('it is a proof of identity, for its own member alone', async () => {
  const { member, device } = await withPasskey()
  const { device: another } = await withPasskey()
  await loggedInLongAgo(member)
  expect((await member.call(proofForm, {})).ways).toEqual(['password', 'passkey'])
  const ask = () => member.call(askPasskeyProof, {})
  expect((await ask()).known).toMatchObject([{ id: device.id }])
  expect(await member.isRefused(prove, { passkey: another.sign(await ask()) }, PasskeyWrong)).toBe(true)
  // A signature for a login proves nothing else.
  expect(await member.isRefused(prove, { passkey: device.sign(await challengeFor(member)) }, PasskeyWrong)).toBe(true)
  await member.call(prove, { passkey: device.sign(await ask()) })
  await member.call(contract.beginPasskey, {})
})

test('it is the second step too, of the account that waits for it', async () => {
  const { member, device } = await withPasskey()
  const { device: another } = await withPasskey()
  const { secret } = await member.call(contract.beginSecondFactor, {})
  await member.call(contract.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
  const visitor = forum.visitor()
  const view = await visitor.call(login, { account: member.account, password: member.password })
  if (!('secondFactor' in view)) throw new Error('No second step was asked for')
  const { ticket, ways } = view.secondFactor
  expect(ways).toEqual(['code', 'passkey'])
  const ask = () => visitor.call(askPasskeyLogin, { ticket })
  expect((await ask()).known).toMatchObject([{ id: device.id }])
  expect(await visitor.isRefused(loginStep2, { ticket, passkey: another.sign(await ask()) }, PasskeyWrong)).toBe(true)
  visitor.pair = await visitor.call(loginStep2, { ticket, passkey: device.sign(await ask()) })
  expect((await visitor.call(sessions, {})).sessions.length).toBeGreaterThan(0)
  // A passkey alone is both steps.
  await visitor.call(loginByPasskey, { passkey: device.sign(await challengeFor(visitor)) })
})

test('its owner is notified by e-mail when it is added and removed', async () => {
  const member = await forum.member()
  const email = `key${member.id}@example.org`
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  await added(member)
  expect(await lastTo(forum, email)).toContain('My phone')
  const passkeyId = (await member.call(contract.security, {})).passkeys[0]?.id ?? ''
  await member.call(contract.removePasskey, { passkeyId })
  expect(await lastTo(forum, email, /不能再登录|no longer sign in/)).toContain('My phone')
})

test('the last way in stays', async () => {
  const { member } = await withPasskey()
  await app.updateTable('member').set({ password_hash: null }).where('id', '=', member.id).execute()
  const passkeyId = (await member.call(contract.security, {})).passkeys[0]?.id ?? ''
  expect(await member.isRefused(contract.removePasskey, { passkeyId }, LastWayIn)).toBe(true)
  const stranger = await forum.member()
  expect((await stranger.tryCall(contract.removePasskey, { passkeyId })).status).toBe(404)
  expect((await stranger.tryCall(contract.namePasskey, { passkeyId, name: 'Mine' })).status).toBe(404)
  await added(member)
  const tries = await Promise.all(
    (await member.call(contract.security, {})).passkeys.map(({ id }) => member.tryCall(contract.removePasskey, { passkeyId: id })),
  )
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

test('a disabled account stays closed; the passkey of a merged account logs into the other; a later one is removed', async () => {
  const [chief, { member, device }, into] = [await aStaffer(forum), await withPasskey(), await forum.member()]
  const visitor = forum.visitor()
  const shut = { deactivated_at: new Date(), deactivated_as: 'disabled', deactivated_because: 'A test' } as const
  await app.updateTable('member').set(shut).where('id', '=', member.id).execute()
  expect((await visitor.tryCall(loginByPasskey, { passkey: device.sign(await challengeFor(visitor)) })).error).toHaveProperty('account')
  const open = { deactivated_at: null, deactivated_as: null, deactivated_because: null }
  await app.updateTable('member').set(open).where('id', '=', member.id).execute()
  await chief.call(mergeMembers, { memberId: member.id, into: into.account, account: member.account, reason: 'One person' })
  const { systemUser } = await visitor.call(loginByPasskey, { passkey: device.sign(await challengeFor(visitor)) })
  expect(systemUser.userId).toBe(into.id)
  const lately = new Date(Date.now() - 60_000)
  await transact(forum.database, (tx) => secondFactor.removeSince(tx, into.id, { codes: lately, passkeys: lately }))
  expect(await refused(visitor, device.sign(await challengeFor(visitor)))).toBe(true)
})

test('visitors have no passkeys', async () => {
  const visitor = forum.visitor()
  expect((await visitor.tryCall(contract.beginPasskey, {})).status).toBe(401)
  expect((await visitor.tryCall(askPasskeyProof, {})).status).toBe(401)
  expect((await visitor.tryCall(contract.namePasskey, { passkeyId: '1', name: 'x' })).status).toBe(401)
  expect((await visitor.tryCall(contract.removePasskey, { passkeyId: '1' })).status).toBe(401)
  const registration = new Authenticator(origin).make({ challenge: 'x', site: 'forum.localhost' })
  expect((await visitor.tryCall(contract.addPasskey, { name: 'x', made: registration })).status).toBe(401)
})

async function loggedInLongAgo({ id }: Person): Promise<void> {
  const started_at = new Date(Date.now() - 11 * 60_000)
  await app.updateTable('session').set({ started_at }).where('member_id', '=', id).execute()
}

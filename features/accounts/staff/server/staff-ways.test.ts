import { expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import * as security from '#account-security/contract.ts'
import type { RawInput } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { sessionOf } from '#base/testing/session.ts'
import { followRedirects } from '#base/testing/fake-server.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { beginWay, endWay, signInMethods, unlink } from '#identity/contract.ts'
import { anAddedProvider } from '#identity/testing/factories.ts'
import { LastWay, memberView, resetMemberHint, resetMemberPassword, setMemberRoles, SpeaksForStaff, WayGone } from '#member/contract.ts'
import * as contract from '#member/methods-contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { addRole } from '#role/staff-contract.ts'
import { Authenticator } from '#second-factor/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

const origin = 'http://forum.localhost'
const home = `${origin}/thirdParty/loginRedirect`
const forum = await aForum({ env: { TEAHOUSE_URL: origin } })
await chooseOutbox(forum)
const { app } = forum.database
const chief = await aStaffer(forum)
const { provider, providerId } = await anAddedProvider(chief, home)
const reason = 'Asked at the counter'

const emailOf = (member: Person) => `way${member.id}@example.org`

/** A member with a login method of each kind. */
async function aMemberWithWays(): Promise<Person> {
  const member = await forum.member()
  await transact(forum.database, async (tx) => {
    await contact.bind(tx, member.id, { kind: 'phone', address: `+86138${member.id.padStart(8, '0')}` })
    await contact.bind(tx, member.id, { kind: 'email', address: emailOf(member) })
  })
  provider.person = { id: `person ${member.id}`, name: 'Lin Xi' }
  const { redirectUrl } = await member.call(beginWay, { providerId, links: true })
  await member.call(endWay, { answer: await followRedirects(redirectUrl, home) })
  const challenge = await member.call(security.beginPasskey, {})
  await member.call(security.addPasskey, { name: 'My phone', made: new Authenticator(origin).make(challenge) })
  return member
}

async function waysOf(member: Person, staffer: Staffer = chief) {
  const { ways } = await staffer.call(memberView, { memberId: member.id, addresses: true })
  if (!ways) throw new Error('No ways were shown')
  return ways
}

type CallInput<Call extends keyof typeof contract> = RawInput<(typeof contract)[Call]>

/** The requests of staff, one of each kind. */
async function wishesFor(member: Person) {
  const { contacts, identities, passkeys } = await waysOf(member)
  const [its, memberId] = [{ memberId: member.id, reason }, member.id]
  const bound = (which: 'phone' | 'email') => ({ ...its, kind: which, boundAt: contacts.find(({ kind }) => kind === which)?.boundAt ?? '' })
  return {
    memberId,
    phone: bound('phone') satisfies CallInput<'unbindOfMember'>,
    email: bound('email') satisfies CallInput<'unbindOfMember'>,
    identity: { ...its, identityId: identities[0]?.id ?? '' } satisfies CallInput<'unlinkOfMember'>,
    passkey: { ...its, passkeyId: passkeys[0]?.id ?? '' } satisfies CallInput<'removePasskeyOfMember'>,
  }
}

async function statuses(staffer: Staffer, wishes: Awaited<ReturnType<typeof wishesFor>>): Promise<number[]> {
  const all = [
    await staffer.tryCall(contract.unbindOfMember, wishes.phone),
    await staffer.tryCall(contract.unlinkOfMember, wishes.identity),
    await staffer.tryCall(contract.removePasskeyOfMember, wishes.passkey),
    await staffer.tryCall(contract.unbindOfMember, wishes.email),
  ]
  return all.map(({ status }) => status)
}

const withoutPassword = (member: Person) => app.updateTable('member').set({ password_hash: null }).where('id', '=', member.id).execute()

test('staff see the login methods of a member, with masked addresses, and only on request', async () => {
  const member = await aMemberWithWays()
  const ways = await waysOf(member)
  expect(ways).toMatchObject({
    hasPassword: true,
    contacts: [{ kind: 'phone' }, { kind: 'email' }],
    identities: [{ provider: { zh: '公司', en: 'Company' }, name: 'Lin Xi' }],
    passkeys: [{ name: 'My phone', usedAt: null }],
    codesSince: null,
    trustedDevices: 0,
  })
  for (const { shownAs } of ways.contacts) expect(shownAs).toContain('*')
  expect(JSON.stringify(ways)).not.toContain(emailOf(member))
  await transact(forum.database, async (tx) => {
    const row = { member_id: member.id, ip: '10.0.0.1', user_agent: '' }
    const later = new Date(Date.now() + 3_600_000)
    await tx
      .insertInto('trusted_device')
      .values({ ...row, hash: Buffer.alloc(32, 1), expires_at: later })
      .execute()
    await tx
      .insertInto('trusted_device')
      .values({ ...row, hash: Buffer.alloc(32, 2), expires_at: new Date(0) })
      .execute()
  })
  expect((await waysOf(member)).trustedDevices).toBe(1)
  expect((await chief.call(memberView, { memberId: member.id })).ways).toBeNull()
})

test('each is removed with a reason, logged, and notified; nothing else ends', async () => {
  const member = await aMemberWithWays()
  const wishes = await wishesFor(member)
  expect((await chief.tryCall(contract.unbindOfMember, { ...wishes.phone, reason: '' })).error).toHaveProperty('reason')
  expect((await chief.tryCall(contract.unlinkOfMember, { ...wishes.identity, reason: '' })).error).toHaveProperty('reason')
  expect((await chief.tryCall(contract.removePasskeyOfMember, { ...wishes.passkey, reason: '' })).error).toHaveProperty('reason')
  expect(await statuses(chief, wishes)).toEqual([200, 200, 200, 200])
  expect(await waysOf(member)).toMatchObject({ hasPassword: true, contacts: [], identities: [], passkeys: [] })
  expect(await lastTo(forum, emailOf(member), /no longer sign in/)).not.toBe('')
  const { notices } = await member.call(systemNotifyList, {})
  const ways = notices.map(({ says }) => ('way' in says ? [says.way, says.its.en.replace(/\*+/, '*')] : []))
  expect(ways).toMatchObject([
    ['email', expect.stringContaining('*')],
    ['passkey', 'My phone'],
    ['identity', 'Company'],
    ['phone', expect.stringContaining('*')],
  ])
  const noted = await app
    .selectFrom('audit_log')
    .select(['action', 'reason'])
    .where('about', '=', `member ${member.id}`)
    .where('reason', 'is not', null)
    .orderBy('id')
    .execute()
  expect(noted).toEqual(
    ['unbindContact', 'unlinkIdentity', 'removePasskey', 'unbindContact'].map((action) => ({ action: `member.${action}`, reason })),
  )
})

const phoneOf = (member: Person) => `+86138${member.id.padStart(8, '0')}`

test('the owner is notified at every address bound before, also at one that staff unbind, with whom to ask', async () => {
  const member = await aMemberWithWays()
  const wishes = await wishesFor(member)
  const actions: [() => Promise<unknown>, RegExp][] = [
    [() => chief.call(contract.unbindOfMember, wishes.phone), /phone number \+86\*/],
    [() => chief.call(contract.unlinkOfMember, wishes.identity), /Company/],
    [() => chief.call(contract.removePasskeyOfMember, wishes.passkey), /My phone/],
    [() => chief.call(resetMemberPassword, { memberId: member.id, reason }), /set a new password/],
    [() => chief.call(resetMemberHint, { memberId: member.id, reason }), /security question/],
    [() => chief.call(contract.unbindOfMember, wishes.email), /address w\*/],
  ]
  for (const [action, says] of actions) {
    await action()
    const mail = await lastTo(forum, emailOf(member), says)
    expect([says, mail]).toEqual([says, expect.stringContaining(`${origin}/feedback`)])
    expect(mail).not.toContain(reason)
    expect(mail).not.toContain(chief.account)
  }
  expect(await lastTo(forum, phoneOf(member), /phone number \+86\*/)).not.toBe('')
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'phone', address: phoneOf(member) }))
  await chief.call(resetMemberPassword, { memberId: member.id, reason })
  expect(await lastTo(forum, phoneOf(member), /set a new password/)).not.toBe('')
})

test('a password or a question reset by staff is notified in the forum too', async () => {
  const member = await forum.member()
  await chief.call(resetMemberHint, { memberId: member.id, reason })
  const { password } = await chief.call(resetMemberPassword, { memberId: member.id, reason })
  member.pair = sessionOf(await forum.visitor().call(login, { account: member.account, password }))
  const { notices } = await member.call(systemNotifyList, {})
  expect(notices.map(({ says }) => says)).toEqual([{ kind: 'passwordReset' }, { kind: 'hintReset' }])
})

test('staff without the right, visitors and members can remove nothing; methods of staff or of higher rights stay', async () => {
  const [looker, helper] = [await aStaffer(forum, ['member.view']), await aStaffer(forum, ['member.view', 'member.access'])]
  const member = await aMemberWithWays()
  const wishes = await wishesFor(member)
  expect(await statuses(looker, wishes)).toEqual([403, 403, 403, 403])
  expect((await forum.visitor().tryCall(contract.unbindOfMember, wishes.phone)).status).toBe(401)
  expect((await member.tryCall(contract.unlinkOfMember, wishes.identity)).status).toBe(401)
  expect((await member.tryCall(contract.removePasskeyOfMember, wishes.passkey)).status).toBe(401)
  const { roleId } = await chief.call(addRole, { zh: '编辑', en: 'Editor', rights: [{ right: 'content.edit.any', tagId: null }] })
  await chief.call(setMemberRoles, { memberId: member.id, roles: [{ roleId, endsAt: null }] })
  expect(await statuses(helper, wishes)).toEqual([403, 403, 403, 403])
  expect(await helper.isRefused(contract.unbindOfMember, wishes.phone, MoreThanOwn)).toBe(true)
  await app.updateTable('member').set({ is_official: true }).where('id', '=', member.id).execute()
  expect(await chief.isRefused(contract.unbindOfMember, wishes.phone, SpeaksForStaff)).toBe(true)
  expect(await chief.isRefused(contract.unlinkOfMember, wishes.identity, SpeaksForStaff)).toBe(true)
  expect(await chief.isRefused(contract.removePasskeyOfMember, wishes.passkey, SpeaksForStaff)).toBe(true)
  expect(await waysOf(member)).toMatchObject({ contacts: [{}, {}], identities: [{}], passkeys: [{}] })
})

test('the last way in stays', async () => {
  const member = await aMemberWithWays()
  const wishes = await wishesFor(member)
  await withoutPassword(member)
  await chief.call(contract.removePasskeyOfMember, wishes.passkey)
  expect(await chief.isRefused(contract.unlinkOfMember, wishes.identity, LastWay)).toBe(true)
  await chief.call(contract.unbindOfMember, wishes.phone)
  // The remaining methods are no login any more: the address is the last one.
  await app.deleteFrom('member_identity').where('member_id', '=', member.id).execute()
  expect(await chief.isRefused(contract.unbindOfMember, wishes.email, LastWay)).toBe(true)
  expect((await waysOf(member)).contacts).toHaveLength(1)
  const keyed = await aMemberWithWays()
  await withoutPassword(keyed)
  const its = await wishesFor(keyed)
  await chief.call(contract.unlinkOfMember, its.identity)
  expect(await chief.isRefused(contract.removePasskeyOfMember, its.passkey, LastWay)).toBe(true)
})

test('a method that is gone, another’s, or replaced meanwhile is left alone', async () => {
  const [member, stranger] = [await aMemberWithWays(), await aMemberWithWays()]
  const [wishes, others] = [await wishesFor(member), await wishesFor(stranger)]
  const { memberId } = wishes
  expect(await chief.isRefused(contract.unlinkOfMember, { ...others.identity, memberId }, WayGone)).toBe(true)
  expect(await chief.isRefused(contract.removePasskeyOfMember, { ...others.passkey, memberId }, WayGone)).toBe(true)
  await transact(forum.database, (tx) => contact.bind(tx, memberId, { kind: 'email', address: `new.${emailOf(member)}` }))
  expect(await chief.isRefused(contract.unbindOfMember, wishes.email, WayGone)).toBe(true)
  expect((await statuses(chief, await wishesFor(member))).every((status) => status === 200)).toBe(true)
  expect(await chief.isRefused(contract.unbindOfMember, wishes.phone, WayGone)).toBe(true)
  expect(await chief.isRefused(contract.unlinkOfMember, wishes.identity, WayGone)).toBe(true)
  expect(await chief.isRefused(contract.removePasskeyOfMember, wishes.passkey, WayGone)).toBe(true)
  expect((await chief.tryCall(contract.unbindOfMember, { ...wishes.phone, memberId: '999999' })).status).toBe(404)
  expect(await waysOf(stranger)).toMatchObject({ contacts: [{}, {}], identities: [{}], passkeys: [{}] })
})

test('two removals of one method at once end with one; two of the last methods leave one', async () => {
  const other = await aStaffer(forum)
  for (let round = 0; round < 5; round++) {
    const member = await aMemberWithWays()
    const wishes = await wishesFor(member)
    const same = await Promise.all([chief, other].map((one) => one.tryCall(contract.unbindOfMember, wishes.phone)))
    expect(same.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect((await member.call(systemNotifyList, {})).notices).toHaveLength(1)
    await withoutPassword(member)
    const last = [
      await Promise.all([
        chief.tryCall(contract.unlinkOfMember, wishes.identity),
        other.tryCall(contract.removePasskeyOfMember, wishes.passkey),
      ]),
    ].flat()
    expect(last.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const { identities, passkeys } = await waysOf(member)
    expect(identities.length + passkeys.length).toBe(1)
  }
})

test('removals of the last two methods by a member and staff at once leave one', async () => {
  for (let round = 0; round < 5; round++) {
    const member = await aMemberWithWays()
    const { passkey } = await wishesFor(member)
    await withoutPassword(member)
    const identityId = (await member.call(signInMethods, {})).linked[0]?.id ?? ''
    const both = await Promise.all([member.tryCall(unlink, { identityId }), chief.tryCall(contract.removePasskeyOfMember, passkey)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  }
})

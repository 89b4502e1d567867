import { beforeEach, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { aForum } from '#base/testing/forum.ts'
import { rounds } from '#base/testing/extent.ts'
import { followRedirects } from '#base/testing/fake-server.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { login } from '#account/contract.ts'
import * as contract from '#identity/contract.ts'
import { InvitationNeeded } from '#invitation/contract.ts'
import { addInvitation } from '#invitation/staff-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { prove } from '#second-factor/contract.ts'
import { anAddedProvider } from '#identity/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ env: { TEAHOUSE_URL: 'http://forum.example' } })
const home = 'http://forum.example/thirdParty/loginRedirect'
const chief = await aStaffer(forum)
const { provider, providerId } = await anAddedProvider(chief, home)
let people = 0

beforeEach(() => {
  provider.person = { id: `person${++people}`, name: 'Lin Xi' }
})

/** Goes to the provider, and returns the query of its redirect. */
async function back(visitor: Visitor, links = false): Promise<string> {
  const { redirectUrl } = await visitor.call(contract.beginWay, { providerId, links })
  return followRedirects(redirectUrl, home)
}

async function ticketFor(visitor: Visitor): Promise<string> {
  const { ticket } = await visitor.call(contract.endWay, { answer: await back(visitor) })
  return ticket ?? ''
}

/** A member whose only login method is the provider. */
async function newcomer(account: string): Promise<Visitor> {
  const visitor = forum.visitor()
  visitor.pair = await visitor.call(contract.registerByTicket, { ticket: await ticketFor(visitor), account, agrees: true })
  return visitor
}

async function refusal<E extends Endpoint>(visitor: Visitor, endpoint: E, input: RawInput<E>): Promise<string> {
  const { error } = await visitor.tryCall(endpoint, input)
  return Object.values(error).join(' ')
}

const expired = /took too long/

test('a new visitor gets an account without a password, and comes back into it', async () => {
  const visitor = forum.visitor()
  const first = await visitor.call(contract.endWay, { answer: await back(visitor) })
  expect(first).toMatchObject({ outcome: 'isNew', session: null, name: 'Lin Xi', provider: { name: { zh: '公司', en: 'Company' } } })
  const { systemUser } = await visitor.call(contract.registerByTicket, { ticket: first.ticket ?? '', account: 'linxi', agrees: true })
  expect(systemUser.account).toBe('linxi')
  const again = await visitor.call(contract.endWay, { answer: await back(visitor) })
  expect(again).toMatchObject({ outcome: 'loggedIn', ticket: null })
  expect(sessionOf(again.session).systemUser.userId).toBe(systemUser.userId)
  expect(await refusal(forum.visitor(), login, { account: 'linxi', password: 'anything-at-all' })).toMatch(/Wrong/)
})

test('the way to a page is remembered through the login', async () => {
  const visitor = forum.visitor()
  const { redirectUrl } = await visitor.call(contract.beginWay, { providerId, jumpUrl: 'L2luZGV4' })
  const { jumpUrl } = await visitor.call(contract.endWay, { answer: await followRedirects(redirectUrl, home) })
  expect(jumpUrl).toBe('L2luZGV4')
})

test('a member links an account of a provider, and can log in with it from then on', async () => {
  const member = await forum.member()
  expect((await member.call(contract.endWay, { answer: await back(member, true) })).outcome).toBe('linked')
  const { linked, others, hasPassword } = await member.call(contract.signInMethods, {})
  expect([linked.map(({ name }) => name), others, hasPassword]).toEqual([['Lin Xi'], [], true])
  const visitor = forum.visitor()
  const { session } = await visitor.call(contract.endWay, { answer: await back(visitor) })
  expect(sessionOf(session).systemUser.userId).toBe(member.id)
})

test('an account of a provider has one member, and a member one account of a provider', async () => {
  const [one, two] = [await forum.member(), await forum.member()]
  await one.call(contract.endWay, { answer: await back(one, true) })
  expect(await refusal(two, contract.endWay, { answer: await back(two, true) })).toMatch(/another account/)
  provider.person = { id: 'somebody else', name: 'Else' }
  expect(await refusal(one, contract.endWay, { answer: await back(one, true) })).toMatch(/a different account/)
})

test('a visitor links nothing', async () => {
  expect((await forum.visitor().tryCall(contract.beginWay, { providerId, links: true })).status).toBe(401)
})

test('linking an account takes a recent login or a fresh proof', async () => {
  const member = await forum.member()
  const ticket = await ticketFor(member)
  const started_at = new Date(Date.now() - 11 * 60_000)
  await forum.database.app.updateTable('session').set({ started_at }).where('member_id', '=', member.id).execute()
  expect((await member.tryCall(contract.beginWay, { providerId, links: true })).status).toBe(428)
  expect((await member.tryCall(contract.linkByTicket, { ticket })).status).toBe(428)
  await member.call(prove, { password: member.password })
  // The refusal kept the ticket.
  await member.call(contract.linkByTicket, { ticket })
})

test('a member who changed before coming back links nothing', async () => {
  const [one, two] = [await forum.member(), await forum.member()]
  const answer = await back(one, true)
  two.cookie = one.cookie
  expect(await refusal(two, contract.endWay, { answer })).toMatch(expired)
  expect((await two.call(contract.signInMethods, {})).linked).toEqual([])
})

test('an answer is taken once, in the browser that asked, in time, and with its own state', async () => {
  const [one, two] = [forum.visitor(), forum.visitor()]
  const answer = await back(one)
  expect(await refusal(two, contract.endWay, { answer })).toMatch(expired)
  expect(await refusal(one, contract.endWay, { answer: answer.replace(/state=[^&]+/, 'state=another') })).toMatch(expired)
  expect(await refusal(one, contract.endWay, { answer: answer.replace(/state=[^&]+&?/, '') })).toMatch(expired)
  expect((await one.call(contract.endWay, { answer })).outcome).toBe('isNew')
  expect(await refusal(one, contract.endWay, { answer })).toMatch(expired)
  const late = await back(one)
  await forum.database.app
    .updateTable('identity_request')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await refusal(one, contract.endWay, { answer: late })).toMatch(expired)
})

test('a code of one way is worth nothing on another', async () => {
  const [one, two] = [forum.visitor(), forum.visitor()]
  const [stolen, own] = [new URLSearchParams(await back(one)), new URLSearchParams(await back(two))]
  own.set('code', stolen.get('code') ?? '')
  expect(await refusal(two, contract.endWay, { answer: own.toString() })).toMatch(/Couldn’t sign in/)
})

test('a visitor who declines at the provider is told that nothing happened', async () => {
  provider.person = null
  const visitor = forum.visitor()
  expect(await refusal(visitor, contract.endWay, { answer: await back(visitor) })).toMatch(/declined/)
})

test('a visitor with any name at the provider can register', async () => {
  for (const [name, known] of [
    ['Lin\0Xi\u202e', 'Lin Xi'],
    ['茶'.repeat(5_000), '茶'.repeat(100)],
    ['\0', null],
  ] as const) {
    provider.person = { id: `called${++people}`, name }
    const visitor = forum.visitor()
    expect(await visitor.call(contract.endWay, { answer: await back(visitor) })).toMatchObject({ outcome: 'isNew', name: known })
  }
  provider.person = { id: 'no\0body', name: 'Lin Xi' }
  const visitor = forum.visitor()
  expect(await refusal(visitor, contract.endWay, { answer: await back(visitor) })).toMatch(/Couldn’t sign in/)
})

test('a ticket makes one account, in the browser it was given to', async () => {
  const [one, two, { account }] = [forum.visitor(), forum.visitor(), await forum.member()]
  const ticket = await ticketFor(one)
  expect(await refusal(two, contract.registerByTicket, { ticket, account: 'stranger', agrees: true })).toMatch(expired)
  // The refusal kept the ticket.
  expect(Object.keys((await one.tryCall(contract.registerByTicket, { ticket, account, agrees: true })).error)).toEqual(['account'])
  const tries = Array.from({ length: 10 }, (_, n) =>
    one.tryCall(contract.registerByTicket, { ticket, account: `racer_${n}`, agrees: true }),
  )
  expect((await Promise.all(tries)).filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a member with an account already links it by the ticket after logging in', async () => {
  const member = await forum.member()
  const ticket = await ticketFor(member)
  await member.call(contract.linkByTicket, { ticket })
  expect(await refusal(member, contract.linkByTicket, { ticket })).toMatch(expired)
  expect((await member.call(contract.signInMethods, {})).linked).toHaveLength(1)
})

test('the last way in stays, until there is a password', async () => {
  const member = await newcomer('onlyhere')
  const { linked, hasPassword } = await member.call(contract.signInMethods, {})
  expect(hasPassword).toBe(false)
  const identityId = linked[0]?.id ?? ''
  expect(await refusal(member, contract.unlink, { identityId })).toMatch(/only sign-in method/)
  expect((await (await forum.member()).tryCall(contract.unlink, { identityId })).status).toBe(404)
  await member.call(contract.setPassword, { password: 'a-kettle-on-the-boil' })
  const sessions = forum.database.app.updateTable('session').where('ip', '=', member.ip)
  await sessions.set({ started_at: new Date(Date.now() - 11 * 60_000) }).execute()
  expect((await member.tryCall(contract.unlink, { identityId })).status).toBe(428)
  await member.call(prove, { password: 'a-kettle-on-the-boil' })
  await member.call(contract.unlink, { identityId })
  expect((await member.call(contract.signInMethods, {})).linked).toEqual([])
  const { systemUser } = sessionOf(await forum.visitor().call(login, { account: 'onlyhere', password: 'a-kettle-on-the-boil' }))
  expect(systemUser.account).toBe('onlyhere')
})

test('a first password is set soon after a login, once, and within the rules', async () => {
  const member = await newcomer('firstpassword')
  expect(Object.keys((await member.tryCall(contract.setPassword, { password: 'firstpassword' })).error)).toEqual(['password'])
  const { app } = forum.database
  const { session_id } = await app
    .selectFrom('access_token')
    .select('session_id')
    .orderBy('session_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const began = await app.selectFrom('session').select('started_at').where('id', '=', session_id).executeTakeFirstOrThrow()
  await app
    .updateTable('session')
    .set({ started_at: new Date(Date.now() - 11 * 60_000) })
    .where('id', '=', session_id)
    .execute()
  const input = { password: 'rain-on-the-roof' }
  expect((await member.tryCall(contract.setPassword, input)).status).toBe(428)
  await app.updateTable('session').set(began).where('id', '=', session_id).execute()
  const tries = await Promise.all(Array.from({ length: 5 }, () => member.tryCall(contract.setPassword, input)))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await refusal(await forum.member(), contract.setPassword, input)).toMatch(/has a password/)
})

test('two accounts linking one account of a provider at once end with one link', async () => {
  for (let round = 0; round < rounds / 10; round++) {
    provider.person = { id: `raced${round}`, name: 'Raced' }
    const members = [await forum.member(), await forum.member()]
    const answers = await Promise.all(members.map((member) => back(member, true)))
    const ends = await Promise.all(members.map((member, n) => member.tryCall(contract.endWay, { answer: answers[n] ?? '' })))
    expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 422])
  }
})

test('a disabled account stays closed, even with a linked provider', async () => {
  const member = await forum.member()
  await member.call(contract.endWay, { answer: await back(member, true) })
  const end = { deactivated_at: new Date(), deactivated_as: 'disabled' } as const
  await forum.database.app.updateTable('member').set(end).where('id', '=', member.id).execute()
  const visitor = forum.visitor()
  expect(await refusal(visitor, contract.endWay, { answer: await back(visitor) })).toMatch(/disabled/)
})

test('a linked account of a merged member logs into the other', async () => {
  await newcomer('old_account')
  const { id: memberId } = await forum.database.app
    .selectFrom('member')
    .select('id')
    .where('account', '=', 'old_account')
    .executeTakeFirstOrThrow()
  const into = await forum.member()
  await chief.call(mergeMembers, { memberId, into: into.account, account: 'old_account', reason: 'One person' })
  const visitor = forum.visitor()
  const { session } = await visitor.call(contract.endWay, { answer: await back(visitor) })
  expect(sessionOf(session).systemUser.userId).toBe(into.id)
})

test('a merge of two linked accounts at one provider keeps one, and the other can be linked again', async () => {
  const [old, into] = [await forum.member(), await forum.member()]
  const [hers, his] = [
    { id: `merged${++people}`, name: 'Lin Xi' },
    { id: `merged${++people}`, name: 'Xi Lin' },
  ]
  provider.person = hers
  await old.call(contract.endWay, { answer: await back(old, true) })
  provider.person = his
  await into.call(contract.endWay, { answer: await back(into, true) })
  await chief.call(mergeMembers, { memberId: old.id, into: into.account, account: old.account, reason: 'One person' })
  const visitor = forum.visitor()
  expect((await visitor.call(contract.endWay, { answer: await back(visitor) })).outcome).toBe('loggedIn')
  provider.person = hers
  expect((await visitor.call(contract.endWay, { answer: await back(visitor) })).outcome).toBe('isNew')
})

test('registration through a provider asks for the same invitation or approval', async () => {
  const change = async (registrationMode: 'open' | 'invitation' | 'approval') => {
    await transact(forum.database, (tx) => applySettings(tx, { registrationMode }))
  }
  await change('invitation')
  const visitor = forum.visitor()
  const ticket = await ticketFor(visitor)
  expect(await visitor.isRefused(contract.registerByTicket, { ticket, account: 'invited_lin', agrees: true }, InvitationNeeded)).toBe(true)
  const { code } = await chief.call(addInvitation, {})
  await visitor.call(contract.registerByTicket, { ticket, account: 'invited_lin', agrees: true, invitation: code })
  await change('approval')
  provider.person = { id: `person${++people}`, name: 'Lin Xi' }
  const other = forum.visitor()
  const form = { ticket: await ticketFor(other), account: 'waiting_lin', agrees: true }
  expect((await other.call(contract.registerByTicket, form)).systemUser.joining).toEqual({ isRefused: false, reason: '' })
  await change('open')
})

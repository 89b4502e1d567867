import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { changePassword, endOtherSessions, endSession, login, sessions } from '#account/contract.ts'
import { recoverStep1, recoverStep2, sendRecoveryCode, takeBack } from '#account/recover-contract.ts'
import { endAllSessions } from '#account/server/account.ts'
import { beginSecondFactor, confirmSecondFactor } from '#account-security/contract.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { sessionOf } from '#base/testing/session.ts'
import { ageAttempts, solvedCaptcha } from '#base/testing/verification-codes.ts'
import { untilLockWaits } from '#base/testing/waits.ts'
import * as contact from '#contact/server/contact.ts'
import { chooseOutbox, codeTo, lastTo } from '#delivery/testing/factories.ts'
import { leave } from '#leaving/contract.ts'
import { addToken, tokens } from '#mcp/contract.ts'
import * as staffContract from '#member/contract.ts'
import { disableMany, endSessionsOfMany } from '#member/many-contract.ts'
import { endMemberTokens } from '#member/token-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ env: { TEAHOUSE_URL: 'https://teahouse.localhost' } })
await chooseOutbox(forum)
await transact(forum.database, (tx) => applySettings(tx, { allowMcp: true, emailsPerDay: 100_000 }))
const chief = await aStaffer(forum)
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
let people = 0

beforeEach(() => ageAttempts(forum))

/** A member with an e-mail address of long ago, and a program that speaks for them. */
async function withProgram() {
  const [member, email] = [await forum.member(), `chestnut${++people}@example.org`]
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  await forum.database.app
    .updateTable('contact')
    .set({ bound_at: new Date('2026-01-01') })
    .where('member_id', '=', member.id)
    .execute()
  const { token } = await member.call(addToken, { name: 'My notes', mayDraft: true })
  return { member, email, token }
}

async function statusOf(token: string): Promise<number> {
  const { statusCode } = await forum.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  return statusCode
}

const reason = 'Someone else was in'
type Owner = { member: Person; email: string }

const endings: [string, (owner: Owner) => Promise<unknown>][] = [
  ['a change of password', ({ member }) => member.call(changePassword, { oldPassword: member.password, ...next })],
  ['logging out everywhere else', ({ member }) => member.call(endOtherSessions, {})],
  ['the second factor that logs out everywhere else', ({ member }) => turnOnCodes(member)],
  ['recovery', ({ email }) => recover(email)],
  ['a deactivation by the member', ({ member }) => member.call(leave, { way: 'away' })],
  ['a disabled account', ({ member: { id } }) => chief.call(staffContract.disableMember, { memberId: id, reason })],
  ['a closed account', ({ member: { id } }) => chief.call(staffContract.cancelMember, { memberId: id, reason })],
  ['a password that staff reset', ({ member: { id } }) => chief.call(staffContract.resetMemberPassword, { memberId: id, reason })],
  ['staff who end all sessions', ({ member: { id } }) => chief.call(staffContract.endMemberSessions, { memberId: id })],
  ['staff who end the sessions of many', ({ member: { id } }) => chief.call(endSessionsOfMany, { ids: [id] })],
  ['staff who disable many', ({ member: { id } }) => chief.call(disableMany, { ids: [id], reason })],
]

async function turnOnCodes(member: Person): Promise<void> {
  const { secret } = await member.call(beginSecondFactor, {})
  await member.call(confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(), endsOthers: true })
}

async function recover(email: string): Promise<void> {
  const visitor = forum.visitor()
  await visitor.call(sendRecoveryCode, { kind: 'email', email, ...(await solvedCaptcha(forum, visitor)) })
  const { ticket } = await visitor.call(recoverStep1, { kind: 'email', email, code: await codeTo(forum, email) })
  await visitor.call(recoverStep2, { ticket, ...next })
}

test.each(endings)('a program’s token ends with %s', async (_, end) => {
  const { token, ...owner } = await withProgram()
  expect(await statusOf(token)).toBe(200)
  await end(owner)
  expect(await statusOf(token)).toBe(401)
})

test('a program’s token that an intruder made ends when the owner takes the account back, and is named to the owner', async () => {
  const { member, email, token } = await withProgram()
  const thief = await member.call(addToken, { name: 'Thief’s script' })
  await lastTo(forum, email)
  await member.call(changePassword, { oldPassword: member.password, password: 'not-their-roof', passwordAgain: 'not-their-roof' })
  const later = await member.call(addToken, { name: 'Another script' })
  const [, link = ''] = /takeBack#([\w-]{43})/.exec(await lastTo(forum, email, /takeBack#/)) ?? []
  const { removed } = await forum.visitor().call(takeBack, { link, ...next })
  expect(removed).toEqual([{ what: 'programToken', name: 'Another script' }])
  expect(await Promise.all([token, thief.token, later.token].map(statusOf))).toEqual([401, 401, 401])
})

test('a program’s token stays revoked when its member is enabled by staff, and when they log in again', async () => {
  const [disabled, resting] = [await withProgram(), await withProgram()]
  await chief.call(staffContract.disableMember, { memberId: disabled.member.id, reason })
  await chief.call(staffContract.enableMember, { memberId: disabled.member.id })
  expect(await statusOf(disabled.token)).toBe(401)
  await resting.member.call(leave, { way: 'away' })
  await forum.visitor().call(login, { account: resting.member.account, password: resting.member.password })
  expect(await statusOf(resting.token)).toBe(401)
})

test('a program’s token outlives the end of one session, and that of another member always does', async () => {
  const [{ member, token }, other] = [await withProgram(), await withProgram()]
  const phone = forum.visitor()
  phone.pair = sessionOf(await phone.call(login, { account: member.account, password: member.password }))
  const { sessions: all } = await member.call(sessions, {})
  await member.call(endSession, { sessionId: all.find(({ isThis }) => !isThis)?.id ?? '' })
  expect(await statusOf(token)).toBe(200)
  await member.call(endOtherSessions, {})
  expect(await statusOf(other.token)).toBe(200)
})

test('a program’s token that is being made while everything ends does not outlive it', async () => {
  const { member } = await withProgram()
  let made: Promise<{ status: number }> | undefined
  await transact(forum.database, async (tx) => {
    await endAllSessions(tx, member.id, 'ended by staff')
    made = member.tryCall(addToken, { name: 'Just in time' })
    await untilLockWaits(forum.database.app)
  })
  expect((await made)?.status).toBe(401)
  const left = await forum.database.app.selectFrom('personal_access_token').select('id').where('member_id', '=', member.id).execute()
  expect(left).toEqual([])
})

test('a member keeps the session in which the others end, and can make a new token there', async () => {
  const { member } = await withProgram()
  await member.call(endOtherSessions, {})
  expect((await member.call(tokens, {})).tokens).toEqual([])
  const { token } = await member.call(addToken, { name: 'Once more' })
  expect(await statusOf(token)).toBe(200)
})

test('the owner is notified of a new token, on the site and by e-mail, without its value', async () => {
  const { member, email } = await withProgram()
  const { token } = await member.call(addToken, { name: 'A script' })
  const notices = await noticesOf(member)
  expect(notices.map(({ says }) => says)).toContainEqual({ kind: 'programTokenMade', name: 'A script' })
  const mail = await lastTo(forum, email, /A script/)
  expect(mail).toContain('/user/control/tokens')
  expect(mail).not.toContain(token)
})

test('staff see a member’s tokens beside the sessions, and end them in one act that leaves the sessions', async () => {
  const { member, token } = await withProgram()
  const seen = async (by = chief) => (await by.call(staffContract.memberView, { memberId: member.id, addresses: true })).tokens
  expect(await seen()).toMatchObject([{ name: 'My notes', mayWrite: true, isExpired: false, lastUsedAt: null }])
  expect(JSON.stringify(await seen())).not.toContain(token)
  for (const other of [await aStaffer(forum, ['member.view', 'member.edit']), member, forum.visitor()])
    expect((await other.tryCall(endMemberTokens, { memberId: member.id })).status).not.toBe(200)
  expect(await statusOf(token)).toBe(200)
  const keeper = await aStaffer(forum, ['member.view', 'member.access'])
  await keeper.call(endMemberTokens, { memberId: member.id })
  expect([await statusOf(token), (await member.tryCall(sessions, {})).status]).toEqual([401, 200])
  expect(await seen()).toEqual([])
  expect((await keeper.tryCall(endMemberTokens, { memberId: member.id })).status).toBe(404)
  const { rows } = await chief.call(auditLog, { action: 'member.endTokens' })
  expect(rows[0]).toMatchObject({ action: 'member.endTokens', account: keeper.account, about: `member ${member.id}` })
})

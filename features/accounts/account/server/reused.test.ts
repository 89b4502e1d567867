import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { login, refreshToken, RefreshWrong, sessions } from '#account/contract.ts'
import { loginLog } from '#account/login-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { sessionOf } from '#base/testing/session.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { outbox } from '#delivery/server/outbox.ts'
import { memberView } from '#member/contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { notifyOfSignIns } from '#notification/server/sign-ins.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const emailOf = ({ id }: Person) => `reused${id}@example.org`

async function bound(): Promise<Person> {
  const member = await forum.member()
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: emailOf(member) }))
  // Skips the notification of the first login.
  await transact(forum.database, notifyOfSignIns)
  return member
}

/** The owner refreshes to a new pair; a thief comes too late with the pair before. */
async function stolen(member: Person) {
  const thief = Object.assign(forum.visitor({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0' }), {
    pair: member.pair,
  })
  const { accessToken, refreshToken: next } = await member.call(refreshToken, {})
  member.pair = { accessToken: accessToken ?? '', refreshToken: next ?? '' }
  await sql`update refresh_token set used_at = used_at - interval '11 seconds' where used_at is not null`.execute(forum.database.app)
  return thief
}

async function alertCounts(member: Person): Promise<{ notices: number; mails: number }> {
  for (let time = 0; time < 2; time++) await transact(forum.database, notifyOfSignIns)
  const back = forum.visitor()
  back.pair = sessionOf(await back.call(login, { account: member.account, password: member.password }))
  const { notices } = await back.call(systemNotifyList, {})
  await lastTo(forum, emailOf(member))
  const mails = outbox().filter(({ to, text }) => to === emailOf(member) && /used twice|再次/.test(text))
  return { notices: notices.filter(({ says }) => says.kind === 'sessionReused').length, mails: mails.length }
}

test('the owner of a session ended for a doubled token is notified, in the forum and by e-mail, once', async () => {
  const member = await bound()
  const thief = await stolen(member)
  for (let time = 0; time < 3; time++) expect(await thief.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
  expect((await member.tryCall(sessions, {})).status).toBe(401)
  expect(await member.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
  expect(await alertCounts(member)).toEqual({ notices: 1, mails: 1 })
})

test('their log says when and from where it was, as staff see it', async () => {
  const [chief, member] = [await aStaffer(forum), await bound()]
  const thief = await stolen(member)
  await thief.isRefused(refreshToken, {}, RefreshWrong)
  await thief.isRefused(refreshToken, {}, RefreshWrong)
  const back = forum.visitor()
  back.pair = sessionOf(await back.call(login, { account: member.account, password: member.password }))
  const { entries } = await back.call(loginLog, { kind: 'reused' })
  expect(entries).toMatchObject([{ kind: 'reused', ip: thief.ip, device: thief.userAgent }])
  const { logins } = await chief.call(memberView, { memberId: member.id, addresses: true })
  expect(logins?.filter(({ kind }) => kind === 'reused')).toHaveLength(1)
})

test('an answer that was lost, and is asked for again at once, sends no notice', async () => {
  const member = await bound()
  const first = await member.call(refreshToken, {})
  expect(await member.call(refreshToken, {})).toEqual(first)
  expect(await alertCounts(member)).toEqual({ notices: 0, mails: 0 })
})

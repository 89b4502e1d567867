import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { login, logout, refreshToken, sessions, endOtherSessions, endSession, changePassword, RefreshWrong } from '#account/contract.ts'
import { loginLog } from '#account/login-contract.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { Visitor } from '#base/testing/visitor.ts'

const forum = await aForum()

test('a new pair comes back for a refresh token, and the old access token is dead', async () => {
  const mei = await forum.member()
  const old = { ...mei.pair }
  const fresh = await mei.call(refreshToken, {})
  expect(fresh.systemUser?.userId).toBe(mei.id)
  expect(await statusWith(old.accessToken ?? '')).toBe(401)
  expect(await statusWith(fresh.accessToken ?? '')).toBe(200)
})

test('the same refresh token twice within ten seconds gives the same pair, for the answer may have been lost', async () => {
  const mei = await forum.member()
  const [one, other] = [await mei.call(refreshToken, {}), await mei.call(refreshToken, {})]
  expect(other).toEqual(one)
})

test('a program may write the scheme of the header as it likes', async () => {
  const { pair } = await forum.member()
  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    const headers = { authorization: `${scheme} ${pair?.accessToken}` }
    expect((await forum.app.inject({ url: '/api/user/control/sessions', headers })).statusCode).toBe(200)
  }
})

test('twenty refreshes at once make one chain, and no session ends', async () => {
  const mei = await forum.member()
  const answers = await Promise.all(Array.from({ length: 20 }, () => mei.call(refreshToken, {})))
  expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(1)
  expect(await statusWith(answers[0]?.accessToken ?? '')).toBe(200)
})

test('a refresh token used again after its successor was used ends the session for both holders', async () => {
  const mei = await forum.member()
  const stolen = mei.pair
  const second = await mei.call(refreshToken, {})
  mei.pair = pairOf(second)
  const third = await mei.call(refreshToken, {})
  mei.pair = stolen
  expect(await mei.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
  expect(await statusWith(third.accessToken ?? '')).toBe(401)
})

test('a refresh token used again after ten seconds ends the session', async () => {
  const mei = await forum.member()
  const fresh = await mei.call(refreshToken, {})
  await sql`update refresh_token set used_at = used_at - interval '11 seconds' where used_at is not null`.execute(forum.database.app)
  expect(await mei.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
  expect(await statusWith(fresh.accessToken ?? '')).toBe(401)
})

test('a refresh token from another device within the ten seconds ends the session', async () => {
  const mei = await forum.member()
  await mei.call(refreshToken, {})
  const thief = new Visitor(forum.app, { userAgent: 'another browser' })
  thief.pair = mei.pair
  expect(await thief.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
})

test.each([
  '',
  'Bearer',
  'Bearer x',
  'Bearer a,b,c',
  `Bearer ${'a'.repeat(43)}`,
  `Bearer ${'a'.repeat(43)},`,
  `bearer ${'a'.repeat(43)}`,
  `Bearer ${'字'.repeat(43)}`,
  `Bearer ${'a'.repeat(10_000)}`,
  'Basic eA==',
])('the header %j logs in no one and breaks nothing', async (authorization) => {
  const { statusCode } = await forum.app.inject({
    url: '/api/user/control/sessions',
    headers: { authorization: Buffer.from(authorization).toString('latin1') },
  })
  expect(statusCode).toBe(401)
})

test('an access token does not refresh, and a refresh token gives no access', async () => {
  const mei = await forum.member()
  const { accessToken, refreshToken: refresh } = mei.pair ?? { accessToken: '', refreshToken: '' }
  mei.pair = { accessToken: refresh, refreshToken: accessToken }
  expect((await mei.tryCall(sessions, {})).status).toBe(401)
  expect(await mei.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
})

test('without a refresh token none comes back, and an invalid one is refused', async () => {
  const none = { accessToken: null, refreshToken: null, systemUser: null }
  expect(await forum.visitor().call(refreshToken, {})).toEqual(none)
  const mei = await forum.member()
  const headers = (authorization: string) => mei.tryCall(refreshToken, {}, { authorization })
  expect(await headers(`Bearer ${mei.pair?.accessToken}`)).toMatchObject({ status: 200, body: none })
  for (const wrong of [`Bearer ${mei.pair?.accessToken},`, 'Bearer old,', 'Basic eA=='])
    expect((await headers(wrong)).body, wrong).toEqual(none)
  for (const wrong of ['Bearer old,older', `Bearer ${'a'.repeat(43)},${'b'.repeat(43)}`])
    expect((await headers(wrong)).status, wrong).toBe(401)
})

test('logging out ends the session at once', async () => {
  const mei = await forum.member()
  await mei.call(logout, {})
  expect((await mei.tryCall(sessions, {})).status).toBe(401)
  expect(await mei.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
})

test('a logout with any refresh token of a session, or the hash of one, ends the session', async () => {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
  for (const encode of [(token: string) => token, hashOf]) {
    const mei = await forum.member()
    const phone = await elsewhere(mei)
    const first = mei.pair?.refreshToken ?? ''
    mei.pair = (await mei.call(refreshToken, {})) as typeof mei.pair
    const access = mei.pair?.accessToken ?? ''
    for (const other of [access, hashOf(access), 'x'.repeat(43)]) await forum.visitor().call(logout, { token: other })
    expect((await mei.tryCall(sessions, {})).status).toBe(200)
    await forum.visitor().call(logout, { token: encode(first) })
    expect((await mei.tryCall(sessions, {})).status).toBe(401)
    expect((await phone.tryCall(sessions, {})).status).toBe(200)
    await forum.visitor().call(logout, { token: encode(first) })
  }
})

test('the hash of a token gives no access, and a logout without a token ends nothing', async () => {
  const mei = await forum.member()
  const hashOf = (token = '') => createHash('sha256').update(token).digest('base64url')
  mei.pair = { accessToken: hashOf(mei.pair?.accessToken), refreshToken: hashOf(mei.pair?.refreshToken) }
  expect((await mei.tryCall(sessions, {})).status).toBe(401)
  expect(await mei.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
  expect((await forum.visitor().tryCall(logout, {})).status).toBe(401)
})

test('a deactivated member is out with the next request', async () => {
  const mei = await forum.member()
  await forum.database.app
    .updateTable('member')
    .set({ deactivated_at: new Date(), deactivated_as: 'cancelled' })
    .where('id', '=', mei.id)
    .execute()
  expect((await mei.tryCall(sessions, {})).status).toBe(401)
  expect(await mei.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
})

test('a member ends another of their own devices, and none of others', async () => {
  const mei = await forum.member()
  const phone = await elsewhere(mei)
  const list = (await mei.call(sessions, {})).sessions
  expect(list.map((one) => one.isThis)).toEqual([true, false])
  const other = await forum.member()
  expect((await other.tryCall(endSession, { sessionId: list[1]?.id ?? '' })).status).toBe(404)
  await mei.call(endSession, { sessionId: list[1]?.id ?? '' })
  expect((await phone.tryCall(sessions, {})).status).toBe(401)
  expect((await mei.tryCall(sessions, {})).status).toBe(200)
})

test('a member ends all other devices at once, and looks at one kind of the log alone', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const [phone, tablet, other] = [await elsewhere(mei), await elsewhere(mei), await elsewhere(tom)]
  await mei.call(refreshToken, {})
  mei.pair = (await mei.call(refreshToken, {})) as typeof mei.pair
  const kinds = async (kind?: 'login' | 'renewal') => (await phone.call(loginLog, { kind })).entries.map((entry) => entry.kind)
  const { entries } = await phone.call(loginLog, { kind: 'renewal' })
  expect(new Set(entries.map(({ device }) => device))).toEqual(new Set([(await mei.call(sessions, {})).sessions[0]?.device]))
  expect((await phone.call(loginLog, { kind: 'login' })).entries.every(({ device }) => device !== null)).toBe(true)
  expect(await kinds('login')).toEqual(['login', 'login', 'login'])
  expect(new Set(await kinds('renewal'))).toEqual(new Set(['renewal']))
  expect((await kinds()).length).toBe((await kinds('login')).length + (await kinds('renewal')).length)
  await mei.call(endOtherSessions, {})
  for (const ended of [phone, tablet]) expect((await ended.tryCall(sessions, {})).status).toBe(401)
  expect((await mei.call(sessions, {})).sessions).toMatchObject([{ isThis: true }])
  expect((await other.tryCall(sessions, {})).status).toBe(200)
  expect((await forum.visitor().tryCall(endOtherSessions, {})).status).toBe(401)
})

test('a new password ends every other session and keeps this one', async () => {
  const mei = await forum.member()
  const phone = await elsewhere(mei)
  await mei.call(changePassword, { oldPassword: mei.password, password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' })
  expect((await phone.tryCall(sessions, {})).status).toBe(401)
  expect((await mei.tryCall(sessions, {})).status).toBe(200)
})

test('no token is stored as it is', async () => {
  const mei = await forum.member()
  await mei.call(refreshToken, {})
  const { rows } = await sql<{ dump: string }>`
    select (select coalesce(json_agg(t)::text, '') from access_token t) || (select coalesce(json_agg(t)::text, '') from refresh_token t)
      || (select coalesce(json_agg(t)::text, '') from idempotency_key t) as dump`.execute(forum.database.app)
  expect(rows[0]?.dump).not.toContain(mei.pair?.accessToken)
  expect(rows[0]?.dump).not.toContain(mei.pair?.refreshToken)
})

async function elsewhere(member: Person): Promise<Visitor> {
  const phone = new Visitor(forum.app, { userAgent: 'a phone' })
  phone.pair = pairOf(sessionOf(await phone.call(login, { account: member.account, password: member.password })))
  return phone
}

function pairOf(answer: { accessToken: string | null; refreshToken: string | null }) {
  return { accessToken: answer.accessToken ?? '', refreshToken: answer.refreshToken ?? '' }
}

async function statusWith(accessToken: string): Promise<number> {
  const visitor = new Visitor(forum.app)
  visitor.pair = { accessToken, refreshToken: 'x'.repeat(43) }
  return (await visitor.tryCall(sessions, {})).status
}

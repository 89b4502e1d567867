import { beforeAll, describe, expect, test } from 'vitest'
import { login, sessions } from '#account/contract.ts'
import { auditLog } from '#audit/contract.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#member/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { transact } from '#base/server/database.ts'
import { me } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { editProfile, home, NicknameTaken } from '#user/contract.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const seen = async (memberId: string, addresses = false) => chief.call(contract.memberView, { memberId, addresses })
const named = async (name: string) => (await chief.call(contract.memberList, { name })).rows.map((row) => row.account)

describe('the list of members', () => {
  test('finds by how account or nickname begins, in any case, and by state, role, address and dates', async () => {
    const [mei, lin] = [await forum.member('meihua_1'), await forum.member('linyu_2')]
    await mei.call(editProfile, { nickname: '山上的梅', showsActivity: true })
    expect(await named('MEIHUA')).toEqual(['meihua_1'])
    expect(await named('山上')).toEqual(['meihua_1'])
    expect(await named('%')).toEqual([])
    await chief.call(contract.disableMember, { memberId: lin.id, reason: 'spam' })
    const states = async (state: 'active' | 'disabled') => (await chief.call(contract.memberList, { state })).rows.map((row) => row.account)
    expect(await states('disabled')).toEqual(['linyu_2'])
    expect(await states('active')).not.toContain('linyu_2')
    expect((await chief.call(contract.memberList, { ip: mei.ip })).rows.map((row) => row.id)).toEqual([mei.id])
    expect((await chief.call(contract.memberList, { ip: '10.0.0.0/8' })).rows.length).toBeGreaterThan(1)
    expect((await chief.call(contract.memberList, { ip: '2001:db8::/32' })).rows).toEqual([])
    expect((await chief.tries(contract.memberList, { ip: '10.0.0.0/99' })).status).toBe(400)
    expect((await chief.call(contract.memberList, { joinedUntil: '2020-01-01T00:00:00Z' })).rows).toEqual([])
    const { roleChoices } = await seen(mei.id)
    const roleId = roleChoices[0]?.id ?? ''
    await chief.call(contract.setMemberRoles, { memberId: mei.id, roles: [{ roleId, endsAt: null }] })
    expect((await chief.call(contract.memberList, { roleId })).rows.map((row) => row.account)).toContain('meihua_1')
  })

  test.each(['joined', 'seen', 'posts'] as const)('is sorted by %s, forth and back', async (sort) => {
    const page = async (order: 'asc' | 'desc') => (await chief.call(contract.memberList, { sort, order })).rows.map((row) => row.id)
    expect(await page('asc')).toEqual((await page('desc')).toReversed())
  })
})

describe('a member’s page', () => {
  test('tells roles, sessions, logins, bans, notes and who else signed up from there', async () => {
    const mei = await forum.member()
    const other = Object.assign(forum.visitor(), { ip: mei.ip })
    await forum.database.app.updateTable('member').set({ joined_ip: mei.ip }).where('account', '=', 'linyu_2').execute()
    await chief.call(contract.addNote, { memberId: mei.id, text: 'Wrote to us by post.' })
    const view = await seen(mei.id, true)
    expect(view).toMatchObject({ account: mei.account, state: 'active', joinedIp: other.ip, hasHint: true })
    expect([view.sessions.length, view.logins.length]).toEqual([1, 1])
    expect(view.notes).toMatchObject([{ by: chief.account, text: 'Wrote to us by post.' }])
    expect(view.neighbours.map((one) => one.account)).toEqual(['linyu_2'])
    expect((await chief.call(contract.memberLogins, { memberId: mei.id })).rows).toHaveLength(1)
    expect((await chief.tries(contract.memberView, { memberId: '999999' })).status).toBe(404)
  })
})

describe('changing a member', () => {
  test('adds one with a password that is told once', async () => {
    const { memberId, password } = await chief.call(contract.addMember, { account: 'by_hand' })
    expect((await forum.visitor().call(login, { account: 'by_hand', password })).systemUser.userId).toBe(memberId)
    expect((await chief.tries(contract.addMember, { account: 'By_Hand' })).error).toHaveProperty('account')
  })

  test('overwrites nothing that another changed meanwhile, and says who it was', async () => {
    const mei = await forum.member()
    const { version } = await seen(mei.id)
    const memberId = mei.id
    await chief.call(contract.editMember, { memberId, version, nickname: '先来' })
    const late = await chief.tries(contract.editMember, { memberId, version, nickname: '后到' })
    expect([late.status, late.error['version']]).toEqual([409, expect.stringContaining(chief.account)])
    await mei.call(editProfile, { nickname: '自己', showsActivity: true })
    expect((await chief.tries(contract.editMember, { memberId, version: version + 1, nickname: '后到' })).status).toBe(409)
    const taken = { memberId, version: version + 2, nickname: '山上的梅' }
    expect(await chief.isRefused(contract.editMember, taken, NicknameTaken)).toBe(true)
  })

  test('a new password ends the old sessions; a hint question goes with its answer', async () => {
    const mei = await forum.member()
    const { password } = await chief.call(contract.resetMemberPassword, { memberId: mei.id, reason: 'asked at the counter' })
    expect((await mei.tries(sessions, {})).status).toBe(401)
    await forum.visitor().call(login, { account: mei.account, password })
    await chief.call(contract.resetMemberHint, { memberId: mei.id, reason: 'forgot it' })
    expect((await seen(mei.id)).hasHint).toBe(false)
    const { rows } = await chief.call(auditLog, { about: `member ${mei.id}` })
    expect(rows.map((row) => row.deed)).toEqual(['member.resetHint', 'member.resetPassword'])
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  test('roles are held until they end, and a change keeps those that stay', async () => {
    const mei = await forum.member()
    const roleId = (await seen(mei.id)).roleChoices[0]?.id ?? ''
    const soon = new Date(Date.now() + 1_500).toISOString()
    const give = (roles: { roleId: string; endsAt: string | null }[]) => chief.tries(contract.setMemberRoles, { memberId: mei.id, roles })
    const over = await give([{ roleId, endsAt: '2020-01-01T00:00:00Z' }])
    expect(over.error).toEqual({ [`roles_${roleId}`]: expect.stringContaining('still to come') })
    expect((await give([{ roleId: '999', endsAt: null }])).status).toBe(404)
    await give([{ roleId, endsAt: null }])
    await give([{ roleId, endsAt: soon }])
    await give([{ roleId, endsAt: soon }])
    expect((await seen(mei.id)).heldRoles).toMatchObject([{ id: roleId, endsAt: soon }])
    await give([])
    expect((await seen(mei.id)).heldRoles).toEqual([])
  })

  test('sessions end one by one or all at once', async () => {
    const mei = await forum.member()
    await forum.visitor().call(login, { account: mei.account, password: mei.password })
    const [one] = (await seen(mei.id, true)).sessions
    await chief.call(contract.endMemberSessions, { memberId: mei.id, sessionId: one?.id })
    expect((await seen(mei.id, true)).sessions).toHaveLength(1)
    await chief.call(contract.endMemberSessions, { memberId: mei.id })
    expect((await mei.tries(sessions, {})).status).toBe(401)
  })
})

test('a file of the list of members is noted with what was asked', async () => {
  await chief.call(contract.noteExport, { rows: 12, asked: '?state=banned' })
  const { rows } = await chief.call(auditLog, { deed: 'member.export' })
  expect(rows).toMatchObject([{ account: chief.account, after: { rows: 12, asked: '?state=banned' } }])
})

test('who reads the addresses of a member, or looks for who came from one, is noted once in an hour', async () => {
  const other = await aStaffer(forum, ['member.view'])
  const mei = await forum.member()
  const noted = async (about: string) => {
    const { rows } = await chief.call(auditLog, { about, account: other.account })
    return rows.map(({ deed }) => deed)
  }
  expect(await other.call(contract.memberView, { memberId: mei.id })).toMatchObject({ sessions: [], logins: [], joinedIp: null })
  expect(await noted(`member ${mei.id}`)).toEqual([])
  const { sessions: open } = await other.call(contract.memberView, { memberId: mei.id, addresses: true })
  expect(open).toHaveLength(1)
  await other.call(contract.memberView, { memberId: mei.id, addresses: true })
  await other.call(contract.memberLogins, { memberId: mei.id })
  expect(await noted(`member ${mei.id}`)).toEqual(['address.read'])
  await other.call(contract.memberList, { ip: '10.9.8.7' })
  await other.call(contract.memberList, { ip: '10.9.8.7', sort: 'posts' })
  expect(await noted('address 10.9.8.7')).toEqual(['address.find'])
})

describe('how a member stands', () => {
  test('kept out, they cannot come in, and their page says so; let in, they can', async () => {
    const mei = await forum.member()
    await chief.call(contract.disableMember, { memberId: mei.id, reason: 'quarrel' })
    expect((await mei.tries(sessions, {})).status).toBe(401)
    expect((await forum.visitor().tries(login, { account: mei.account, password: mei.password })).status).toBe(422)
    expect(await forum.visitor().call(home, { userId: mei.id })).toMatchObject({ isDisabled: true, user: { isDeactivated: false } })
    expect((await chief.tries(contract.disableMember, { memberId: mei.id, reason: 'again' })).status).toBe(422)
    await chief.call(contract.enableMember, { memberId: mei.id })
    await forum.visitor().call(login, { account: mei.account, password: mei.password })
    expect((await chief.tries(contract.enableMember, { memberId: mei.id })).status).toBe(422)
  })

  test('a name is held after its owner left, or given free where the site says so, and comes back with them if it can', async () => {
    const [held, freed] = [await forum.member('held_name'), await forum.member('freed_name')]
    await chief.call(contract.cancelMember, { memberId: held.id, reason: 'asked to' })
    expect((await chief.tries(contract.addMember, { account: 'held_name' })).error).toHaveProperty('account')
    await transact(forum.database, (tx) => setting.change(tx, 'freesNames', true, 'test'))
    await chief.call(contract.cancelMember, { memberId: freed.id, reason: 'asked to' })
    expect((await forum.visitor().call(home, { userId: freed.id })).user).toMatchObject({ name: `~${freed.id}`, isDeactivated: true })
    const { memberId } = await chief.call(contract.addMember, { account: 'freed_name' })
    expect((await chief.tries(contract.restoreMember, { memberId: freed.id })).error).toHaveProperty('account')
    await chief.call(contract.cancelMember, { memberId, reason: 'a mistake' })
    await chief.call(contract.restoreMember, { memberId: freed.id })
    expect(await seen(freed.id)).toMatchObject({ account: 'freed_name', state: 'active', freed: null })
  })

  test('whom staff speak as is managed with the staff', async () => {
    const { memberId } = await chief.call(me, {})
    const tries = [
      chief.tries(contract.disableMember, { memberId, reason: 'x' }),
      chief.tries(contract.resetMemberPassword, { memberId, reason: 'x' }),
      chief.tries(contract.cancelMember, { memberId, reason: 'x' }),
      chief.tries(contract.banMember, { memberId, from: ['topic'], reason: 'x' }),
      chief.tries(contract.endMemberSessions, { memberId }),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { sessionOf } from '#base/testing/session.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { AccountDisabled, login, sessions, WrongLogin } from '#account/contract.ts'
import { auditLog } from '#audit/contract.ts'
import { maxWithoutReauth, NoneMatch } from '#base/list.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { batches, batchesAtWork, batchLeft, undoBatch } from '#batch/contract.ts'
import { resume, step } from '#batch/server/batch.ts'
import * as contract from '#member/contract.ts'
import * as many from '#member/many-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import type { Right } from '#role/all-rights.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { addRole } from '#role/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { transact } from '#base/server/database/database.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { editProfile, home, NicknameTaken } from '#user/contract.ts'

type Rights = readonly Right[]

let forum: Forum
let chief: Staffer

const open = async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
}
beforeAll(open)

const seen = async (memberId: string, addresses = false) => chief.call(contract.memberView, { memberId, addresses })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const named = async (name: string) => (await chief.call(contract.memberList, { name })).rows.map((row) => row.account)

describe('the list of members', () => {
  beforeAll(open)

  test('finds by any part of account or nickname, in any case, and by state, role, address and dates', async () => {
    const [mei, lin] = [await forum.member('meihua_1'), await forum.member('linyu_2')]
    await mei.call(editProfile, { nickname: '山上的梅', showsActivity: true })
    expect(await named('MEIHUA')).toEqual(['meihua_1'])
    for (const part of ['山上', '的梅', '梅', 'ihua_', 'A_1']) expect(await named(part)).toEqual(['meihua_1'])
    for (const none of ['梅的', '上山', '1 山']) expect(await named(none)).toEqual([])
    const { rows } = await chief.call(contract.memberList, { name: 'hua', names: 'beginning' })
    expect(rows).toEqual([])
    expect(await named('%')).toEqual([])
    await chief.call(contract.disableMember, { memberId: lin.id, reason: 'spam' })
    const states = async (state: 'active' | 'disabled') => (await chief.call(contract.memberList, { state })).rows.map((row) => row.account)
    expect(await states('disabled')).toEqual(['linyu_2'])
    expect(await states('active')).not.toContain('linyu_2')
    expect((await chief.call(contract.memberList, { ip: mei.ip })).rows.map((row) => row.id)).toEqual([mei.id])
    expect((await chief.call(contract.memberList, { ip: '10.0.0.0/8' })).rows.length).toBeGreaterThan(1)
    expect((await chief.call(contract.memberList, { ip: '2001:db8::/32' })).rows).toEqual([])
    expect((await chief.tryCall(contract.memberList, { ip: '10.0.0.0/99' })).status).toBe(400)
    expect((await chief.call(contract.memberList, { joinedUntil: '2020-01-01T00:00:00Z' })).rows).toEqual([])
    const { roleChoices } = await seen(mei.id)
    const roleId = roleChoices[0]?.id ?? ''
    await chief.call(contract.setMemberRoles, { memberId: mei.id, roles: [{ roleId, endsAt: null }] })
    expect((await chief.call(contract.memberList, { roleId })).rows.map((row) => row.account)).toContain('meihua_1')
  })

  test.each(['joined', 'seen', 'posts'] as const)('is sorted by %s, forth and back', async (sort) => {
    const name = `by_${sort}_`
    for (const one of [1, 2, 3]) await forum.member(`${name}${one}`)
    const page = async (order: 'asc' | 'desc') => (await chief.call(contract.memberList, { name, sort, order })).rows.map((row) => row.id)
    expect(await page('asc')).toHaveLength(3)
    expect(await page('asc')).toEqual((await page('desc')).toReversed())
  })
})

describe('a member’s page', () => {
  test('shows roles, sessions, logins, bans, notes and other members from the same address', async () => {
    const [mei, neighbour] = [await forum.member(), await forum.member()]
    const other = Object.assign(forum.visitor(), { ip: mei.ip })
    await forum.database.app.updateTable('member').set({ joined_ip: mei.ip }).where('id', '=', neighbour.id).execute()
    await chief.call(contract.addNote, { memberId: mei.id, text: 'Wrote to us by post.' })
    const view = await seen(mei.id, true)
    expect(view).toMatchObject({ account: mei.account, state: 'active', joinedIp: other.ip, hasHint: true })
    expect([view.sessions.length, view.logins.length]).toEqual([1, 1])
    expect(view.notes).toMatchObject([{ by: chief.account, text: 'Wrote to us by post.' }])
    expect(view.neighbours.map((one) => one.account)).toEqual([neighbour.account])
    expect((await chief.call(contract.memberLogins, { memberId: mei.id })).rows).toHaveLength(1)
    expect((await chief.tryCall(contract.memberView, { memberId: '999999' })).status).toBe(404)
  })
})

describe('changing a member', () => {
  test('adds one with a password that is shown once', async () => {
    const { memberId, password } = await chief.call(contract.addMember, { account: 'by_hand' })
    expect(sessionOf(await forum.visitor().call(login, { account: 'by_hand', password })).systemUser.userId).toBe(memberId)
    expect((await chief.tryCall(contract.addMember, { account: 'By_Hand' })).error).toHaveProperty('account')
  })

  test('does not overwrite another’s change, and names its author', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    await lin.call(editProfile, { nickname: '湖边的林', showsActivity: true })
    const { version } = await seen(mei.id)
    const memberId = mei.id
    await chief.call(contract.editMember, { memberId, version, nickname: '先来' })
    const late = await chief.tryCall(contract.editMember, { memberId, version, nickname: '后到' })
    expect([late.status, late.error['version']]).toEqual([409, expect.stringContaining(chief.account)])
    await mei.call(editProfile, { nickname: '自己', showsActivity: true })
    expect((await chief.tryCall(contract.editMember, { memberId, version: version + 1, nickname: '后到' })).status).toBe(409)
    const input = { memberId, version: version + 2, nickname: '湖边的林' }
    expect(await chief.isRefused(contract.editMember, input, NicknameTaken)).toBe(true)
  })

  test('a new password ends the old sessions; a hint question goes with its answer', async () => {
    const mei = await forum.member()
    const { password } = await chief.call(contract.resetMemberPassword, { memberId: mei.id, reason: 'asked at the counter' })
    expect((await mei.tryCall(sessions, {})).status).toBe(401)
    await forum.visitor().call(login, { account: mei.account, password })
    await chief.call(contract.resetMemberHint, { memberId: mei.id, reason: 'forgot it' })
    expect((await seen(mei.id)).hasHint).toBe(false)
    const { rows } = await chief.call(auditLog, { about: `member ${mei.id}` })
    expect(rows.map((row) => row.action)).toEqual(['member.resetHint', 'member.resetPassword'])
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  test('roles are held until they end, and a change keeps those that stay', async () => {
    const mei = await forum.member()
    const roleId = (await seen(mei.id)).roleChoices[0]?.id ?? ''
    const soon = inHours(1)
    const give = (roles: { roleId: string; endsAt: string | null }[]) => chief.tryCall(contract.setMemberRoles, { memberId: mei.id, roles })
    const over = await give([{ roleId, endsAt: '2020-01-01T00:00:00Z' }])
    expect(over.error).toEqual({ [`roles_${roleId}`]: expect.stringContaining('in the future') })
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
    expect((await mei.tryCall(sessions, {})).status).toBe(401)
  })
})

test('a download of the list of members is logged with its filter', async () => {
  await chief.call(contract.noteExport, { rows: 12, asked: '?state=banned' })
  const { rows } = await chief.call(auditLog, { action: 'member.export' })
  expect(rows).toMatchObject([{ account: chief.account, after: { rows: 12, asked: '?state=banned' } }])
})

test('reading the addresses of a member, or a search by address, is logged once an hour', async () => {
  const other = await aStaffer(forum, ['member.view'])
  const mei = await forum.member()
  const noted = async (about: string) => {
    const { rows } = await chief.call(auditLog, { about, account: other.account })
    return rows.map(({ action }) => action)
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

describe('the state of a member', () => {
  test('a disabled member cannot log in, and their page says so; an enabled one can', async () => {
    const mei = await forum.member()
    await chief.call(contract.disableMember, { memberId: mei.id, reason: 'quarrel' })
    expect((await mei.tryCall(sessions, {})).status).toBe(401)
    expect(await forum.visitor().isRefused(login, { account: mei.account, password: mei.password }, AccountDisabled)).toBe(true)
    expect(await forum.visitor().isRefused(login, { account: mei.account, password: 'another-one' }, WrongLogin)).toBe(true)
    expect(await forum.visitor().call(home, { userId: mei.id })).toMatchObject({ isDisabled: true, user: { isDeactivated: false } })
    expect((await chief.tryCall(contract.disableMember, { memberId: mei.id, reason: 'again' })).status).toBe(422)
    await chief.call(contract.enableMember, { memberId: mei.id })
    await forum.visitor().call(login, { account: mei.account, password: mei.password })
    expect((await chief.tryCall(contract.enableMember, { memberId: mei.id })).status).toBe(422)
  })

  test('a name is reserved after its owner left, or freed by a setting, and comes back with them if it can', async () => {
    const [holder, freed] = [await forum.member('held_name'), await forum.member('freed_name')]
    await chief.call(contract.cancelMember, { memberId: holder.id, reason: 'asked to' })
    expect((await chief.tryCall(contract.addMember, { account: 'held_name' })).error).toHaveProperty('account')
    await transact(forum.database, (tx) => setting.change(tx, 'releaseDeletedNames', true, 'test'))
    await chief.call(contract.cancelMember, { memberId: freed.id, reason: 'asked to' })
    expect((await forum.visitor().call(home, { userId: freed.id })).user).toMatchObject({ name: `~${freed.id}`, isDeactivated: true })
    const { memberId } = await chief.call(contract.addMember, { account: 'freed_name' })
    expect((await chief.tryCall(contract.restoreMember, { memberId: freed.id }, newIdempotencyKey())).error).toHaveProperty('account')
    await chief.call(contract.cancelMember, { memberId, reason: 'a mistake' })
    await chief.call(contract.restoreMember, { memberId: freed.id }, newIdempotencyKey())
    expect(await seen(freed.id)).toMatchObject({ account: 'freed_name', state: 'active', freed: null })
  })

  test('an official member is managed with the staff', async () => {
    const { memberId } = await chief.call(me, {})
    const tries = [
      chief.tryCall(contract.disableMember, { memberId, reason: 'x' }),
      chief.tryCall(contract.resetMemberPassword, { memberId, reason: 'x' }),
      chief.tryCall(contract.cancelMember, { memberId, reason: 'x' }),
      chief.tryCall(contract.banMember, { memberId, from: ['topic'], reason: 'x' }),
      chief.tryCall(contract.endMemberSessions, { memberId }),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
  })
})

const byName = (name: string) => ({ all: { name } })
const undo = (batchId: string) => chief.call(undoBatch, { batchId })
const stateOf = async (memberId: string) => (await seen(memberId)).state
const aRole = async (name: string, rights: Rights = []) =>
  (await chief.call(addRole, { zh: name, en: name, rights: rights.map((right) => ({ right, tagId: null })) })).roleId
const heldBy = async (memberId: string) => (await seen(memberId)).heldRoles.map(({ id, endsAt }) => [id, endsAt])
const noted = async (action: string, ids: readonly string[]) => {
  const rows = await forum.database.app.selectFrom('audit_log').select('about').where('action', '=', action).orderBy('id').execute()
  return rows.filter(({ about }) => ids.some((id) => about === `member ${id}`)).length
}

describe('many members at once', () => {
  test('get a role until a time, except for holders for longer and official members, who are named; the undo restores all', async () => {
    const [mei, lin, tom] = [await forum.member(), await forum.member(), await forum.member()]
    const [roleId, other] = [await aRole('Host'), await aRole('Guest')]
    const { id: official } = await forum.database.app
      .selectFrom('member')
      .select('id')
      .where('account', '=', chief.account)
      .executeTakeFirstOrThrow()
    const [soon, later] = [inHours(1), inHours(24)]
    await chief.call(contract.setMemberRoles, { memberId: mei.id, roles: [{ roleId: other, endsAt: null }] })
    await chief.call(contract.setMemberRoles, { memberId: lin.id, roles: [{ roleId, endsAt: null }] })
    await chief.call(contract.setMemberRoles, { memberId: tom.id, roles: [{ roleId, endsAt: soon }] })
    const ids = [mei.id, lin.id, tom.id, official]
    const { batch, faults } = await chief.call(many.giveRoleToMany, { ids, roleId, endsAt: later })
    expect(batch).toMatchObject({ state: 'done', done: 2, faults: 2, canUndo: true })
    expect(faults.map(({ name, why }) => [name, why])).toEqual(
      expect.arrayContaining([
        [lin.account, 'They already have this role, and for longer.'],
        [chief.account, expect.stringContaining('official account')],
      ]),
    )
    expect(await heldBy(mei.id)).toEqual(
      expect.arrayContaining([
        [other, null],
        [roleId, later],
      ]),
    )
    expect([await heldBy(tom.id), await noted('member.giveRole', ids)]).toEqual([[[roleId, later]], 2])
    expect((await chief.call(auditLog, { about: `member ${mei.id}` })).rows[0]).toMatchObject({
      action: 'member.giveRole',
      called: { en: mei.account },
      after: { roleId, held: later },
    })
    await undo(batch.id)
    expect([await heldBy(mei.id), await heldBy(tom.id), await heldBy(lin.id)]).toEqual([
      [[other, null]],
      [[roleId, soon]],
      [[roleId, null]],
    ])

    const result = await chief.call(many.takeRoleFromMany, { ids, roleId })
    expect(result.batch).toMatchObject({ done: 2, faults: 2 })
    expect(await heldBy(lin.id)).toEqual([])
    await undo(result.batch.id)
    expect(await heldBy(lin.id)).toEqual([[roleId, null]])
    const all = { roleId, name: lin.account }
    const { filter } = (await chief.call(many.takeRoleFromMany, { all, roleId })).batch
    expect(filter).toEqual(expect.arrayContaining([{ name: 'roleId', value: roleId, called: { zh: 'Host', en: 'Host' } }]))
  })

  test('get or lose no role with more rights than the actor has, in a batch or by a longer time', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    const roleId = await aRole('Keeper of order', ['content.edit.any'])
    const [soon, later] = [inHours(1), inHours(24)]
    await chief.call(contract.setMemberRoles, { memberId: lin.id, roles: [{ roleId, endsAt: soon }] })
    const helper = await aStaffer(forum, ['role.manage'])
    for (const call of [many.giveRoleToMany, many.takeRoleFromMany]) {
      const { batch, faults } = await helper.call(call, { ids: [mei.id, lin.id], roleId })
      expect([batch.done, faults.length]).toEqual([0, 2])
    }
    const roles = [{ roleId, endsAt: later }]
    expect(await helper.isRefused(contract.setMemberRoles, { memberId: lin.id, roles }, MoreThanOwn)).toBe(true)
    expect([await heldBy(mei.id), await heldBy(lin.id)]).toEqual([[], [[roleId, soon]]])
  })

  test('are not for staff without the right, nor without the password', async () => {
    const mei = await forum.member()
    const helper = await aStaffer(forum, ['member.view', 'member.ban'])
    expect((await helper.tryCall(many.giveRoleToMany, { ids: [mei.id], roleId: '1' })).status).toBe(403)
    await forum.database.app
      .updateTable('staff_session')
      .set({ proved_at: new Date(0) })
      .where('staff_id', '=', helper.id)
      .execute()
    expect((await helper.tryCall(many.disableMany, { ids: [mei.id], reason: 'spam' })).status).toBe(428)
    expect((await chief.tryCall(many.disableMany, { reason: 'spam' })).status).toBe(400)
    expect((await chief.tryCall(many.disableMany, { all: { nickname: 'x' }, reason: 'spam' })).status).toBe(422)
    expect(await chief.isRefused(many.disableMany, { ...byName('nobody-here'), reason: 'spam' }, NoneMatch)).toBe(true)
    expect(await stateOf(mei.id)).toBe('active')
  })
})

describe('an action on many members', () => {
  test('is a ban with a notice to each; the undo resumes earlier bans', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    await chief.call(contract.banMember, { memberId: lin.id, from: ['topic'], reason: 'First' })
    const ask = { ids: [mei.id, lin.id], from: ['topic' as const, 'report' as const], reason: 'Both' }
    expect(await chief.isRefused(many.banMany, { ...ask, endsAt: '2020-01-01T00:00:00Z' }, contract.EndsTooSoon)).toBe(true)
    const { batch } = await chief.call(many.banMany, ask)
    const running = async (memberId: string) =>
      (await seen(memberId)).bans
        .filter(({ isRunning }) => isRunning)
        .map(({ from, reason }) => `${from} ${reason}`)
        .toSorted()
    for (const who of [mei, lin]) {
      expect(await running(who.id)).toEqual(['report Both', 'topic Both'])
      expect((await noticesOf(who)).map(({ says }) => says.kind)[0]).toBe('banned')
    }
    await undo(batch.id)
    expect([await running(mei.id), await running(lin.id)]).toEqual([[], ['topic First']])
  })

  test('is applied to all that match, in steps; it resumes after a crash, and the undo skips members enabled since', async () => {
    const ids = await manyMembers('crowd', maxWithoutReauth + 7)
    const { batch } = await chief.call(many.disableMany, { ...byName('crowd_'), reason: 'A flood' })
    expect(batch).toMatchObject({ kind: 'member', state: 'doing', total: maxWithoutReauth + 7, done: 0 })
    expect(batch.filter).toEqual([{ name: 'name', value: 'crowd_', called: null }])
    const { rows } = await chief.call(contract.memberList, { batchId: batch.id, size: 100 })
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.toSorted())
    const dies = transact(forum.database, async (tx) => {
      await step(tx, batch.id)
      throw new Error('The process died')
    })
    await expect(dies).rejects.toThrow('died')
    await Promise.all([resume(forum.database), resume(forum.database)])
    expect((await chief.call(batchesAtWork, { kind: 'member' })).batches[0]).toMatchObject({
      id: batch.id,
      state: 'done',
      done: maxWithoutReauth + 7,
    })
    expect(await noted('member.disable', ids)).toBe(maxWithoutReauth + 7)
    const [first = '', second = '', third = ''] = ids
    await chief.call(contract.enableMember, { memberId: first })
    await chief.call(contract.enableMember, { memberId: second })
    await chief.call(contract.disableMember, { memberId: second, reason: 'By hand' })
    await undo(batch.id)
    await resume(forum.database)
    expect([await stateOf(first), await stateOf(second), await stateOf(third)]).toEqual(['active', 'disabled', 'active'])
    const { left } = await chief.call(batchLeft, { batchId: batch.id })
    expect(left.map(({ name }) => name)).toEqual(['crowd_1', 'crowd_2'])
    const again = await chief.call(many.enableMany, { ids: [first, second] })
    expect([again.batch.done, await stateOf(second)]).toEqual([1, 'active'])
    await undo(again.batch.id)
    expect((await seen(second)).deactivated).toMatchObject({ because: 'By hand' })
  })

  test('stops when its author loses the right', async () => {
    const ids = await manyMembers('throng', maxWithoutReauth + 1)
    const helper = await aStaffer(forum, ['member.view', 'member.ban'])
    const { batch } = await helper.call(many.disableMany, { ids, reason: 'Too many' })
    await transact(forum.database, (tx) => step(tx, batch.id))
    await forum.database.app.deleteFrom('staff_role_holding').where('staff_id', '=', helper.id).execute()
    await resume(forum.database)
    const { rows } = await chief.call(batches, { kind: 'member' })
    expect(rows[0]).toMatchObject({ id: batch.id, state: 'stopped', whyStopped: 'right', done: maxWithoutReauth })
    expect((await helper.call(batches, {})).rows).toEqual([])
  })

  test('is a logout, which cannot be undone; a batch of one kind is hidden from staff with access to another', async () => {
    const [mei, lin] = [await forum.member(), await forum.member()]
    const { batch } = await chief.call(many.endSessionsOfMany, { ids: [mei.id, lin.id] })
    expect(batch).toMatchObject({ done: 2, canUndo: false, isFinal: true })
    expect((await mei.tryCall(sessions, {})).status).toBe(401)
    expect((await chief.tryCall(undoBatch, { batchId: batch.id })).status).toBe(404)
    expect((await chief.call(many.endSessionsOfMany, { ids: [mei.id] })).faults).toMatchObject([{ name: mei.account }])
    const editor = await aStaffer(forum, ['content.view'])
    expect((await editor.tryCall(batchLeft, { batchId: batch.id })).status).toBe(404)
    expect((await editor.call(batches, {})).rows.filter(({ kind }) => kind === 'member')).toEqual([])
  })
})

async function manyMembers(name: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, place) => `${name}_${place + 1}`)
  const members = await forum.database.app
    .insertInto('member')
    .values(rows.map((account) => ({ account, account_key: account, password_hash: '' })))
    .returning('id')
    .execute()
  return members.map(({ id }) => id)
}

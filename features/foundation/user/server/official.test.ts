import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { changePassword, login, PasswordOfStaff, RefreshWrong, refreshToken } from '#account/contract.ts'
import { auditLog } from '#audit/contract.ts'
import { aForum, Person } from '#base/testing/forum.ts'
import { setMemberRoles } from '#member/contract.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { addRole, editRole, makeRoleDefault } from '#role/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as contract from '#staff/contract.ts'
import { aStaffer, aStaffRole, Staffer } from '#staff/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { editProfile } from '#user/contract.ts'
import { invalidateNow } from '#base/testing/database.ts'

const forum = await aForum()
const chief = await aStaffer(forum)
const mei = await forum.member()

const keeping = ['content.edit', 'content.remove']
const anyEdit = [{ right: 'content.edit.any', tagId: null }] as const

async function asMember({ account, password }: { account: string; password: string }): Promise<Person> {
  const person = new Person(forum.app)
  const pair = await person.call(login, { account, password })
  return Object.assign(person, { pair })
}

const tagId = await aTag(forum.database)
const removal = async (who: Person) => (await who.tryCall(removeTopic, { topicId: await aTopic(await forum.member(), tagId) })).status

async function newStaff(account: string, rights: readonly string[] = []) {
  const roleIds = [await aStaffRole(forum.database, rights)]
  const { staffId, password } = await chief.call(contract.addStaff, { account, roleIds })
  const staffer = await Object.assign(new Staffer(forum.app), { account, password }).signIn()
  return { staffId, staffer }
}

/** A staff member who has chosen their own password. */
async function settled(account: string, rights: readonly string[] = []) {
  const staff = await newStaff(account, rights)
  staff.staffer.password = 'a-kettle-of-my-own'
  await staff.staffer.call(contract.changeOwnPassword, { password: staff.staffer.password })
  return staff
}

async function inForum(staffer: Staffer): Promise<Person> {
  const { systemUser, ...pair } = await staffer.call(contract.enterForum, {})
  return Object.assign(new Person(forum.app), { pair, id: systemUser.userId, account: systemUser.account })
}

async function withSecondFactor(staffer: Staffer): Promise<void> {
  const { secret } = await staffer.call(contract.beginSecondFactor, {})
  await staffer.call(contract.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
}

const door = (who: { account: string; password: string }) =>
  forum.visitor().tryCall(login, { account: who.account, password: who.password })

test('the official member of staff writes in the forum, and moderates in the administration alone', async () => {
  const { staffer } = await settled('keeper', ['content.view', ...keeping])
  const keeper = await inForum(staffer)
  expect(await removal(keeper)).toBe(403)
  expect(await removal(await inForum(chief))).toBe(403)
  const topicId = await aTopic(keeper, tagId)
  await keeper.call(removeTopic, { topicId })
  const closed = await aTag(forum.database)
  const roles = await forum.database.app.selectFrom('role_right').select('role_id').where('right_name', '=', 'content.edit.any').execute()
  await forum.database.app.updateTable('tag').set({ is_restricted: true }).where('id', '=', closed).execute()
  await forum.database.app
    .insertInto('role_right')
    .values(['tag.view', 'topic.publish'].map((right_name) => ({ role_id: roles[0]?.role_id ?? '', right_name, tag_id: closed })))
    .execute()
  invalidateNow(forum.database, 'role')
  await aTopic(keeper, closed)
})

test('the password logs into the forum only while the administration asks for nothing else, and a wrong one reveals nothing', async () => {
  const { staffId, staffer } = await newStaff('careful')
  expect((await door(staffer)).error).toHaveProperty('password', expect.stringContaining('/admin'))
  expect((await door({ ...staffer, password: 'not-the-password' })).error).toEqual((await door({ account: 'nobody', password: 'x' })).error)
  expect((await staffer.tryCall(contract.enterForum, {})).status).toBe(403)
  staffer.password = 'a-kettle-of-my-own'
  await staffer.call(contract.changeOwnPassword, { password: staffer.password })
  const { pair } = await asMember(staffer)
  expect(pair).toBeTruthy()
  const before = await asMember(staffer)
  await withSecondFactor(staffer)
  expect(await removal(before)).toBe(401)
  expect((await door(staffer)).error).toHaveProperty('password', expect.stringContaining('/admin'))
  await aTopic(await inForum(staffer), tagId)
  await chief.call(contract.editStaff, { staffId, roleIds: [], isDisabled: true })
  expect((await door(staffer)).error).toHaveProperty('account')
})

test('with the setting, staff without a second factor cannot log into the forum, nor stay', async () => {
  const { staffer } = await settled('hasty')
  const before = await asMember(staffer)
  await transact(forum.database, (tx) => setting.change(tx, 'staffSecondFactor', true, 'test'))
  expect((await door(staffer)).status).toBe(422)
  expect((await staffer.tryCall(contract.enterForum, {})).status).toBe(403)
  expect(await before.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
  await withSecondFactor(staffer)
  const member = await inForum(staffer)
  expect((await member.call(refreshToken, {})).accessToken).toBeTruthy()
  await transact(forum.database, (tx) => setting.change(tx, 'staffSecondFactor', false, 'test'))
})

test('a nickname of staff in the forum is logged, and finds them', async () => {
  const { staffId, staffer } = await settled('namer')
  const one = await inForum(staffer)
  await one.call(editProfile, { nickname: '小二', showsActivity: true })
  const { rows } = await chief.call(auditLog, { action: 'member.edit', about: `member ${one.id}` })
  expect(rows).toMatchObject([{ account: staffer.account, before: { nickname: null }, after: { nickname: '小二' } }])
  const { staff } = await chief.call(contract.staffList, {})
  expect(staff.find(({ id }) => id === staffId)?.speaksAs).toEqual({ id: one.id, name: '小二' })
})

test('the way from the administration is in the log, and closes with the session that opened it', async () => {
  const { staffId, staffer } = await settled('walker')
  const one = await inForum(staffer)
  const { rows } = await chief.call(auditLog, { action: 'staff.enterForum', about: `member ${one.id}` })
  expect(rows).toHaveLength(1)
  const elsewhere = await Object.assign(new Staffer(forum.app), { account: staffer.account, password: staffer.password }).signIn()
  const { sessions } = await elsewhere.call(contract.ownSessions, {})
  await elsewhere.call(contract.endOwnSession, { sessionId: sessions.find(({ isThis }) => !isThis)?.id ?? '' })
  expect(await removal(one)).toBe(401)
  const two = await inForum(elsewhere)
  await chief.call(contract.resetStaff, { staffId })
  expect(await removal(two)).toBe(401)
  expect(await two.isRefused(refreshToken, {}, RefreshWrong)).toBe(true)
})

test('a member of staff changes their password in the administration', async () => {
  const { staffer } = await settled('changer')
  const member = await asMember(staffer)
  const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
  expect(await member.isRefused(changePassword, { oldPassword: staffer.password, ...next }, PasswordOfStaff)).toBe(true)
})

test('staff disabled in the administration are locked out of the forum, until they are enabled', async () => {
  const { staffId, staffer } = await settled('leaver')
  const leaver = await asMember(staffer)
  expect(await removal(leaver)).toBe(403)
  await chief.call(contract.editStaff, { staffId, roleIds: [], isDisabled: true })
  expect(await removal(leaver)).toBe(401)
  await expect(asMember(staffer)).rejects.toThrow('422')
  await chief.call(contract.editStaff, { staffId, roleIds: [], isDisabled: false })
  expect(await removal(leaver)).toBe(401)
  await asMember(staffer)
})

test('a new password is new in the forum, too', async () => {
  const { staffer } = await settled('renewer')
  const member = await asMember(staffer)
  await staffer.call(contract.changeOwnPassword, { password: 'an-early-morning' })
  expect(await removal(member)).toBe(401)
  await expect(asMember(staffer)).rejects.toThrow('422')
  await asMember({ account: staffer.account, password: 'an-early-morning' })
})

test('staff cannot give members rights that they lack themselves, by any detour', async () => {
  const manager = await aStaffer(forum, ['role.manage', 'member.access', 'member.view'])
  const names = { zh: '园丁', en: 'Gardener' }
  const { roleId: strong } = await chief.call(addRole, { ...names, rights: [...anyEdit] })
  const { roleId: plain } = await manager.call(addRole, { ...names, rights: [{ right: 'topic.publish', tagId: null }] })
  const roles = [{ roleId: strong, endsAt: null }]
  expect([
    await manager.isRefused(addRole, { ...names, rights: [...anyEdit] }, MoreThanOwn),
    await manager.isRefused(editRole, { roleId: plain, version: 0, ...names, rights: [...anyEdit] }, MoreThanOwn),
    await manager.isRefused(makeRoleDefault, { roleId: strong }, MoreThanOwn),
    await manager.isRefused(setMemberRoles, { memberId: mei.id, roles }, MoreThanOwn),
  ]).toEqual([true, true, true, true])
  await chief.call(setMemberRoles, { memberId: mei.id, roles })
  expect(await manager.isRefused(setMemberRoles, { memberId: mei.id, roles: [] }, MoreThanOwn)).toBe(true)
  await manager.call(setMemberRoles, { memberId: mei.id, roles: [...roles, { roleId: plain, endsAt: null }] })
})

import { expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { aForum, Person } from '#base/testing/forum.ts'
import { setMemberRoles } from '#member/contract.ts'
import { addRole, editRole, makeRoleDefault, MoreThanOwn } from '#role/contract.ts'
import * as contract from '#staff/contract.ts'
import { aStaffer, aStaffRole } from '#staff/server/example.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTag } from '#tag/server/example.ts'
import { aTopic } from '#topic/server/example.ts'

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
const removal = async (who: Person) => (await who.tries(removeTopic, { topicId: await aTopic(await forum.member(), tagId) })).status

test('who speaks for staff keeps order in the forum just while the staff may edit and remove', async () => {
  const roleId = await aStaffRole(forum.database, keeping)
  const { staffId, password } = await chief.call(contract.addStaff, { account: 'keeper', roleIds: [roleId] })
  const keeper = await asMember({ account: 'keeper', password })
  expect(await removal(keeper)).toBe(200)
  await chief.call(contract.editStaffRole, { roleId, zh: '帮手', en: 'Helper', rights: ['content.edit'] })
  expect(await removal(keeper)).toBe(403)
  await chief.call(contract.editStaffRole, { roleId, zh: '帮手', en: 'Helper', rights: contract.staffRights.slice(0, 3) })
  expect(await removal(keeper)).toBe(200)
  await chief.call(contract.editStaff, { staffId, roleIds: [], isDisabled: false })
  expect(await removal(keeper)).toBe(403)
})

test('somebody locked out of the administration is locked out of the forum, until they are let in', async () => {
  const { staffId, password } = await chief.call(contract.addStaff, { account: 'leaver', roleIds: [] })
  const leaver = await asMember({ account: 'leaver', password })
  expect(await removal(leaver)).toBe(403)
  await chief.call(contract.editStaff, { staffId, roleIds: [], isDisabled: true })
  expect(await removal(leaver)).toBe(401)
  await expect(asMember({ account: 'leaver', password })).rejects.toThrow('422')
  await chief.call(contract.editStaff, { staffId, roleIds: [], isDisabled: false })
  await asMember({ account: 'leaver', password })
})

test('a new password is new in the forum, too', async () => {
  const { account, password } = await chief
    .call(contract.addStaff, { account: 'renewer', roleIds: [] })
    .then((made) => ({ ...made, account: 'renewer' }))
  const renewer = Object.assign(await aStaffer(forum, []), { account, password })
  await renewer.signIn()
  const member = await asMember({ account, password })
  await renewer.call(contract.changeOwnPassword, { password: 'an-early-morning' })
  expect(await removal(member)).toBe(401)
  await expect(asMember(renewer)).rejects.toThrow('422')
  await asMember({ account, password: 'an-early-morning' })
})

test('nobody lets members do what they may not do themselves, by no detour', async () => {
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

import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as member from '#member/contract.ts'
import { DefaultStays, MoreThanOwn, RightHasNoPlace, RoleHeld } from '#role/contract.ts'
import * as contract from '#role/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { myTags } from '#tag/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { home } from '#user/contract.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const roles = async () => (await chief.call(contract.roleList, {})).roles
const roleAt = async (roleId: string) => (await roles()).find((role) => role.id === roleId)
const names = { zh: '园丁', en: 'Gardener' }

test('a role gives its rights at once to its holders, in its tags', async () => {
  const [mei, tagId] = [await forum.member(), await aTag(forum.database, { isRestricted: true })]
  const rights = [
    { right: 'tag.view', tagId },
    { right: 'topic.publish', tagId },
  ] as const
  const { roleId } = await chief.call(contract.addRole, { ...names, rights: [...rights] })
  await chief.call(member.setMemberRoles, { memberId: mei.id, roles: [{ roleId, endsAt: null }] })
  expect((await mei.call(myTags, {})).publishIn).toContain(tagId)
  expect(await roleAt(roleId)).toMatchObject({ holders: 1, rights })
  const { version = -1 } = (await roleAt(roleId)) ?? {}
  await chief.call(contract.editRole, { roleId, version, ...names, rights: [] })
  expect((await mei.call(myTags, {})).publishIn).not.toContain(tagId)
  const late = await chief.tryCall(contract.editRole, { roleId, version, ...names, rights: [] })
  expect([late.status, late.error['version']]).toEqual([409, expect.stringContaining(chief.account)])
})

test('a new name shows on the pages of the holders', async () => {
  const mei = await forum.member()
  const { roleId } = await chief.call(contract.addRole, names)
  await chief.call(member.setMemberRoles, { memberId: mei.id, roles: [{ roleId, endsAt: null }] })
  await chief.call(contract.editRole, { roleId, version: 0, zh: '花匠', en: 'Florist' })
  expect((await forum.visitor().call(home, { userId: mei.id })).user.roles).toEqual([{ zh: '花匠', en: 'Florist' }])
})

test('one role is the default, and cannot be removed', async () => {
  const [before] = (await roles()).filter((role) => role.isDefault)
  const { roleId } = await chief.call(contract.addRole, { zh: '新客', en: 'Newcomer', rights: before?.rights as never })
  await chief.call(contract.makeRoleDefault, { roleId })
  expect((await roles()).filter((role) => role.isDefault).map((role) => role.id)).toEqual([roleId])
  expect(await chief.isRefused(contract.removeRole, { roleId, evenIfHeld: true }, DefaultStays)).toBe(true)
  await chief.call(contract.makeRoleDefault, { roleId: before?.id ?? '' })
  await chief.call(contract.removeRole, { roleId })
  expect(await roleAt(roleId)).toBeUndefined()
})

test('a role with holders is removed only after a confirmation', async () => {
  const mei = await forum.member()
  const { roleId } = await chief.call(contract.addRole, names)
  await chief.call(member.setMemberRoles, { memberId: mei.id, roles: [{ roleId, endsAt: null }] })
  expect(await chief.isRefused(contract.removeRole, { roleId }, RoleHeld)).toBe(true)
  await chief.call(contract.removeRole, { roleId, evenIfHeld: true })
  expect((await forum.visitor().call(home, { userId: mei.id })).roles).toEqual([])
})

test('a right without a place is given for no tag, and no right for a tag that is not there', async () => {
  const tagId = await aTag(forum.database)
  const misplaced = { ...names, rights: [{ right: 'avatar.change' as const, tagId }] }
  expect(await chief.isRefused(contract.addRole, misplaced, RightHasNoPlace)).toBe(true)
  expect((await chief.tryCall(contract.addRole, { ...names, rights: [{ right: 'tag.view', tagId: '999999' }] })).status).toBe(404)
})

test('staff who reset passwords cannot open an account with more rights than they have', async () => {
  const [keeper, plain, helper] = await Promise.all([forum.member(), forum.member(), aStaffer(forum, ['member.access'])])
  const { roleId } = await chief.call(contract.addRole, { ...names, rights: [{ right: 'content.edit.any', tagId: null }] })
  await chief.call(member.setMemberRoles, { memberId: keeper.id, roles: [{ roleId, endsAt: null }] })
  const inputFor = (memberId: string) => ({ memberId, reason: 'asked at the counter' })
  expect((await helper.tryCall(member.resetMemberPassword, inputFor(keeper.id))).status).toBe(403)
  expect((await helper.tryCall(member.resetMemberHint, inputFor(keeper.id))).status).toBe(403)
  expect((await helper.tryCall(member.resetMemberPassword, inputFor(plain.id))).status).toBe(200)
  expect((await chief.tryCall(member.resetMemberPassword, inputFor(keeper.id))).status).toBe(200)
})

test('staff without the right to read posts cannot make, give or reset a role with access to a restricted tag', async () => {
  const [mei, lin, tagId] = [await forum.member(), await forum.member(), await aTag(forum.database, { isRestricted: true })]
  const helper = await aStaffer(forum, ['role.manage', 'member.access'])
  const reader = await aStaffer(forum, ['role.manage', 'content.view'])
  const inside = { ...names, rights: [{ right: 'tag.view' as const, tagId }] }
  expect(await helper.isRefused(contract.addRole, inside, MoreThanOwn)).toBe(true)
  const { roleId } = await helper.call(contract.addRole, names)
  expect(await helper.isRefused(contract.editRole, { roleId, version: 0, ...inside }, MoreThanOwn)).toBe(true)
  await reader.call(contract.editRole, { roleId, version: 0, ...inside })
  const roles = [{ roleId, endsAt: null }]
  expect(await helper.isRefused(member.setMemberRoles, { memberId: mei.id, roles }, MoreThanOwn)).toBe(true)
  await reader.call(member.setMemberRoles, { memberId: lin.id, roles })
  expect((await helper.tryCall(member.resetMemberPassword, { memberId: lin.id, reason: 'asked at the counter' })).status).toBe(403)
})

import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as member from '#member/contract.ts'
import { addRole } from '#role/staff-contract.ts'
import * as contract from '#staff/contract.ts'
import { editStaffRole } from '#staff/right-contract.ts'
import { aStaffer, aStaffRole, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let [ann, ben]: Staffer[] = []

beforeAll(async () => {
  forum = await aForum()
  ;[ann, ben] = [await aStaffer(forum), await aStaffer(forum)]
})

const both = () => {
  if (!ann || !ben) throw new Error('Nobody is there')
  return { ann, ben }
}
const clash = (by: string) => ({ status: 409, said: expect.stringContaining(by) })
const summaryOf = ({ status, error }: { status: number; error: Record<string, string> }) => ({ status, said: Object.values(error).join() })

test('a right that was taken from a role does not come back with an edit from before', async () => {
  const { ann, ben } = both()
  const roleId = await aStaffRole(forum.database, ['audit.view', 'tag.manage'])
  const seen = (await ben.call(contract.staffRoles, {})).roles.find(({ id }) => id === roleId)
  await ann.call(editStaffRole, { roleId, version: seen?.version, zh: '帮手', en: 'Helper', rights: ['tag.manage'] })
  const late = { roleId, version: seen?.version, zh: '帮手', en: 'Aide', rights: ['audit.view', 'tag.manage'] as const }
  expect(summaryOf(await ben.tryCall(editStaffRole, { ...late, rights: [...late.rights] }))).toEqual(clash(ann.account))
  const now = (await ben.call(contract.staffRoles, {})).roles.find(({ id }) => id === roleId)
  expect(now?.rights).toEqual(['tag.manage'])
})

test('a disabled member of staff is not enabled by an edit from before', async () => {
  const { ann, ben } = both()
  const helper = await aStaffer(forum, [])
  const seen = (await ben.call(contract.staffList, {})).staff.find(({ id }) => id === helper.id)
  await ann.call(contract.editStaff, { staffId: helper.id, version: seen?.version, roleIds: [], isDisabled: true })
  const late = { staffId: helper.id, version: seen?.version, roleIds: [], isDisabled: false }
  expect(summaryOf(await ben.tryCall(contract.editStaff, late))).toEqual(clash(ann.account))
})

test('a role taken from a member does not come back with an edit from before', async () => {
  const { ann, ben } = both()
  const mei = await forum.member()
  const { roleId } = await ann.call(addRole, { zh: '园丁', en: 'Gardener', rights: [] })
  const roles = [{ roleId, endsAt: null }]
  await ann.call(member.setMemberRoles, { memberId: mei.id, roles })
  const { rolesVersion: version } = await ben.call(member.memberView, { memberId: mei.id })
  await ann.call(member.setMemberRoles, { memberId: mei.id, version, roles: [] })
  expect(summaryOf(await ben.tryCall(member.setMemberRoles, { memberId: mei.id, version, roles }))).toEqual(clash(ann.account))
  expect((await ben.call(member.memberView, { memberId: mei.id })).heldRoles).toEqual([])
})

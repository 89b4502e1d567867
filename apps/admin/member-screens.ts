import type { Screen } from '#apps/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { listLoader } from '#base/admin/list-query.ts'
import type { batchesAtWork } from '#batch/contract.ts'
import type { fieldList } from '#field/contract.ts'
import { invitationList } from '#invitation/staff-contract.ts'
import { joiningList } from '#member/joining-contract.ts'
import { memberList, type memberView } from '#member/contract.ts'
import type { roleList } from '#role/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { cleanings, type cleanLook } from '#member-cleanup/contract.ts'

const features = '../../features'

/** Members, their permissions, and registration. */
export const memberScreens: readonly Screen[] = [
  {
    path: '/admin/member',
    file: `${features}/member/admin/members-page.tsx`,
    title: 'memberAdmin.members',
    right: 'member.view',
    group: 'members',
    load: async (question) => {
      const [page, { batches: atWork }] = await Promise.all([
        listLoader(memberList)(question),
        question.api.read<typeof batchesAtWork>('/admin/batch/atWork', { kind: 'member' }),
      ])
      return { page, atWork }
    },
  },
  {
    path: '/admin/member/view',
    file: `${features}/member/admin/member-page.tsx`,
    title: 'memberAdmin.member',
    titleOf: (member: Output<typeof memberView>) => member.nickname ?? member.account,
    right: 'member.view',
    load: ({ api, url }) => {
      const memberId = url.searchParams.get('memberId') ?? ''
      return api.read<typeof memberView>('/admin/member/view', { memberId, addresses: url.searchParams.get('tab') === 'access' })
    },
  },
  {
    path: '/admin/member/merge',
    file: `${features}/member-cleanup/admin/merge-page.tsx`,
    title: 'memberCleanupAdmin.mergeMembers',
    titleOf: (member: Output<typeof memberView>) => member.nickname ?? member.account,
    right: 'member.cancel',
    load: ({ api, url }) => api.read<typeof memberView>('/admin/member/view', { memberId: url.searchParams.get('memberId') ?? '' }),
  },
  {
    path: '/admin/joining',
    file: `${features}/member/admin/joining-page.tsx`,
    title: 'memberAdmin.joining',
    right: 'member.approve',
    group: 'members',
    pendingCount: 'joining',
    load: listLoader(joiningList),
  },
  {
    path: '/admin/invitations',
    file: `${features}/invitation/admin/invitations-page.tsx`,
    title: 'invitationAdmin.invitations',
    right: 'invitation.manage',
    group: 'members',
    load: listLoader(invitationList),
  },
  {
    path: '/admin/cleaning',
    file: `${features}/member-cleanup/admin/cleanings-page.tsx`,
    title: 'memberCleanupAdmin.cleanings',
    right: 'member.view',
    group: 'members',
    load: async ({ api, url }) => {
      const memberId = url.searchParams.get('memberId')
      const [page, member, takes] = await Promise.all([
        listLoader(cleanings)({ api, url }),
        memberId ? api.read<typeof memberView>('/admin/member/view', { memberId }) : null,
        memberId && mayDo('member.clean') ? api.read<typeof cleanLook>('/admin/cleaning/look', { memberId }) : null,
      ])
      return { page, member, takes }
    },
  },
  {
    path: '/admin/role',
    file: `${features}/role/admin/roles-page.tsx`,
    title: 'roleAdmin.roles',
    right: 'role.manage',
    group: 'members',
    load: ({ api }) => api.read<typeof roleList>('/admin/role/list', {}),
  },
  {
    path: '/admin/field',
    file: `${features}/field/admin/fields-page.tsx`,
    title: 'fieldAdmin.fields',
    right: 'setting.change',
    group: 'members',
    load: ({ api }) => api.read<typeof fieldList>('/admin/field/list', {}),
  },
]

import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { invitationList } from '#invitation/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/invitations',
    page: () => import('#invitation/admin/invitations-page.tsx'),
    title: 'invitationAdmin.invitations',
    right: 'invitation.manage',
    group: 'members',
    aliases: 'invite codes referral signup invite only registration 邀请码 邀请注册 注册码',
    load: listLoader(invitationList),
  },
]

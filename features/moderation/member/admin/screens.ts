import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import type { batchesAtWork } from '#batch/contract.ts'
import { findMembers } from '#member/admin/find-members.ts'
import { memberList, type memberView } from '#member/contract.ts'
import { joiningList } from '#member/joining-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/member',
    page: () => import('#member/admin/members-page.tsx'),
    title: 'memberAdmin.members',
    right: 'member.view',
    group: 'members',
    aliases:
      'users accounts profiles ban banned bans suspend block mute silence kick password reset login 用户 会员 账户 账号 封号 封禁 禁言 禁止发言 拉黑 踢出 停用 注销 重置密码 改密码',
    finder: { title: 'memberAdmin.members', right: 'member.view', find: findMembers },
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
    page: () => import('#member/admin/member-page.tsx'),
    title: 'memberAdmin.member',
    titleOf: (member: Output<typeof memberView>) => member.nickname ?? member.account,
    right: 'member.view',
    load: ({ api, url }) => {
      const memberId = url.searchParams.get('memberId') ?? ''
      return api.read<typeof memberView>('/admin/member/view', { memberId, addresses: url.searchParams.get('tab') === 'access' })
    },
  },
  {
    path: '/admin/joining',
    page: () => import('#member/admin/joining-page.tsx'),
    title: 'memberAdmin.joining',
    right: 'member.approve',
    group: 'members',
    pendingCount: 'joining',
    aliases: 'approval approve registrations pending signup queue waiting 注册审核 待审核 新成员 审核注册',
    load: listLoader(joiningList),
  },
]

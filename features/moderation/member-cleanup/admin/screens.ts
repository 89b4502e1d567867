import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { cleanings, type cleanLook } from '#member-cleanup/contract.ts'
import type { memberView } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

export const screens: readonly Screen[] = [
  {
    path: '/admin/member/merge',
    page: () => import('#member-cleanup/admin/merge-page.tsx'),
    title: 'memberCleanupAdmin.mergeMembers',
    titleOf: (member: Output<typeof memberView>) => member.nickname ?? member.account,
    right: 'member.cancel',
    load: ({ api, url }) => api.read<typeof memberView>('/admin/member/view', { memberId: url.searchParams.get('memberId') ?? '' }),
  },
  {
    path: '/admin/cleaning',
    page: () => import('#member-cleanup/admin/cleanings-page.tsx'),
    title: 'memberCleanupAdmin.cleanings',
    right: 'member.view',
    group: 'members',
    aliases: 'spam spammer nuke purge delete all advertising 广告 垃圾信息 水军 一键删除 批量清理 灌水',
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
]

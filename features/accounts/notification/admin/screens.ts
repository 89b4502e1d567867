import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { noticeList, type noticeSource } from '#notification/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/notice',
    page: () => import('#notification/admin/notices-page.tsx'),
    title: 'notificationAdmin.notices',
    right: 'announcement.send',
    group: 'site',
    aliases: 'announcements announcement broadcast banner news message all 公告 系统消息 群发 站内信 通告 广播 消息推送',
    load: listLoader(noticeList),
  },
  {
    path: '/admin/notice/edit',
    page: () => import('#notification/admin/edit-notice-page.tsx'),
    title: 'notificationAdmin.edit',
    titleOf: ({ notice }: { notice: Output<typeof noticeSource> | null }) => notice?.zh,
    right: 'announcement.send',
    load: async ({ api, url }) => {
      const noticeId = url.searchParams.get('noticeId')
      return { notice: noticeId ? await api.read<typeof noticeSource>('/admin/notice/view', { noticeId }) : null }
    },
  },
]

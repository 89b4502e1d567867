import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { messageReportList, type messageReportView } from '#message/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/messageReport',
    page: () => import('#message/admin/message-reports-page.tsx'),
    title: 'messageAdmin.reports',
    right: 'message.report',
    group: 'content',
    pendingCount: 'messageReports',
    aliases: 'flags complaints abuse harassment direct messages inbox dm pm 投诉 检举 骚扰 站内信 短消息 悄悄话',
    load: listLoader(messageReportList),
  },
  {
    path: '/admin/messageReport/view',
    page: () => import('#message/admin/message-report-page.tsx'),
    title: 'messageAdmin.report',
    titleOf: ({ author }: Output<typeof messageReportView>) => author.name,
    right: 'message.report',
    load: ({ api, url }) =>
      api.read<typeof messageReportView>('/admin/messageReport/view', { reportId: url.searchParams.get('reportId') ?? '' }),
  },
]

import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { feedbackList } from '#feedback/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/feedback',
    page: () => import('#feedback/admin/feedback-page.tsx'),
    title: 'feedbackAdmin.feedback',
    right: 'feedback.handle',
    group: 'site',
    pendingCount: 'feedback',
    aliases: 'contact suggestions inbox messages 意见 建议 联系我们 留言 投诉',
    load: listLoader(feedbackList),
  },
]

import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { loadQueue } from '#review/admin/queue.data.ts'
import { decidedReviews } from '#review/contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/review',
    page: () => import('#review/admin/review-page.tsx'),
    title: 'reviewAdmin.queue',
    right: 'content.review',
    group: 'content',
    pendingCount: 'reviews',
    aliases: 'moderation approve approval pending queue premoderation 审帖 待审 待审核 审核队列 先审后发 过审 人工审核',
    load: loadQueue,
  },
  {
    path: '/admin/review/decided',
    page: () => import('#review/admin/decided-page.tsx'),
    title: 'reviewAdmin.decidedList',
    right: 'content.review',
    load: listLoader(decidedReviews),
  },
]

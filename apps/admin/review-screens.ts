import type { Screen } from '#apps/admin/screen.ts'
import { listLoader } from '#base/admin/list-query.ts'
import { loadQueue } from '#review/admin/queue.data.ts'
import { decidedReviews } from '#review/contract.ts'
import { sensitiveWords, type sensitiveLists } from '#sensitive-word/contract.ts'

const features = '../../features'

/** The review queues, and the sensitive words. */
export const reviewScreens: readonly Screen[] = [
  {
    path: '/admin/review',
    file: `${features}/review/admin/review-page.tsx`,
    title: 'reviewAdmin.queue',
    right: 'content.review',
    group: 'content',
    pendingCount: 'reviews',
    load: loadQueue,
  },
  {
    path: '/admin/review/decided',
    file: `${features}/review/admin/decided-page.tsx`,
    title: 'reviewAdmin.decidedList',
    right: 'content.review',
    load: listLoader(decidedReviews),
  },
  {
    path: '/admin/sensitiveList',
    file: `${features}/sensitive-word/admin/sensitive-lists-page.tsx`,
    title: 'sensitiveWordAdmin.lists',
    right: 'word.manage',
    group: 'content',
    load: ({ api }) => api.read<typeof sensitiveLists>('/admin/sensitiveList/list', {}),
  },
  {
    path: '/admin/sensitiveWord',
    under: '/admin/sensitiveList',
    file: `${features}/sensitive-word/admin/sensitive-words-page.tsx`,
    title: 'sensitiveWordAdmin.words',
    right: 'word.manage',
    load: async ({ api, url }) => {
      const [page, { lists }] = await Promise.all([
        listLoader(sensitiveWords)({ api, url }),
        api.read<typeof sensitiveLists>('/admin/sensitiveList/list', {}),
      ])
      return { page, lists }
    },
  },
]

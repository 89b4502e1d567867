import type { Screen } from '#apps/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { listLoader } from '#base/admin/list-query.ts'
import { feedbackList } from '#feedback/contract.ts'
import type { helpList, helpSource, termsList } from '#help/staff-contract.ts'
import type { providerList } from '#identity/staff-contract.ts'
import type { linkList } from '#link/contract.ts'
import { noticeList, type noticeSource } from '#notification/staff-contract.ts'

const features = '../../features'

/** Help pages, announcements, and feedback. */
export const helpScreens: readonly Screen[] = [
  {
    path: '/admin/notice',
    file: `${features}/notification/admin/notices-page.tsx`,
    title: 'notificationAdmin.notices',
    right: 'announcement.send',
    group: 'site',
    load: listLoader(noticeList),
  },
  {
    path: '/admin/notice/edit',
    file: `${features}/notification/admin/edit-notice-page.tsx`,
    title: 'notificationAdmin.edit',
    titleOf: ({ notice }: { notice: Output<typeof noticeSource> | null }) => notice?.zh,
    right: 'announcement.send',
    load: async ({ api, url }) => {
      const noticeId = url.searchParams.get('noticeId')
      return { notice: noticeId ? await api.read<typeof noticeSource>('/admin/notice/view', { noticeId }) : null }
    },
  },
  {
    path: '/admin/help',
    file: `${features}/help/admin/help-page.tsx`,
    title: 'helpAdmin.help',
    right: 'help.manage',
    group: 'site',
    load: ({ api }) => api.read<typeof helpList>('/admin/help/list', {}),
  },
  {
    path: '/admin/help/edit',
    file: `${features}/help/admin/edit-help-page.tsx`,
    title: 'helpAdmin.editPage',
    titleOf: ({ page }: { page: Output<typeof helpSource> | null }) => page?.titleZh,
    right: 'help.manage',
    load: async ({ api, url }) => {
      const pageId = url.searchParams.get('pageId')
      const [page, { categories }] = await Promise.all([
        pageId ? api.read<typeof helpSource>('/admin/help/view', { pageId }) : null,
        api.read<typeof helpList>('/admin/help/list', {}),
      ])
      return { page, categories }
    },
  },
  {
    path: '/admin/terms',
    file: `${features}/help/admin/terms-page.tsx`,
    title: 'helpAdmin.terms',
    right: 'help.manage',
    group: 'site',
    load: ({ api }) => api.read<typeof termsList>('/admin/terms/list', {}),
  },
  {
    path: '/admin/feedback',
    file: `${features}/feedback/admin/feedback-page.tsx`,
    title: 'feedbackAdmin.feedback',
    right: 'feedback.handle',
    group: 'site',
    pendingCount: 'feedback',
    load: listLoader(feedbackList),
  },
  {
    path: '/admin/link',
    file: `${features}/link/admin/links-page.tsx`,
    title: 'linkAdmin.links',
    right: 'link.manage',
    group: 'site',
    load: ({ api }) => api.read<typeof linkList>('/admin/link/list', {}),
  },
  {
    path: '/admin/identityProvider',
    file: `${features}/identity/admin/providers-page.tsx`,
    title: 'identityAdmin.providers',
    right: 'identity.manage',
    group: 'site',
    load: ({ api }) => api.read<typeof providerList>('/admin/identity/provider/list', {}),
  },
]

import type { Screen } from '#apps/admin/screen.ts'
import { auditLog } from '#audit/contract.ts'
import { listQuery } from '#base/admin/list-query.ts'
import type { listSettings } from '#setting/contract.ts'
import type { categoryTree } from '#report/category-contract.ts'
import { appealList, caseList, type appealView, type caseView } from '#report/staff-contract.ts'
import { feedbackList } from '#feedback/contract.ts'
import type { helpList, helpSource, termsList } from '#help/staff-contract.ts'
import type { linkList } from '#link/contract.ts'
import type { me, ownSessions, staffList, staffRoles } from '#staff/contract.ts'
import { dashboard, pageViewList } from '#statistic/contract.ts'

const features = '../../features'

/** Every screen of the administration. A feature brings its own by a line here and a file in its folder `admin`. */
export const screens: readonly Screen[] = [
  {
    path: '/admin/dashboard',
    file: `${features}/statistic/admin/dashboard-page.tsx`,
    title: 'statisticAdmin.dashboard',
    right: 'statistic.view',
    group: 'overview',
    load: ({ api, url }) => api.read<typeof dashboard>('/admin/dashboard', listQuery(dashboard, url)),
  },
  {
    path: '/admin/pageView',
    file: `${features}/statistic/admin/page-views-page.tsx`,
    title: 'statisticAdmin.pageViews',
    right: 'statistic.view',
    group: 'overview',
    load: ({ api, url }) => api.read<typeof pageViewList>('/admin/pageView/list', listQuery(pageViewList, url)),
  },
  {
    path: '/admin/report',
    file: `${features}/report/admin/cases-page.tsx`,
    title: 'reportAdmin.reports',
    right: 'report.view',
    group: 'content',
    load: async ({ api, url }) => {
      const [page, { categories }] = await Promise.all([
        api.read<typeof caseList>('/admin/report/list', listQuery(caseList, url)),
        api.read<typeof categoryTree>('/admin/reportCategory/list', {}),
      ])
      return { page, categories }
    },
  },
  {
    path: '/admin/report/view',
    file: `${features}/report/admin/case-page.tsx`,
    title: 'reportAdmin.report',
    right: 'report.view',
    load: ({ api, url }) => api.read<typeof caseView>('/admin/report/view', { caseId: url.searchParams.get('caseId') ?? '' }),
  },
  {
    path: '/admin/appeal',
    file: `${features}/report/admin/appeals-page.tsx`,
    title: 'reportAdmin.appeals',
    right: 'report.view',
    group: 'content',
    load: ({ api, url }) => api.read<typeof appealList>('/admin/appeal/list', listQuery(appealList, url)),
  },
  {
    path: '/admin/appeal/view',
    file: `${features}/report/admin/appeal-page.tsx`,
    title: 'reportAdmin.appeal',
    right: 'report.view',
    load: ({ api, url }) => api.read<typeof appealView>('/admin/appeal/view', { removalId: url.searchParams.get('removalId') ?? '' }),
  },
  {
    path: '/admin/reportCategory',
    file: `${features}/report/admin/categories-page.tsx`,
    title: 'reportAdmin.categories',
    right: 'report.manage',
    group: 'content',
    load: ({ api }) => api.read<typeof categoryTree>('/admin/reportCategory/list', {}),
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
    load: ({ api, url }) => api.read<typeof feedbackList>('/admin/feedback/list', listQuery(feedbackList, url)),
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
    path: '/admin/setting',
    file: `${features}/setting/admin/settings-page.tsx`,
    title: 'settingAdmin.settings',
    right: 'setting.view',
    group: 'site',
    load: ({ api }) => api.read<typeof listSettings>('/admin/setting/list', {}),
  },
  {
    path: '/admin/staff',
    file: `${features}/staff/admin/staff-page.tsx`,
    title: 'staffAdmin.staff',
    right: 'staff.manage',
    group: 'house',
    load: async ({ api }) => {
      const [{ staff }, { roles }] = await Promise.all([
        api.read<typeof staffList>('/admin/staff/list', {}),
        api.read<typeof staffRoles>('/admin/staffRole/list', {}),
      ])
      return { staff, roles }
    },
  },
  {
    path: '/admin/staffRole',
    file: `${features}/staff/admin/staff-roles-page.tsx`,
    title: 'staffAdmin.roles',
    right: 'staff.manage',
    group: 'house',
    load: ({ api }) => api.read<typeof staffRoles>('/admin/staffRole/list', {}),
  },
  {
    path: '/admin/audit',
    file: `${features}/audit/admin/audit-page.tsx`,
    title: 'auditAdmin.log',
    right: 'audit.view',
    group: 'house',
    load: ({ api, url }) => api.read<typeof auditLog>('/admin/audit/list', listQuery(auditLog, url)),
  },
  {
    path: '/admin/self',
    file: `${features}/staff/admin/self-page.tsx`,
    title: 'staffAdmin.self',
    right: 'self',
    load: async ({ api }) => {
      const [who, { sessions }] = await Promise.all([
        api.read<typeof me>('/admin/me', {}),
        api.read<typeof ownSessions>('/admin/session/list', {}),
      ])
      return { who, sessions }
    },
  },
]

import type { Screen } from '#apps/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { listLoader } from '#base/admin/list-query.ts'
import type { categoryTree } from '#report/category-contract.ts'
import { messageReportList, type messageReportView } from '#message/staff-contract.ts'
import { appealList, caseList, type appealView, type caseView } from '#report/staff-contract.ts'

const features = '../../features'

export const reportScreens: readonly Screen[] = [
  {
    path: '/admin/report',
    file: `${features}/report/admin/cases-page.tsx`,
    title: 'reportAdmin.reports',
    right: 'report.view',
    group: 'content',
    pendingCount: 'reports',
    load: async ({ api, url }) => {
      const [page, { categories }] = await Promise.all([
        listLoader(caseList)({ api, url }),
        api.read<typeof categoryTree>('/admin/reportCategory/list', {}),
      ])
      return { page, categories }
    },
  },
  {
    path: '/admin/report/view',
    file: `${features}/report/admin/case-page.tsx`,
    title: 'reportAdmin.report',
    titleOf: ({ found }: { found: Output<typeof caseView> }) => found.now.title || found.thing.title,
    right: 'report.view',
    load: async ({ api, url }) => {
      const [found, { rows: queue }] = await Promise.all([
        api.read<typeof caseView>('/admin/report/view', { caseId: url.searchParams.get('caseId') ?? '' }),
        listLoader(caseList)({ api, url }),
      ])
      return { found, queue }
    },
  },
  {
    path: '/admin/appeal',
    file: `${features}/report/admin/appeals-page.tsx`,
    title: 'reportAdmin.appeals',
    right: 'report.view',
    group: 'content',
    pendingCount: 'appeals',
    load: listLoader(appealList),
  },
  {
    path: '/admin/appeal/view',
    file: `${features}/report/admin/appeal-page.tsx`,
    title: 'reportAdmin.appeal',
    titleOf: ({ found }: { found: Output<typeof appealView> }) => found.thing.title,
    right: 'report.view',
    load: async ({ api, url }) => {
      const [found, { rows: queue }] = await Promise.all([
        api.read<typeof appealView>('/admin/appeal/view', { removalId: url.searchParams.get('removalId') ?? '' }),
        listLoader(appealList)({ api, url }),
      ])
      return { found, queue }
    },
  },
  {
    path: '/admin/messageReport',
    file: `${features}/message/admin/message-reports-page.tsx`,
    title: 'messageAdmin.reports',
    right: 'message.report',
    group: 'content',
    pendingCount: 'messageReports',
    load: listLoader(messageReportList),
  },
  {
    path: '/admin/messageReport/view',
    file: `${features}/message/admin/message-report-page.tsx`,
    title: 'messageAdmin.report',
    titleOf: ({ author }: Output<typeof messageReportView>) => author.name,
    right: 'message.report',
    load: ({ api, url }) =>
      api.read<typeof messageReportView>('/admin/messageReport/view', { reportId: url.searchParams.get('reportId') ?? '' }),
  },
  {
    path: '/admin/reportCategory',
    file: `${features}/report/admin/categories-page.tsx`,
    title: 'reportAdmin.categories',
    right: 'report.manage',
    group: 'content',
    load: ({ api }) => api.read<typeof categoryTree>('/admin/reportCategory/list', {}),
  },
]

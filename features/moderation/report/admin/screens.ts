import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import type { categoryTree } from '#report/category-contract.ts'
import { appealList, caseList, type appealView, type caseView } from '#report/staff-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/report',
    page: () => import('#report/admin/cases-page.tsx'),
    title: 'reportAdmin.reports',
    right: 'report.view',
    group: 'content',
    pendingCount: 'reports',
    aliases: 'flags flagged complaints abuse 投诉 检举 违规',
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
    page: () => import('#report/admin/case-page.tsx'),
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
    page: () => import('#report/admin/appeals-page.tsx'),
    title: 'reportAdmin.appeals',
    right: 'report.view',
    group: 'content',
    pendingCount: 'appeals',
    aliases: 'complaint objection second look 复议 申述 异议',
    load: listLoader(appealList),
  },
  {
    path: '/admin/appeal/view',
    page: () => import('#report/admin/appeal-page.tsx'),
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
    path: '/admin/reportCategory',
    page: () => import('#report/admin/categories-page.tsx'),
    title: 'reportAdmin.categories',
    right: 'report.manage',
    group: 'content',
    aliases: 'report reasons flag reasons 举报理由 举报原因 举报类型',
    load: ({ api }) => api.read<typeof categoryTree>('/admin/reportCategory/list', {}),
  },
]

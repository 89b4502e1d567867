import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import { readRange } from '#statistic/admin/read-range.ts'
import { pageViewList, type dashboard, type StaffQueue } from '#statistic/contract.ts'

declare module '#base/admin/screen.ts' {
  interface PendingCounts extends Partial<Record<StaffQueue, number | null>> {}
}

export const screens: readonly Screen[] = [
  {
    path: '/admin/dashboard',
    page: () => import('#statistic/admin/dashboard-page.tsx'),
    title: 'statisticAdmin.dashboard',
    right: 'statistic.view',
    group: 'overview',
    aliases: 'overview home statistics stats analytics metrics charts retention growth 首页 统计 数据 报表 图表 留存 增长 仪表盘 面板',
    load: ({ api, url }) => api.read<typeof dashboard>('/admin/dashboard', readRange(url.searchParams).range),
  },
  {
    path: '/admin/pageView',
    page: () => import('#statistic/admin/page-views-page.tsx'),
    title: 'statisticAdmin.pageViews',
    right: 'statistic.view',
    group: 'overview',
    aliases: 'visits visitors traffic access log hits 访客 流量 浏览量 访问量 访问日志 点击',
    load: listLoader(pageViewList),
  },
]

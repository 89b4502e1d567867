import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { monthNow } from '#reconciliation/admin/months.ts'
import {
  differenceList,
  statementList,
  type paymentFigures,
  type paymentMonth,
  type paymentsWaiting,
  type statementFailures,
} from '#reconciliation/contract.ts'
import { site } from '#setting/web/setting.tsx'

declare module '#base/admin/screen.ts' {
  interface PendingCounts extends Partial<Record<keyof Output<typeof paymentsWaiting>, number | null>> {}
}

const shared = { right: 'payment.view', group: 'payments' } as const

export const screens: readonly Screen[] = [
  {
    path: '/admin/payment/difference',
    initialQuery: '?state=open',
    page: () => import('#reconciliation/admin/differences-page.tsx'),
    title: 'reconciliationAdmin.reconciliation',
    ...shared,
    pendingCount: 'differences',
    aliases:
      'reconcile settlement statement statements bill bills audit accounting month monthly report finance 账单 日账单 月报 核对 差错 长款 短款 财务 报表 清算',
    load: listLoader(differenceList),
  },
  {
    path: '/admin/payment/statement',
    under: '/admin/payment/difference',
    page: () => import('#reconciliation/admin/statements-page.tsx'),
    title: 'reconciliationAdmin.statements',
    right: 'payment.view',
    load: async (question) => {
      const [page, { failures }] = await Promise.all([
        listLoader(statementList)(question),
        question.api.read<typeof statementFailures>('/admin/payment/statement/failure/list', {}),
      ])
      return { page, failures }
    },
  },
  {
    path: '/admin/payment/month',
    under: '/admin/payment/difference',
    page: () => import('#reconciliation/admin/month-page.tsx'),
    title: 'reconciliationAdmin.months',
    right: 'payment.view',
    load: async ({ api, url }) => {
      const month = url.searchParams.get('month') ?? monthNow(site.get()?.timeZone)
      return { month, data: await api.read<typeof paymentMonth>('/admin/payment/month', { month }) }
    },
  },
  {
    path: '/admin/payment/figures',
    page: () => import('#reconciliation/admin/figures-page.tsx'),
    title: 'reconciliationAdmin.figures',
    ...shared,
    aliases: 'income revenue sales statistics conversion fees report 收入 统计 成功率 手续费 报表 流水',
    load: ({ api, url }) => api.read<typeof paymentFigures>('/admin/payment/figures', { days: Number(url.searchParams.get('days') ?? 30) }),
  },
]

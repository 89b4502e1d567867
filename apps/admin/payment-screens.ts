import type { Screen } from '#apps/admin/screen.ts'
import { listQuery, listLoader } from '#base/admin/list-query.ts'
import type { Api, Output } from '#base/contract.ts'
import { monthNow } from '#payment/admin/months.ts'
import type { Limits } from '#payment/admin/views.ts'
import { differenceList, statementList, type paymentFigures, type paymentMonth } from '#payment/reconcile-contract.ts'
import { eventList, type providerStates, type staffEvent } from '#payment/event-contract.ts'
import { disputeList, paymentList, paymentTotals, refundList, refundTotals, type staffPayment } from '#payment/staff-contract.ts'
import { site } from '#setting/web/setting.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import type { memberAccounts } from '#wallet/adjust-contract.ts'

const folder = '../../features/payment/admin'
const shared = { right: 'payment.view', group: 'payments' } as const

/** Payments, refunds, and reconciliation with providers. */
export const paymentScreens: readonly Screen[] = [
  {
    path: '/admin/payment',
    file: `${folder}/payments-page.tsx`,
    title: 'paymentAdmin.payments',
    ...shared,
    load: async (question) => {
      const { api, url } = question
      const [page, totals] = await Promise.all([
        listLoader(paymentList)(question),
        api.read<typeof paymentTotals>('/admin/payment/totals', listQuery(paymentTotals, url)),
      ])
      return { page, totals }
    },
  },
  {
    path: '/admin/payment/view',
    file: `${folder}/payment-page.tsx`,
    title: 'paymentAdmin.payment',
    titleOf: ({ payment }: { payment: Output<typeof staffPayment> }) => payment.number,
    right: 'payment.view',
    load: async ({ api, url }) => {
      const payment = await api.read<typeof staffPayment>('/admin/payment', { number: url.searchParams.get('number') ?? '' })
      return { payment, limits: await limitsFor(payment.member.id, api) }
    },
  },
  {
    path: '/admin/payment/member',
    file: `${folder}/member-page.tsx`,
    title: 'paymentAdmin.payments',
    titleOf: ({ page }: { page: Output<typeof paymentList> }) => page.rows[0]?.member.name,
    right: 'payment.view',
    load: async (question) => {
      const { api, url } = question
      const memberId = url.searchParams.get('member') ?? ''
      const of = { member: memberId }
      const [page, totals, refunds, disputes] = await Promise.all([
        listLoader(paymentList)(question),
        api.read<typeof paymentTotals>('/admin/payment/totals', of),
        api.read<typeof refundList>('/admin/payment/refund/list', of),
        api.read<typeof disputeList>('/admin/payment/dispute/list', of),
      ])
      return { memberId, page, totals, refunds, disputes }
    },
  },
  {
    path: '/admin/payment/refund',
    file: `${folder}/refunds-page.tsx`,
    title: 'paymentAdmin.refunds',
    ...shared,
    pendingCount: 'failedRefunds',
    load: async (question) => {
      const { api, url } = question
      const [page, totals] = await Promise.all([
        listLoader(refundList)(question),
        api.read<typeof refundTotals>('/admin/payment/refund/totals', listQuery(refundTotals, url)),
      ])
      return { page, totals }
    },
  },
  {
    path: '/admin/payment/dispute',
    file: `${folder}/disputes-page.tsx`,
    title: 'paymentAdmin.disputes',
    ...shared,
    pendingCount: 'disputes',
    load: listLoader(disputeList),
  },
  {
    path: '/admin/payment/event',
    initialQuery: '?state=suspended',
    file: `${folder}/events-page.tsx`,
    title: 'paymentAdmin.exceptions',
    ...shared,
    pendingCount: 'events',
    load: listLoader(eventList),
  },
  {
    path: '/admin/payment/event/view',
    file: `${folder}/event-page.tsx`,
    title: 'paymentAdmin.exceptions',
    titleOf: ({ eventNumber }: Output<typeof staffEvent>) => eventNumber,
    right: 'payment.view',
    load: ({ api, url }) => api.read<typeof staffEvent>('/admin/payment/event', { eventId: url.searchParams.get('eventId') ?? '' }),
  },
  {
    path: '/admin/payment/difference',
    initialQuery: '?state=open',
    file: `${folder}/differences-page.tsx`,
    title: 'paymentAdmin.reconciliation',
    ...shared,
    pendingCount: 'differences',
    load: listLoader(differenceList),
  },
  {
    path: '/admin/payment/statement',
    under: '/admin/payment/difference',
    file: `${folder}/statements-page.tsx`,
    title: 'paymentAdmin.statements',
    right: 'payment.view',
    load: listLoader(statementList),
  },
  {
    path: '/admin/payment/month',
    under: '/admin/payment/difference',
    file: `${folder}/month-page.tsx`,
    title: 'paymentAdmin.months',
    right: 'payment.view',
    load: async ({ api, url }) => {
      const month = url.searchParams.get('month') ?? monthNow(site.get()?.timeZone)
      return { month, data: await api.read<typeof paymentMonth>('/admin/payment/month', { month }) }
    },
  },
  {
    path: '/admin/payment/figures',
    file: `${folder}/figures-page.tsx`,
    title: 'paymentAdmin.figures',
    ...shared,
    load: ({ api, url }) => api.read<typeof paymentFigures>('/admin/payment/figures', { days: Number(url.searchParams.get('days') ?? 30) }),
  },
  {
    path: '/admin/payment/provider',
    file: `${folder}/providers-page.tsx`,
    title: 'paymentAdmin.providers',
    ...shared,
    load: ({ api }) => api.read<typeof providerStates>('/admin/payment/provider/list', {}),
  },
]

/** The approval thresholds, for staff who may see them. */
async function limitsFor(memberId: string, api: Api): Promise<Limits | null> {
  if (!mayDo('payment.refund') || !mayDo('wallet.view')) return null
  const { alone, aloneADay } = await api.read<typeof memberAccounts>('/admin/wallet/member', { memberId, currency: 'cny' })
  return { alone: alone.cny, aloneADay: aloneADay.cny }
}

import { listLoader, listQuery } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Api, Output } from '#base/contract.ts'
import { findPayments } from '#payment/admin/find-payments.ts'
import type { Limits } from '#payment/admin/views.ts'
import type { providerStates, staffEvent } from '#payment/event-contract.ts'
import type { refundRequests } from '#payment/refund-contract.ts'
import { sandboxMoney } from '#payment/sandbox-contract.ts'
import { disputeList, eventList, paymentList, paymentTotals, refundList, refundTotals, type staffPayment } from '#payment/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import type { memberAccounts } from '#wallet/adjust-contract.ts'

const shared = { right: 'payment.view', group: 'payments' } as const

export const screens: readonly Screen[] = [
  {
    path: '/admin/payment',
    page: () => import('#payment/admin/payments-page.tsx'),
    title: 'paymentAdmin.payments',
    ...shared,
    aliases: 'deposits deposit recharge top up topup transactions orders money income sales revenue 充值 充值记录 订单 收款 收入 到账 入金',
    finder: { title: 'paymentAdmin.payments', right: 'payment.view', find: findPayments },
    load: async (question) => {
      const { api, url } = question
      const [page, totals, trial] = await Promise.all([
        listLoader(paymentList)(question),
        api.read<typeof paymentTotals>('/admin/payment/totals', listQuery(paymentTotals, url)),
        api.read<typeof sandboxMoney>('/admin/payment/sandbox', {}),
      ])
      return { page, totals, ofSandbox: trial.count }
    },
  },
  {
    path: '/admin/payment/sandbox',
    under: '/admin/payment',
    page: () => import('#payment/admin/sandbox-page.tsx'),
    title: 'paymentAdmin.sandboxMoney',
    right: 'payment.view',
    load: listLoader(sandboxMoney),
  },
  {
    path: '/admin/payment/view',
    page: () => import('#payment/admin/payment-page.tsx'),
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
    page: () => import('#payment/admin/member-page.tsx'),
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
    page: () => import('#payment/admin/refunds-page.tsx'),
    title: 'paymentAdmin.refunds',
    ...shared,
    pendingCount: 'refunds',
    aliases: 'refund chargeback money back reversal return 退钱 退回 原路退回 退费',
    load: async (question) => {
      const { api, url } = question
      const [page, totals, { rows: requests }] = await Promise.all([
        listLoader(refundList)(question),
        api.read<typeof refundTotals>('/admin/payment/refund/totals', listQuery(refundTotals, url)),
        api.read<typeof refundRequests>('/admin/payment/refund/request/list', {}),
      ])
      return { page, totals, requests }
    },
  },
  {
    path: '/admin/payment/dispute',
    page: () => import('#payment/admin/disputes-page.tsx'),
    title: 'paymentAdmin.disputes',
    ...shared,
    pendingCount: 'disputes',
    aliases: 'chargebacks chargeback claims bank complaint 拒付 退单 撤单 投诉 仲裁',
    load: listLoader(disputeList),
  },
  {
    path: '/admin/payment/event',
    initialQuery: '?state=suspended',
    page: () => import('#payment/admin/events-page.tsx'),
    title: 'paymentAdmin.exceptions',
    ...shared,
    pendingCount: 'events',
    aliases:
      'webhooks webhook callback callbacks notify notifications inbox failed suspended unmatched lost orders 回调 通知 掉单 漏单 异步通知 补单 挂起',
    load: listLoader(eventList),
  },
  {
    path: '/admin/payment/event/view',
    page: () => import('#payment/admin/event-page.tsx'),
    title: 'paymentAdmin.exceptions',
    titleOf: ({ eventNumber }: Output<typeof staffEvent>) => eventNumber,
    right: 'payment.view',
    load: ({ api, url }) => api.read<typeof staffEvent>('/admin/payment/event', { eventId: url.searchParams.get('eventId') ?? '' }),
  },
  {
    path: '/admin/payment/provider',
    page: () => import('#payment/admin/providers-page.tsx'),
    title: 'paymentAdmin.providers',
    ...shared,
    aliases:
      'gateway gateways processor alipay wechat pay stripe keys certificate merchant checkout licence law 支付接口 支付宝 微信支付 密钥 证书 商户 网关 法律 牌照',
    load: ({ api }) => api.read<typeof providerStates>('/admin/payment/provider/list', {}),
  },
]

/** The approval thresholds, for staff who may see them. */
async function limitsFor(memberId: string, api: Api): Promise<Limits | null> {
  if (!mayDo('payment.refund') || !mayDo('wallet.view')) return null
  const { alone, aloneADay } = await api.read<typeof memberAccounts>('/admin/wallet/member', { memberId, currency: 'cny' })
  return { alone: alone.cny, aloneADay: aloneADay.cny }
}

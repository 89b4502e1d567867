import { listLoader } from '#base/admin/list-query.ts'
import type { Screen } from '#base/admin/screen.ts'
import type { Output } from '#base/contract.ts'
import { transactions, type memberAccounts, type transaction } from '#wallet/adjust-contract.ts'
import { findTransactions } from '#wallet/admin/find-transactions.ts'
import type { books, Currency } from '#wallet/contract.ts'
import { moneyRequests } from '#wallet/request-contract.ts'

export const screens: readonly Screen[] = [
  {
    path: '/admin/wallet',
    page: () => import('#wallet/admin/transactions-page.tsx'),
    title: 'walletAdmin.transactions',
    right: 'wallet.view',
    group: 'members',
    aliases: 'points balance ledger payments money credits log history entries 积分 余额 流水 账单 记录 明细 支付',
    finder: { title: 'walletAdmin.transactions', right: 'wallet.view', find: findTransactions },
    load: listLoader(transactions),
  },
  {
    path: '/admin/wallet/transaction',
    page: () => import('#wallet/admin/transaction-page.tsx'),
    title: 'walletAdmin.transaction',
    titleOf: ({ id }: Output<typeof transaction>) => id,
    right: 'wallet.view',
    load: ({ api, url }) =>
      api.read<typeof transaction>('/admin/wallet/transaction', { transactionId: url.searchParams.get('transactionId') ?? '' }),
  },
  {
    path: '/admin/wallet/member',
    page: () => import('#wallet/admin/member-page.tsx'),
    title: 'walletAdmin.accounts',
    titleOf: ({ member }: Output<typeof memberAccounts>) => member.name,
    right: 'wallet.view',
    load: ({ api, url: { searchParams } }) => {
      const [currency, before] = [searchParams.get('currency') === 'cny' ? 'cny' : 'points', searchParams.get('before')] as [
        Currency,
        string,
      ]
      const memberId = searchParams.get('memberId') ?? ''
      return api.read<typeof memberAccounts>('/admin/wallet/member', { memberId, currency, ...(before && { before }) })
    },
  },
  {
    path: '/admin/money-request',
    page: () => import('#wallet/admin/requests-page.tsx'),
    title: 'walletAdmin.requests',
    right: 'wallet.view',
    group: 'members',
    pendingCount: 'moneyRequests',
    aliases: 'points balance add deduct grant top up approve request second 加分 扣分 充值 扣款 审批 复核 申请',
    load: listLoader(moneyRequests),
  },
  {
    path: '/admin/books',
    page: () => import('#wallet/admin/books-page.tsx'),
    title: 'walletAdmin.books',
    right: 'wallet.freeze',
    group: 'upkeep',
    aliases: 'ledger freeze lock audit reconciliation integrity 冻结 解冻 对账 核对 账本',
    load: ({ api }) => api.read<typeof books>('/admin/books', {}),
  },
]

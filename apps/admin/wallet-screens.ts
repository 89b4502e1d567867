import type { Screen } from '#apps/admin/screen.ts'
import { listLoader } from '#base/admin/list-query.ts'
import type { Output } from '#base/contract.ts'
import { hints } from '#collusion/contract.ts'
import { transactions, type memberAccounts, type transaction } from '#wallet/adjust-contract.ts'
import type { books, Currency } from '#wallet/contract.ts'
import { moneyRequests } from '#wallet/request-contract.ts'

const features = '../../features'

/** Points and balance: entries, their authors, and ledger checks. */
export const walletScreens: readonly Screen[] = [
  {
    path: '/admin/wallet',
    file: `${features}/wallet/admin/transactions-page.tsx`,
    title: 'walletAdmin.transactions',
    right: 'wallet.view',
    group: 'members',
    load: listLoader(transactions),
  },
  {
    path: '/admin/wallet/transaction',
    file: `${features}/wallet/admin/transaction-page.tsx`,
    title: 'walletAdmin.transaction',
    titleOf: ({ id }: Output<typeof transaction>) => id,
    right: 'wallet.view',
    load: ({ api, url }) =>
      api.read<typeof transaction>('/admin/wallet/transaction', { transactionId: url.searchParams.get('transactionId') ?? '' }),
  },
  {
    path: '/admin/wallet/member',
    file: `${features}/wallet/admin/member-page.tsx`,
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
    file: `${features}/wallet/admin/requests-page.tsx`,
    title: 'walletAdmin.requests',
    right: 'wallet.view',
    group: 'members',
    pendingCount: 'moneyRequests',
    load: listLoader(moneyRequests),
  },
  {
    path: '/admin/collusion',
    file: `${features}/collusion/admin/hints-page.tsx`,
    title: 'collusionAdmin.hints',
    right: 'wallet.view',
    group: 'members',
    load: listLoader(hints),
  },
  {
    path: '/admin/books',
    file: `${features}/wallet/admin/books-page.tsx`,
    title: 'walletAdmin.books',
    right: 'wallet.freeze',
    group: 'upkeep',
    load: ({ api }) => api.read<typeof books>('/admin/books', {}),
  },
]

import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import type { transactions } from '#wallet/adjust-contract.ts'

export async function findTransactions(typed: string, api: Api, [say = String]: readonly Translate[]) {
  const [, number] = /^#?([1-9]\d{0,17})$/.exec(typed.trim()) ?? []
  if (!number) return []
  const { rows } = await api.read<typeof transactions>('/admin/wallet/transaction/list', { number })
  return rows.map(({ id }) => ({ name: say('walletAdmin.transactionCalled', { id }), to: `/admin/wallet/transaction?transactionId=${id}` }))
}

import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import type { membershipOrders } from '#membership/order-contract.ts'

export async function findOrders(typed: string, api: Api, [say = String]: readonly Translate[]) {
  const [, number] = /^#?(\d{20})$/.exec(typed.trim()) ?? []
  if (!number) return []
  const { rows } = await api.read<typeof membershipOrders>('/admin/membershipOrder/list', { number })
  return rows.map(({ id }) => ({ name: say('membershipAdmin.orderCalled', { number }), to: `/admin/membershipOrder/view?orderId=${id}` }))
}

import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import type { paymentList, refundList } from '#payment/staff-contract.ts'

/** Finds a payment by its number, by that of one of its refunds, or by the provider's number. */
export async function findPayments(typed: string, api: Api, [say = String]: readonly Translate[]) {
  const text = typed.trim().replace(/^#/, '')
  if (!/^[\w-]{16,100}$/.test(text)) return []
  const isOurs = /^\d{20}$/.test(text)
  const [own, theirs, refunds] = await Promise.all([
    isOurs ? api.read<typeof paymentList>('/admin/payment/list', { number: text }) : null,
    api.read<typeof paymentList>('/admin/payment/list', { providerNumber: text }),
    isOurs ? api.read<typeof refundList>('/admin/payment/refund/list', { number: text }) : null,
  ])
  const paid = [...(own?.rows ?? []), ...theirs.rows].map(({ number }) => ({
    name: say('paymentAdmin.paymentCalled', { number }),
    to: `/admin/payment/view?number=${number}`,
  }))
  const refunded = (refunds?.rows ?? []).map(({ number }) => ({
    name: say('paymentAdmin.refundCalled', { number }),
    to: `/admin/payment/refund?number=${number}`,
  }))
  return [...paid, ...refunded]
}

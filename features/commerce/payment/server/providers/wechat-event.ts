import { z } from 'zod'
import { isOurs, type Payment, type ProviderEvent } from '#payment/server/providers/provider.ts'

export const Order = z.object({
  out_trade_no: z.string(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'USERPAYING', 'CLOSED', 'REVOKED', 'PAYERROR']),
})
export const PaidOrder = Order.extend({
  appid: z.string(),
  mchid: z.string(),
  transaction_id: z.string().min(1),
  amount: z.object({ total: z.int().nonnegative(), currency: z.string().default('CNY') }),
  success_time: z.iso.datetime({ offset: true }),
})

export function paymentOf(order: z.infer<typeof PaidOrder>): Payment {
  return {
    number: order.out_trade_no,
    providerNumber: order.transaction_id,
    cents: BigInt(order.amount.total),
    currency: order.amount.currency,
    seller: order.mchid,
    app: order.appid,
    paidAt: new Date(order.success_time),
  }
}

type Notification = { id: string; type: string; says: unknown }

/** The event of a verified and decrypted notification. */
export function eventOf({ id: eventId, type, says }: Notification, at: Date): ProviderEvent {
  if (type.startsWith('REFUND.')) return refundEvent(eventId, Refund.parse(says), at)
  const { data: order } = Order.safeParse(says)
  if (type === 'TRANSACTION.SUCCESS' && order?.trade_state === 'SUCCESS')
    return { eventId, kind: 'paid', payment: paymentOf(PaidOrder.parse(says)) }
  return { eventId, kind: 'other', number: order?.out_trade_no ?? null }
}

const Refund = z.object({
  out_refund_no: z.string(),
  refund_id: z.string().optional(),
  out_trade_no: z.string().optional(),
  transaction_id: z.string().optional(),
  refund_status: z.string(),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ refund: z.int(), currency: z.string().default('CNY') }).optional(),
})

/**
 * A refund of the merchant platform has a number that we never gave. An abnormal one, which the payer's bank rejected, may still be
 * forwarded.
 */
function refundEvent(eventId: string, its: z.infer<typeof Refund>, at: Date): ProviderEvent {
  return {
    eventId,
    kind: 'refund',
    refund: {
      refundNumber: isOurs(its.out_refund_no) ? its.out_refund_no : null,
      providerNumber: its.refund_id ?? null,
      number: its.out_trade_no ?? null,
      paymentNumber: its.transaction_id ?? null,
      cents: its.amount ? BigInt(its.amount.refund) : null,
      currency: its.amount?.currency ?? 'CNY',
      state: its.refund_status === 'SUCCESS' ? 'done' : its.refund_status === 'CLOSED' ? 'failed' : 'open',
      at: its.success_time === undefined ? at : new Date(its.success_time),
    },
  }
}

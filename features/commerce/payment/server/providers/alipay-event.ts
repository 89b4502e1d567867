import { z } from 'zod'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { amount, beijingTime, centsIn, type Gateway } from '#payment/server/providers/alipay-gateway.ts'
import { findRefund, refundNumberOf } from '#payment/server/providers/alipay-refund.ts'
import { isOurs, NotVerified, readSigned, type ProviderEvent } from '#payment/server/providers/provider.ts'

const Signed = z.object({ sign_type: z.literal('RSA2'), charset: z.string().regex(/^utf-8$/i), sign: z.string().min(1) })

const Notification = z.object({
  notify_id: z.string().regex(/^[\w-]{1,128}$/),
  notify_time: beijingTime,
  app_id: z.string().min(1),
  seller_id: z.string().min(1),
  trade_no: z.string().min(1),
  out_trade_no: z.string().min(1),
  trade_status: z.string().min(1),
  total_amount: amount,
  gmt_payment: beijingTime.optional(),
  gmt_refund: z.string().optional(),
  /** The sum of all refunds of the payment. */
  refund_fee: z.string().optional(),
  /** The number with which the refund was requested: ours, or one of Alipay's own screen; none for a whole payment refunded there. */
  out_biz_no: z.string().optional(),
})
type Notification = z.infer<typeof Notification>

export type Identity = { seller: string; app: string }

// Alipay repeats notifications for 24 hours and 22 minutes, with pauses of up to 15 hours; it is undocumented whether the time is renewed.
const replayMs = 26 * 3_600_000

/** The event of a notification, after its signature was verified. */
export async function parseNotification(client: Gateway, ours: Identity, { body, at }: RawRequest): Promise<ProviderEvent> {
  const parameters = Object.fromEntries(new URLSearchParams(body.toString()))
  // Fields without a value say nothing, whether or not they were signed.
  const filled = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
  if (!Signed.safeParse(parameters).success) throw new NotVerified('It is not signed with RSA2 in UTF-8')
  if (!(await client.isSigned(parameters)) && !(await client.isSigned(filled))) throw new NotVerified('The signature is not Alipay’s')
  const data = await readSigned(() => Notification.parse(filled))
  if (Math.abs(at.getTime() - data.notify_time.getTime()) > replayMs) throw new NotVerified('It was signed too long ago')
  return toEvent(client, data, ours)
}

async function toEvent(client: Gateway, data: Notification, ours: Identity): Promise<ProviderEvent> {
  const { trade_no: providerNumber, out_trade_no: number, trade_status: status } = data
  const eventId = [data.notify_id, providerNumber, status, data.out_biz_no ?? data.refund_fee ?? ''].join(':')
  const isToUs = data.seller_id === ours.seller && data.app_id === ours.app
  if (isRefund(data)) return isToUs ? refundEvent(client, eventId, data) : { eventId, kind: 'other', number }
  if (isPaid(status)) {
    const paidAt = data.gmt_payment ?? data.notify_time
    const payment = { number, providerNumber, cents: data.total_amount, currency: 'CNY', seller: data.seller_id, app: data.app_id, paidAt }
    return { eventId, kind: 'paid', payment }
  }
  return { eventId, kind: status === 'TRADE_CLOSED' && isToUs ? 'closed' : 'other', number }
}

/**
 * A refund's notification has the same status as the payment's; only these fields distinguish it. A payment that was closed after it
 * was paid was refunded as a whole.
 */
function isRefund({ gmt_refund: at, refund_fee: sum, trade_status: status, gmt_payment: paidAt }: Notification): boolean {
  return Boolean(at) || /[1-9]/.test(sum ?? '') || (status === 'TRADE_CLOSED' && paidAt !== undefined)
}

/** The notification has the sum of all refunds of the payment, so the amount of a refund that is not ours is queried. */
async function refundEvent(client: Gateway, eventId: string, data: Notification): Promise<ProviderEvent> {
  const { trade_no: paymentNumber, out_trade_no: number, out_biz_no: request, refund_fee: sum, gmt_refund: refundedAt } = data
  const named = request || number
  const isNamedByUs = isOurs(request)
  const isWhole = data.trade_status === 'TRADE_CLOSED' && refundedAt !== undefined
  const allCents = sum ? centsIn(sum) : isWhole ? data.total_amount : null
  // Several refunds without a number have the same name, so that only their sums tell them apart.
  const isFound = !isNamedByUs && (request !== undefined || allCents === null)
  const found = isFound ? await findRefund(client, paymentNumber, named) : null
  const refund = {
    refundNumber: isNamedByUs ? request : null,
    providerNumber: refundNumberOf(paymentNumber, named),
    number,
    paymentNumber,
    cents: found?.state === 'done' ? found.cents : null,
    ...(allCents !== null && { allCents }),
    currency: 'CNY',
    state: 'done' as const,
    at: beijingTime.safeParse(refundedAt).data ?? data.notify_time,
  }
  return { eventId, kind: 'refund', refund }
}

export function isPaid(status: string): boolean {
  return status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED'
}

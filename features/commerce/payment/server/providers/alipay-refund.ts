import { z } from 'zod'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { amount, beijingTime, checked, parseAs, type Gateway } from '#payment/server/providers/alipay-gateway.ts'
import type { RefundStatus } from '#payment/server/providers/provider.ts'

const RefundData = z.object({
  out_request_no: z.string().optional(),
  refund_status: z.string().optional(),
  refund_amount: z.string().optional(),
  gmt_refund_pay: beijingTime.optional(),
})

/** The state of a refund by the number with which it was requested. */
export async function findRefund(client: Gateway, tradeNumber: string, number: string): Promise<RefundStatus> {
  const params = { trade_no: tradeNumber, out_request_no: number, query_options: ['gmt_refund_pay'] }
  const data = await client.ask('alipay.trade.fastpay.refund.query', params)
  if (data.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'unknown' }
  const status = parseAs(RefundData, checked(data))
  if (!status.refund_status) return { state: 'unknown' }
  if ((status.out_request_no ?? number) !== number) throw new RequestFailed('Alipay answers for another refund than it was asked for')
  if (status.refund_status !== 'REFUND_SUCCESS') return { state: 'open' }
  const { refund_amount: cents, gmt_refund_pay: returnedAt = new Date() } = status
  return { state: 'done', providerNumber: refundNumberOf(tradeNumber, number), cents: parseAs(amount, cents), returnedAt }
}

/** Alipay numbers refunds only by the payment and the request; its bills name both. */
export function refundNumberOf(tradeNumber: string, request: string): string {
  return `${tradeNumber}/${request}`
}

import { z } from 'zod'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import { fetchConfiguredBytes, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { isPaid, parseNotification, type Identity } from '#payment/server/providers/alipay-event.ts'
import {
  amount,
  beijingText,
  beijingTime,
  checked,
  gateway,
  parseAs,
  timeoutMs,
  problemOf,
  success,
  type AlipayKeys,
  type BizContent,
  type Gateway,
} from '#payment/server/providers/alipay-gateway.ts'
import { findRefund } from '#payment/server/providers/alipay-refund.ts'
import { linesIn } from '#payment/server/providers/alipay-statement.ts'
import {
  type OrderLookup,
  type OrderRequest,
  type Provider,
  type RefundStatus,
  type RefundRequest,
  type NextStep,
  type StatementLine,
  WrongKey,
} from '#payment/server/providers/provider.ts'
import { serializeAmount } from '#wallet/contract.ts'

export type { AlipayKeys } from '#payment/server/providers/alipay-gateway.ts'

const productionUrl = new URL('https://openapi.alipay.com/gateway.do')
const zone = 'Asia/Shanghai'

/** Alipay: pages for computers and phones, and QR codes for its app. */
export function alipay(keys: AlipayKeys, url = productionUrl): Provider {
  const client = gateway(keys, url)
  const ours = { seller: keys.sellerId, app: keys.appId }
  return {
    name: 'alipay',
    zone,
    start: (order) => start(client, order),
    verify: async (call) => [await parseNotification(client, ours, call)],
    acknowledge: (isTaken) => ({ status: 200, type: 'text/plain; charset=utf-8', body: isTaken ? 'success' : 'fail' }),
    query: (number) => queryOrder(client, ours, number),
    close: (number) => close(client, ours, number),
    refund: (refund) => refundPayment(client, refund),
    queryRefund: (refund) => findRefund(client, refund.paid.providerNumber, refund.number),
    statement: (day) => statement(client, url, day),
    identity: () => Promise.resolve(ours),
    async testKeys() {
      const data = await client.ask('alipay.trade.query', { out_trade_no: '0'.repeat(20) })
      if (data.sub_code === 'isv.invalid-signature')
        throw new WrongKey('Alipay does not take our signature: the private key is not the one of this app')
      if (data.sub_code !== 'ACQ.TRADE_NOT_EXIST') throw new Error(`Alipay refuses the app: ${problemOf(data)}`)
      return []
    },
  }
}

const pages = {
  page: { method: 'alipay.trade.page.pay', product: 'FAST_INSTANT_TRADE_PAY' },
  phone: { method: 'alipay.trade.wap.pay', product: 'QUICK_WAP_WAY' },
} as const

async function start(client: Gateway, { number, cents, method, title, expiresAt, notifyUrl, returnUrl }: OrderRequest): Promise<NextStep> {
  const order = {
    out_trade_no: number,
    total_amount: serializeAmount('cny', cents),
    subject: plainSubject(title) || number,
    time_expire: beijingText(expiresAt),
  }
  if (method === 'page' || method === 'phone') {
    const { method: name, product } = pages[method]
    const back: BizContent = method === 'phone' ? { quit_url: returnUrl } : {}
    return { go: 'page', to: await client.page(name, { ...order, ...back, product_code: product }, { notifyUrl, returnUrl }) }
  }
  if (method !== 'qr') throw new Error(`Alipay is not paid in this way: ${method}`)
  const data = checked(await client.ask('alipay.trade.precreate', { ...order, product_code: 'FACE_TO_FACE_PAYMENT' }, { notifyUrl }))
  return { go: 'qr', to: parseAs(z.object({ qr_code: z.url() }), data).qr_code }
}

/** Alipay limits a subject to 256 bytes in its own charset, and rejects characters such as / = &: letters and digits are safe. */
function plainSubject(text: string): string {
  const safe = text.replace(/[^\p{L}\p{M}\p{N} ,.:!?()\-_，。：；！？、（）《》·—]|[\u{10000}-\u{10ffff}]/gu, ' ')
  return [...safe.replace(/\s+/g, ' ').trim()].slice(0, 64).join('')
}

const Trade = z.object({ out_trade_no: z.string(), trade_no: z.string().min(1), trade_status: z.string() })
const PaidTrade = Trade.extend({ total_amount: amount, send_pay_date: beijingTime.optional(), seller_id: z.string().optional() })

/** The response names no app: it was requested in our name, and covers only our orders. */
async function queryOrder(client: Gateway, ours: Identity, number: string): Promise<OrderLookup> {
  const data = await client.ask('alipay.trade.query', { out_trade_no: number })
  if (data.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'unknown' }
  const trade = parseAs(Trade, checked(data))
  if (trade.out_trade_no !== number) throw new RequestFailed('Alipay answers for another order than it was asked for')
  if (trade.trade_status === 'TRADE_CLOSED') return { state: 'closed' }
  if (!isPaid(trade.trade_status)) return { state: 'open' }
  const {
    trade_no: providerNumber,
    total_amount: cents,
    send_pay_date: paidAt = new Date(),
    seller_id: seller = ours.seller,
  } = parseAs(PaidTrade, data)
  return { state: 'paid', payment: { number, providerNumber, cents, currency: 'CNY', seller, app: ours.app, paidAt } }
}

async function close(client: Gateway, ours: Identity, number: string): Promise<boolean> {
  const data = await client.ask('alipay.trade.close', { out_trade_no: number })
  // The trade exists only after the payer opened Alipay's page or scanned the code.
  if (data.code === success || data.sub_code === 'ACQ.TRADE_NOT_EXIST') return true
  const { state } = await queryOrder(client, ours, number)
  if (state === 'open') throw new RequestFailed(`Alipay does not close the order: ${problemOf(data)}`)
  return state !== 'paid'
}

/** Permanent refusals. A low balance of the seller is not among them: the refund is retried until there is enough. */
const permanentRefusals = new Set(
  `TRADE_NOT_EXIST TRADE_HAS_FINISHED TRADE_HAS_CLOSE TRADE_STATUS_ERROR REASON_TRADE_STATUS_INVALID TRADE_NOT_ALLOW_REFUND
  REFUND_AMT_NOT_EQUAL_TOTAL REASON_TRADE_REFUND_FEE_ERR REFUND_FEE_ERROR NOT_ALLOW_PARTIAL_REFUND BUYER_ERROR BUYER_NOT_EXIST
  ONLINE_TRADE_VOUCHER_NOT_ALLOW_REFUND`
    .split(/\s+/)
    .map((code) => `ACQ.${code}`),
)

/** Refunds by the provider's number of the payment; our refund number makes it idempotent. */
async function refundPayment(client: Gateway, refund: RefundRequest): Promise<RefundStatus> {
  const data = await client.ask('alipay.trade.refund', {
    trade_no: refund.paid.providerNumber,
    refund_amount: serializeAmount('cny', refund.cents),
    refund_reason: plainSubject(refund.reason),
    out_request_no: refund.number,
  })
  if (permanentRefusals.has(data.sub_code ?? '')) return { state: 'failed', problem: problemOf(data) }
  if (data.code !== success) return { state: 'open' }
  // The returned amount covers all refunds of the payment, so this one is queried; if the query does not find it yet, it is in progress.
  const found = await findRefund(client, refund.paid.providerNumber, refund.number)
  return found.state === 'unknown' ? { state: 'open' } : found
}

// Alipay answers the same for a day without trades and for a bill that is not ready, which is so until nine in the morning, rarely longer.
const daysUntilMade = 3

async function statement(client: Gateway, url: URL, day: string): Promise<StatementLine[] | null> {
  const data = await client.ask('alipay.data.dataservice.bill.downloadurl.query', { bill_type: 'trade', bill_date: day })
  if (/BILL_NOT_EXIST/i.test(data.sub_code ?? ''))
    return Date.now() > startOfDay(addDays(day, 1 + daysUntilMade), zone).getTime() ? [] : null
  if (/invalid-parameter|INVAILID_ARGUMENTS/i.test(data.sub_code ?? '')) return null
  const { bill_download_url: billAddress } = parseAs(z.object({ bill_download_url: z.url() }), checked(data))
  const { status, bytes } = await fetchConfiguredBytes(billUrl(billAddress, url), { timeoutMs: 3 * timeoutMs, maxBytes: 64_000_000 })
  if (status !== 200) throw new RequestFailed(`Alipay does not give the bill: ${status}`)
  return linesIn(bytes)
}

/** The address of the bill, on Alipay's host; its responses still say http. */
function billUrl(billAddress: string, url: URL): URL {
  const at = new URL(billAddress)
  if (at.host === url.host) return at
  if (!/(^|\.)alipay\.com$/.test(at.hostname)) throw new RequestFailed('The bill lies elsewhere than at Alipay')
  at.protocol = 'https:'
  return at
}

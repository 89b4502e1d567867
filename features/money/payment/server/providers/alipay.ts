import { z } from 'zod'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { fetchConfiguredBytes, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import {
  amount,
  beijingText,
  beijingTime,
  gateway,
  timeoutMs,
  problemOf,
  success,
  type AlipayKeys,
  type BizContent,
  type GatewayResponse,
} from '#payment/server/providers/alipay-gateway.ts'
import { linesIn } from '#payment/server/providers/alipay-statement.ts'
import {
  NotVerified,
  type OrderLookup,
  type OrderRequest,
  type Provider,
  type RefundStatus,
  type RefundRequest,
  type ProviderEvent,
  type NextStep,
  type StatementLine,
  WrongKey,
} from '#payment/server/providers/provider.ts'
import { serializeAmount } from '#wallet/contract.ts'

export type { AlipayKeys } from '#payment/server/providers/alipay-gateway.ts'

type Gateway = ReturnType<typeof gateway>

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
    verify: (call) => verifyNotification(client, ours, call),
    acknowledge: (isTaken) => ({ status: 200, type: 'text/plain; charset=utf-8', body: isTaken ? 'success' : 'fail' }),
    query: (number) => queryOrder(client, ours, number),
    close: (number) => close(client, ours, number),
    refund: (refund) => refundPayment(client, refund),
    queryRefund: (refund) => findRefund(client, refund),
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
  refund_fee: z.string().optional(),
  /** Our number of the refund. */
  out_biz_no: z.string().optional(),
})

// Alipay repeats notifications for 24 hours and 22 minutes, with pauses of up to 15 hours; it is undocumented whether the time is renewed.
const replayMs = 26 * 3_600_000

async function verifyNotification(client: Gateway, ours: Identity, { body, at }: RawRequest): Promise<ProviderEvent> {
  const parameters = Object.fromEntries(new URLSearchParams(body.toString()))
  if (!Signed.safeParse(parameters).success) throw new NotVerified('It is not signed with RSA2 in UTF-8')
  if (!(await client.isSigned(parameters))) throw new NotVerified('The signature is not Alipay’s')
  const data = Notification.parse(parameters)
  if (Math.abs(at.getTime() - data.notify_time.getTime()) > replayMs) throw new NotVerified('It was signed too long ago')
  return toEvent(data, ours)
}

type Identity = { seller: string; app: string }

function toEvent(data: z.infer<typeof Notification>, ours: Identity): ProviderEvent {
  const { trade_no: providerNumber, out_trade_no: number, trade_status: status, out_biz_no: refundNumber } = data
  const eventId = [data.notify_id, providerNumber, status, refundNumber ?? ''].join(':')
  const isOurs = data.seller_id === ours.seller && data.app_id === ours.app
  // A refund's notification has the same status as the payment's; only these fields distinguish it.
  if (data.gmt_refund || /[1-9]/.test(data.refund_fee ?? ''))
    return refundNumber && isOurs ? { eventId, kind: 'refund', number: refundNumber } : { eventId, kind: 'other', number }
  if (isPaid(status)) {
    const paidAt = data.gmt_payment ?? data.notify_time
    const payment = { number, providerNumber, cents: data.total_amount, currency: 'CNY', seller: data.seller_id, app: data.app_id, paidAt }
    return { eventId, kind: 'paid', payment }
  }
  return { eventId, kind: status === 'TRADE_CLOSED' && isOurs ? 'closed' : 'other', number }
}

function isPaid(status: string): boolean {
  return status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED'
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
  const found = await findRefund(client, refund)
  return found.state === 'unknown' ? { state: 'open' } : found
}

const RefundData = z.object({
  out_request_no: z.string().optional(),
  refund_status: z.string().optional(),
  refund_amount: z.string().optional(),
  gmt_refund_pay: beijingTime.optional(),
})

async function findRefund(client: Gateway, { number, paid }: RefundRequest): Promise<RefundStatus> {
  const params = { trade_no: paid.providerNumber, out_request_no: number, query_options: ['gmt_refund_pay'] }
  const data = await client.ask('alipay.trade.fastpay.refund.query', params)
  if (data.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'unknown' }
  const status = parseAs(RefundData, checked(data))
  if (!status.refund_status) return { state: 'unknown' }
  if ((status.out_request_no ?? number) !== number) throw new RequestFailed('Alipay answers for another refund than it was asked for')
  if (status.refund_status !== 'REFUND_SUCCESS') return { state: 'open' }
  const { refund_amount: cents, gmt_refund_pay: returnedAt = new Date() } = status
  return { state: 'done', providerNumber: `${paid.providerNumber}/${number}`, cents: parseAs(amount, cents), returnedAt }
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

function checked(data: GatewayResponse): GatewayResponse {
  if (data.code !== success) throw new RequestFailed(`Alipay refuses: ${problemOf(data)}`)
  return data
}

function parseAs<T>(schema: z.ZodType<T>, data: unknown): T {
  const read = schema.safeParse(data)
  if (!read.success) throw new RequestFailed('Alipay answers something that cannot be read', { cause: read.error })
  return read.data
}

import { z } from 'zod'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import type { RawRequest } from '#base/server/http/webhook.ts'
import { fetchConfiguredBytes, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import {
  amount,
  beijingText,
  beijingTime,
  gateway,
  patienceMs,
  problemOf,
  success,
  type AlipayKeys,
  type Content,
  type GatewayResponse,
} from '#payment/server/providers/alipay-gateway.ts'
import { linesIn } from '#payment/server/providers/alipay-statement.ts'
import {
  NotVerified,
  type OrderLookup,
  type Ordered,
  type Provider,
  type Refunded,
  type Refunding,
  type ProviderEvent,
  type Start,
  type StatementLine,
  WrongKey,
} from '#payment/server/providers/provider.ts'
import { amountOut } from '#wallet/contract.ts'

export type { AlipayKeys } from '#payment/server/providers/alipay-gateway.ts'

type Gateway = ReturnType<typeof gateway>

const publicDesk = new URL('https://openapi.alipay.com/gateway.do')
const zone = 'Asia/Shanghai'

/** Alipay: pages for computers and phones, and QR codes for its app. */
export function alipay(keys: AlipayKeys, desk = publicDesk): Provider {
  const door = gateway(keys, desk)
  const us = { seller: keys.sellerId, app: keys.appId }
  return {
    name: 'alipay',
    zone,
    start: (order) => start(door, order),
    verify: (call) => verified(door, us, call),
    acknowledge: (isTaken) => ({ status: 200, type: 'text/plain; charset=utf-8', body: isTaken ? 'success' : 'fail' }),
    query: (number) => find(door, us, number),
    close: (number) => close(door, us, number),
    refund: (refund) => giveBack(door, refund),
    queryRefund: (refund) => findRefund(door, refund),
    statement: (day) => statement(door, desk, day),
    us: () => Promise.resolve(us),
    async tryKeys() {
      const told = await door.ask('alipay.trade.query', { out_trade_no: '0'.repeat(20) })
      if (told.sub_code === 'isv.invalid-signature')
        throw new WrongKey('Alipay does not take our signature: the private key is not the one of this app')
      if (told.sub_code !== 'ACQ.TRADE_NOT_EXIST') throw new Error(`Alipay refuses the app: ${problemOf(told)}`)
      return []
    },
  }
}

const pages = {
  page: { method: 'alipay.trade.page.pay', product: 'FAST_INSTANT_TRADE_PAY' },
  phone: { method: 'alipay.trade.wap.pay', product: 'QUICK_WAP_WAY' },
} as const

async function start(door: Gateway, { number, cents, method, title, expiresAt, notifyUrl, returnUrl }: Ordered): Promise<Start> {
  const order = {
    out_trade_no: number,
    total_amount: amountOut('cny', cents),
    subject: plainly(title) || number,
    time_expire: beijingText(expiresAt),
  }
  if (method === 'page' || method === 'phone') {
    const { method: name, product } = pages[method]
    const back: Content = method === 'phone' ? { quit_url: returnUrl } : {}
    return { go: 'page', to: await door.page(name, { ...order, ...back, product_code: product }, { notifyUrl, returnUrl }) }
  }
  if (method !== 'qr') throw new Error(`Alipay is not paid in this way: ${method}`)
  const told = done(await door.ask('alipay.trade.precreate', { ...order, product_code: 'FACE_TO_FACE_PAYMENT' }, { notifyUrl }))
  return { go: 'qr', to: within(z.object({ qr_code: z.url() }), told).qr_code }
}

/** Alipay limits a subject to 256 bytes in its own charset, and rejects characters such as / = &: letters and digits are safe. */
function plainly(text: string): string {
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

async function verified(door: Gateway, us: Us, { body, at }: RawRequest): Promise<ProviderEvent> {
  const parameters = Object.fromEntries(new URLSearchParams(body.toString()))
  if (!Signed.safeParse(parameters).success) throw new NotVerified('It is not signed with RSA2 in UTF-8')
  if (!(await door.isSigned(parameters))) throw new NotVerified('The signature is not Alipay’s')
  const told = Notification.parse(parameters)
  if (Math.abs(at.getTime() - told.notify_time.getTime()) > replayMs) throw new NotVerified('It was signed too long ago')
  return sayingOf(told, us)
}

type Us = { seller: string; app: string }

function sayingOf(told: z.infer<typeof Notification>, us: Us): ProviderEvent {
  const { trade_no: providerNumber, out_trade_no: number, trade_status: status, out_biz_no: refundNumber } = told
  const eventId = [told.notify_id, providerNumber, status, refundNumber ?? ''].join(':')
  const isOurs = told.seller_id === us.seller && told.app_id === us.app
  // A refund's notification has the same status as the payment's; only these fields distinguish it.
  if (told.gmt_refund || /[1-9]/.test(told.refund_fee ?? ''))
    return refundNumber && isOurs ? { eventId, kind: 'refund', number: refundNumber } : { eventId, kind: 'other', number }
  if (isPaid(status)) {
    const paidAt = told.gmt_payment ?? told.notify_time
    const payment = { number, providerNumber, cents: told.total_amount, currency: 'CNY', seller: told.seller_id, app: told.app_id, paidAt }
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
async function find(door: Gateway, us: Us, number: string): Promise<OrderLookup> {
  const told = await door.ask('alipay.trade.query', { out_trade_no: number })
  if (told.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'unknown' }
  const trade = within(Trade, done(told))
  if (trade.out_trade_no !== number) throw new RequestFailed('Alipay answers for another order than it was asked for')
  if (trade.trade_status === 'TRADE_CLOSED') return { state: 'closed' }
  if (!isPaid(trade.trade_status)) return { state: 'open' }
  const {
    trade_no: providerNumber,
    total_amount: cents,
    send_pay_date: paidAt = new Date(),
    seller_id: seller = us.seller,
  } = within(PaidTrade, told)
  return { state: 'paid', payment: { number, providerNumber, cents, currency: 'CNY', seller, app: us.app, paidAt } }
}

async function close(door: Gateway, us: Us, number: string): Promise<boolean> {
  const told = await door.ask('alipay.trade.close', { out_trade_no: number })
  // The trade exists only after the payer opened Alipay's page or scanned the code.
  if (told.code === success || told.sub_code === 'ACQ.TRADE_NOT_EXIST') return true
  const { state } = await find(door, us, number)
  if (state === 'open') throw new RequestFailed(`Alipay does not close the order: ${problemOf(told)}`)
  return state !== 'paid'
}

/** Permanent refusals. A low balance of the seller is not among them: the refund is retried until there is enough. */
const final = new Set(
  `TRADE_NOT_EXIST TRADE_HAS_FINISHED TRADE_HAS_CLOSE TRADE_STATUS_ERROR REASON_TRADE_STATUS_INVALID TRADE_NOT_ALLOW_REFUND
  REFUND_AMT_NOT_EQUAL_TOTAL REASON_TRADE_REFUND_FEE_ERR REFUND_FEE_ERROR NOT_ALLOW_PARTIAL_REFUND BUYER_ERROR BUYER_NOT_EXIST
  ONLINE_TRADE_VOUCHER_NOT_ALLOW_REFUND`
    .split(/\s+/)
    .map((code) => `ACQ.${code}`),
)

/** Refunds by the provider's number of the payment; our refund number makes it idempotent. */
async function giveBack(door: Gateway, refund: Refunding): Promise<Refunded> {
  const told = await door.ask('alipay.trade.refund', {
    trade_no: refund.paid.providerNumber,
    refund_amount: amountOut('cny', refund.cents),
    refund_reason: plainly(refund.reason),
    out_request_no: refund.number,
  })
  if (final.has(told.sub_code ?? '')) return { state: 'failed', problem: problemOf(told) }
  if (told.code !== success) return { state: 'open' }
  // The returned amount covers all refunds of the payment, so this one is queried; if the query does not find it yet, it is in progress.
  const found = await findRefund(door, refund)
  return found.state === 'unknown' ? { state: 'open' } : found
}

const RefundTold = z.object({
  out_request_no: z.string().optional(),
  refund_status: z.string().optional(),
  refund_amount: z.string().optional(),
  gmt_refund_pay: beijingTime.optional(),
})

async function findRefund(door: Gateway, { number, paid }: Refunding): Promise<Refunded> {
  const asked = { trade_no: paid.providerNumber, out_request_no: number, query_options: ['gmt_refund_pay'] }
  const told = await door.ask('alipay.trade.fastpay.refund.query', asked)
  if (told.sub_code === 'ACQ.TRADE_NOT_EXIST') return { state: 'unknown' }
  const its = within(RefundTold, done(told))
  if (!its.refund_status) return { state: 'unknown' }
  if ((its.out_request_no ?? number) !== number) throw new RequestFailed('Alipay answers for another refund than it was asked for')
  if (its.refund_status !== 'REFUND_SUCCESS') return { state: 'open' }
  const { refund_amount: cents, gmt_refund_pay: returnedAt = new Date() } = its
  return { state: 'done', providerNumber: `${paid.providerNumber}/${number}`, cents: within(amount, cents), returnedAt }
}

// Alipay answers the same for a day without trades and for a bill that is not ready, which is so until nine in the morning, rarely longer.
const daysUntilMade = 3

async function statement(door: Gateway, desk: URL, day: string): Promise<StatementLine[] | null> {
  const told = await door.ask('alipay.data.dataservice.bill.downloadurl.query', { bill_type: 'trade', bill_date: day })
  if (/BILL_NOT_EXIST/i.test(told.sub_code ?? ''))
    return Date.now() > startOfDay(addDays(day, 1 + daysUntilMade), zone).getTime() ? [] : null
  if (/invalid-parameter|INVAILID_ARGUMENTS/i.test(told.sub_code ?? '')) return null
  const { bill_download_url: place } = within(z.object({ bill_download_url: z.url() }), done(told))
  const { status, bytes } = await fetchConfiguredBytes(billAt(place, desk), { timeoutMs: 3 * patienceMs, maxBytes: 64_000_000 })
  if (status !== 200) throw new RequestFailed(`Alipay does not give the bill: ${status}`)
  return linesIn(bytes)
}

/** The address of the bill, on Alipay's host; its responses still say http. */
function billAt(place: string, desk: URL): URL {
  const at = new URL(place)
  if (at.host === desk.host) return at
  if (!/(^|\.)alipay\.com$/.test(at.hostname)) throw new RequestFailed('The bill lies elsewhere than at Alipay')
  at.protocol = 'https:'
  return at
}

function done(told: GatewayResponse): GatewayResponse {
  if (told.code !== success) throw new RequestFailed(`Alipay refuses: ${problemOf(told)}`)
  return told
}

function within<T>(schema: z.ZodType<T>, told: unknown): T {
  const read = schema.safeParse(told)
  if (!read.success) throw new RequestFailed('Alipay answers something that cannot be read', { cause: read.error })
  return read.data
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { fetchConfigured, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import type {
  OrderLookup,
  Ordered,
  Payment,
  Provider,
  Refunded,
  Refunding,
  ProviderEvent,
  Start,
} from '#payment/server/providers/provider.ts'
import { ask, openCall, take, unexpected, type WechatResponse } from '#payment/server/providers/wechat-desk.ts'
import { tryKeys } from '#payment/server/providers/wechat-keys.ts'
import { library, signLines, type Way, type WechatKeys } from '#payment/server/providers/wechat-signing.ts'
import { statementOf } from '#payment/server/providers/wechat-statement.ts'

export type { WechatKeys } from '#payment/server/providers/wechat-signing.ts'

/** The parameters with which WeChat's browser requests the payment. */
export type InWeChat = { appId: string; timeStamp: string; nonceStr: string; package: string; signType: string; paySign: string }

/** Continues an order inside WeChat with the payer's code. Null if the code is invalid, expired, or of another order. */
export type WechatProvider = Provider & { continueInside(order: Ordered, payer: { code: string; state: string }): Promise<InWeChat | null> }

export function wechat(keys: WechatKeys, desk?: URL): WechatProvider {
  const way = { keys, origin: new URL('/', desk ?? 'https://api.mch.weixin.qq.com') }
  return {
    name: 'wechat',
    zone: 'Asia/Shanghai',
    start: (order) => start(way, order, desk),
    continueInside: (order, payer) => continueInside(way, order, payer, desk),
    verify: async (call) => saidIn(await openCall(way, call)),
    acknowledge: (isTaken) => ({
      status: isTaken ? 200 : 401,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(isTaken ? { code: 'SUCCESS' } : { code: 'FAIL', message: 'Not verified' }),
    }),
    query: (number) => query(way, number),
    close: (number) => close(way, number),
    refund: (refund) => refundWith(way, refund),
    queryRefund: (refund) => queryRefund(way, refund),
    statement: (day) => statementOf(way, day),
    us: () => Promise.resolve({ seller: keys.merchantId, app: keys.appId }),
    tryKeys: () => tryKeys(way),
  }
}

const orders = '/v3/pay/transactions'
const refunds = '/v3/refund/domestic/refunds'

async function start(way: Way, order: Ordered, desk?: URL): Promise<Start> {
  if (order.method === 'inApp') return { go: 'page', to: askForPayer(way, order.number, desk) }
  if (order.method === 'qr') {
    const told = await begin(way, 'native', order)
    return { go: 'qr', to: take(z.object({ code_url: z.string().min(1) }), told).code_url }
  }
  const scene = { payer_client_ip: order.ip, h5_info: { type: 'Wap' } }
  const { h5_url: page } = take(z.object({ h5_url: z.url() }), await begin(way, 'h5', order, { scene_info: scene }))
  return { go: 'page', to: `${page}&redirect_url=${encodeURIComponent(order.returnUrl)}` }
}

async function begin({ keys, origin }: Way, kind: 'native' | 'h5' | 'jsapi', order: Ordered, more: object = {}): Promise<WechatResponse> {
  const body = {
    appid: keys.appId,
    mchid: keys.merchantId,
    description: cut(order.title, 127),
    out_trade_no: order.number,
    time_expire: `${new Date(order.expiresAt.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`,
    notify_url: order.notifyUrl,
    amount: { total: Number(order.cents), currency: 'CNY' },
    ...more,
  }
  const told = await ask({ keys, origin }, { method: 'POST', path: `${orders}/${kind}`, body })
  if (told.status !== 200) throw unexpected(told)
  return told
}

/** The longest prefix of a text that fits into this many bytes. */
function cut(text: string, bytes: number): string {
  let fitting = ''
  for (const letter of text) {
    if (Buffer.byteLength(fitting + letter) > bytes) break
    fitting += letter
  }
  return fitting
}

/** WeChat's page that identifies the payer and passes a code to a page of ours. It shows nothing itself. */
function askForPayer({ keys }: Way, number: string, desk?: URL): string {
  const address = new URL('/connect/oauth2/authorize', desk ?? 'https://open.weixin.qq.com')
  address.search = new URLSearchParams({
    appid: keys.appId,
    redirect_uri: absoluteUrl(`/payment/wechat?number=${number}`),
    response_type: 'code',
    scope: 'snsapi_base',
    state: stateOf(keys, number),
  }).toString()
  address.hash = 'wechat_redirect'
  return address.href
}

function stateOf({ appSecret }: WechatKeys, number: string): string {
  return createHmac('sha256', appSecret).update(`payer of ${number}`).digest('hex')
}

async function continueInside(
  way: Way,
  order: Ordered,
  { code, state }: { code: string; state: string },
  desk?: URL,
): Promise<InWeChat | null> {
  const [given, right] = [Buffer.from(state), Buffer.from(stateOf(way.keys, order.number))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  const openid = await payerOf(way, code, desk)
  if (openid === null) return null
  const { prepay_id: prepaid } = take(z.object({ prepay_id: z.string().min(1) }), await begin(way, 'jsapi', order, { payer: { openid } }))
  const { Formatter } = await library()
  const { appId } = way.keys
  const [timeStamp, nonceStr, wrapped] = [String(Formatter.timestamp()), Formatter.nonce(), `prepay_id=${prepaid}`]
  const paySign = await signLines(way.keys, appId, timeStamp, nonceStr, wrapped)
  return { appId, timeStamp, nonceStr, package: wrapped, signType: 'RSA', paySign }
}

// The error codes of an invalid, used or expired code.
const spent = [40_029, 40_163, 42_003]
const Payer = z.union([z.object({ openid: z.string().min(1) }), z.object({ errcode: z.int(), errmsg: z.string().default('') })])

async function payerOf({ keys }: Way, code: string, desk?: URL): Promise<string | null> {
  const address = new URL('/sns/oauth2/access_token', desk ?? 'https://api.weixin.qq.com')
  address.search = new URLSearchParams({ appid: keys.appId, secret: keys.appSecret, code, grant_type: 'authorization_code' }).toString()
  const { text } = await fetchConfigured(address, { timeoutMs: 10_000, maxBytes: 100_000 })
  const said = Payer.safeParse(jsonIn(text))
  if (!said.success) throw new RequestFailed('WeChat does not say who pays', { cause: said.error })
  if ('openid' in said.data) return said.data.openid
  if (spent.includes(said.data.errcode)) return null
  throw new RequestFailed(`WeChat does not say who pays: ${said.data.errcode} ${said.data.errmsg}`)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const Order = z.object({
  out_trade_no: z.string(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'USERPAYING', 'CLOSED', 'REVOKED', 'PAYERROR']),
})
const Paid = Order.extend({
  appid: z.string(),
  mchid: z.string(),
  transaction_id: z.string().min(1),
  amount: z.object({ total: z.int().nonnegative(), currency: z.string() }),
  success_time: z.iso.datetime({ offset: true }),
})

function paymentOf(its: z.infer<typeof Paid>): Payment {
  return {
    number: its.out_trade_no,
    providerNumber: its.transaction_id,
    cents: BigInt(its.amount.total),
    currency: its.amount.currency,
    seller: its.mchid,
    app: its.appid,
    paidAt: new Date(its.success_time),
  }
}

function saidIn({ id: eventId, type, says }: { id: string; type: string; says: unknown }): ProviderEvent {
  if (type.startsWith('REFUND.'))
    return { eventId, kind: 'refund', number: z.object({ out_refund_no: z.string() }).parse(says).out_refund_no }
  const { data: order } = Order.safeParse(says)
  if (type === 'TRANSACTION.SUCCESS' && order?.trade_state === 'SUCCESS')
    return { eventId, kind: 'paid', payment: paymentOf(Paid.parse(says)) }
  return { eventId, kind: 'other', number: order?.out_trade_no ?? null }
}

async function query(way: Way, number: string): Promise<OrderLookup> {
  const told = await ask(way, { method: 'GET', path: `${orders}/out-trade-no/${number}?mchid=${way.keys.merchantId}` })
  if (told.status === 404 && told.code === 'ORDER_NOT_EXIST') return { state: 'unknown' }
  if (told.status !== 200) throw unexpected(told)
  const { trade_state: state } = take(Order, told)
  // A refunded payment was paid before.
  if (state === 'SUCCESS' || state === 'REFUND') return { state: 'paid', payment: paymentOf(take(Paid, told)) }
  return { state: state === 'NOTPAY' || state === 'USERPAYING' ? 'open' : 'closed' }
}

async function close(way: Way, number: string): Promise<boolean> {
  const told = await ask(way, { method: 'POST', path: `${orders}/out-trade-no/${number}/close`, body: { mchid: way.keys.merchantId } })
  // An order never opened inside WeChat does not exist there yet; it is created only while it is open here.
  if (told.status === 204 || told.code === 'ORDER_CLOSED' || told.code === 'ORDER_NOT_EXIST') return true
  if (told.code === 'ORDERPAID' || told.code === 'ORDER_PAID') return false
  throw unexpected(told)
}

const Refund = z.object({
  refund_id: z.string().min(1),
  status: z.enum(['SUCCESS', 'PROCESSING', 'CLOSED', 'ABNORMAL']),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ refund: z.int() }),
})

// The codes of permanent refusals of a refund.
const refusals = ['INVALID_REQUEST', 'PARAM_ERROR', 'USER_ACCOUNT_ABNORMAL', 'RESOURCE_NOT_EXISTS', 'ORDER_NOT_EXIST']

async function refundWith(way: Way, { number, cents, paid, reason, notifyUrl }: Refunding): Promise<Refunded> {
  const body = {
    transaction_id: paid.providerNumber,
    out_refund_no: number,
    reason: cut(reason, 80),
    notify_url: notifyUrl,
    amount: { refund: Number(cents), total: Number(paid.cents), currency: 'CNY' },
  }
  const told = await ask(way, { method: 'POST', path: refunds, body })
  if (told.status === 200) return refundedIn(told)
  // The merchant's balance at WeChat Pay is too low. The refund is retried until there is enough.
  if (told.code === 'NOT_ENOUGH') return { state: 'open' }
  if (refusals.includes(told.code)) return { state: 'failed', problem: `${told.code}: ${told.message}` }
  throw unexpected(told)
}

async function queryRefund(way: Way, { number }: Refunding): Promise<Refunded> {
  const told = await ask(way, { method: 'GET', path: `${refunds}/${number}` })
  if (told.status === 404 && told.code === 'RESOURCE_NOT_EXISTS') return { state: 'unknown' }
  if (told.status !== 200) throw unexpected(told)
  return refundedIn(told)
}

function refundedIn(told: WechatResponse): Refunded {
  const its = take(Refund, told)
  if (its.status === 'CLOSED') return { state: 'failed', problem: 'CLOSED: WeChat Pay closed the refund' }
  // The payer's bank rejected an abnormal refund. The merchant forwards it on the merchant platform, so it may still succeed: returning
  // it to the balance as well would pay it twice.
  if (its.status !== 'SUCCESS') return { state: 'open' }
  if (its.success_time === undefined) throw new RequestFailed('WeChat Pay does not say when it refunded')
  return { state: 'done', providerNumber: its.refund_id, cents: BigInt(its.amount.refund), returnedAt: new Date(its.success_time) }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { fetchConfigured, RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import {
  readSigned,
  type OrderLookup,
  type OrderRequest,
  type Provider,
  type RefundStatus,
  type RefundRequest,
  type NextStep,
} from '#payment/server/providers/provider.ts'
import { request, openNotification, parse, unexpected, type WechatResponse } from '#payment/server/providers/wechat-api.ts'
import { Order, PaidOrder, paymentOf, eventOf } from '#payment/server/providers/wechat-event.ts'
import { tryKeys } from '#payment/server/providers/wechat-keys.ts'
import { loadLibrary, signLines, type WechatApi, type WechatKeys } from '#payment/server/providers/wechat-signing.ts'
import { statementOf } from '#payment/server/providers/wechat-statement.ts'

export type { WechatKeys } from '#payment/server/providers/wechat-signing.ts'

/** The parameters with which WeChat's browser requests the payment. */
export type JsapiParams = { appId: string; timeStamp: string; nonceStr: string; package: string; signType: string; paySign: string }

/** Continues an order inside WeChat with the payer's code. Null if the code is invalid, expired, or of another order. */
export type WechatProvider = Provider & {
  continueInside(order: OrderRequest, payer: { code: string; state: string }): Promise<JsapiParams | null>
}

export function wechat(keys: WechatKeys, baseUrl?: URL): WechatProvider {
  const api = { keys, origin: new URL('/', baseUrl ?? 'https://api.mch.weixin.qq.com') }
  return {
    name: 'wechat',
    zone: 'Asia/Shanghai',
    start: (order) => start(api, order, baseUrl),
    continueInside: (order, payer) => continueInside(api, order, payer, baseUrl),
    verify: async (call) => {
      const notification = await openNotification(api, call)
      return [await readSigned(() => eventOf(notification, call.at))]
    },
    acknowledge: (isTaken) => ({
      status: isTaken ? 200 : 401,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(isTaken ? { code: 'SUCCESS' } : { code: 'FAIL', message: 'Not verified' }),
    }),
    query: (number) => query(api, number),
    close: (number) => close(api, number),
    refund: (refund) => requestRefund(api, refund),
    queryRefund: (refund) => queryRefund(api, refund),
    statement: (day) => statementOf(api, day),
    identity: () => Promise.resolve({ seller: keys.merchantId, app: keys.appId }),
    testKeys: () => tryKeys(api),
  }
}

const orders = '/v3/pay/transactions'
const refunds = '/v3/refund/domestic/refunds'

async function start(api: WechatApi, order: OrderRequest, baseUrl?: URL): Promise<NextStep> {
  if (order.method === 'inApp') return { go: 'page', to: payerPageUrl(api, order.number, baseUrl) }
  if (order.method === 'qr') {
    const reply = await begin(api, 'native', order)
    return { go: 'qr', to: parse(z.object({ code_url: z.string().min(1) }), reply).code_url }
  }
  const scene = { payer_client_ip: order.ip, h5_info: { type: 'Wap' } }
  const { h5_url: page } = parse(z.object({ h5_url: z.url() }), await begin(api, 'h5', order, { scene_info: scene }))
  return { go: 'page', to: `${page}&redirect_url=${encodeURIComponent(order.returnUrl)}` }
}

async function begin(
  { keys, origin }: WechatApi,
  kind: 'native' | 'h5' | 'jsapi',
  order: OrderRequest,
  more: object = {},
): Promise<WechatResponse> {
  const body = {
    appid: keys.appId,
    mchid: keys.merchantId,
    description: truncate(order.title, 127),
    out_trade_no: order.number,
    time_expire: `${new Date(order.expiresAt.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`,
    notify_url: order.notifyUrl,
    amount: { total: Number(order.cents), currency: 'CNY' },
    ...more,
  }
  const reply = await request({ keys, origin }, { method: 'POST', path: `${orders}/${kind}`, body })
  if (reply.status !== 200) throw unexpected(reply)
  return reply
}

/** The longest prefix of a text that fits into this many bytes. */
function truncate(text: string, bytes: number): string {
  let fitting = ''
  for (const letter of text) {
    if (Buffer.byteLength(fitting + letter) > bytes) break
    fitting += letter
  }
  return fitting
}

/** WeChat's page that identifies the payer and passes a code to a page of ours. It shows nothing itself. */
function payerPageUrl({ keys }: WechatApi, number: string, baseUrl?: URL): string {
  const address = new URL('/connect/oauth2/authorize', baseUrl ?? 'https://open.weixin.qq.com')
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
  api: WechatApi,
  order: OrderRequest,
  { code, state }: { code: string; state: string },
  baseUrl?: URL,
): Promise<JsapiParams | null> {
  const [actual, right] = [Buffer.from(state), Buffer.from(stateOf(api.keys, order.number))]
  if (actual.length !== right.length || !timingSafeEqual(actual, right)) return null
  const openid = await payerOf(api, code, baseUrl)
  if (openid === null) return null
  const { prepay_id: prepaid } = parse(z.object({ prepay_id: z.string().min(1) }), await begin(api, 'jsapi', order, { payer: { openid } }))
  const { Formatter } = await loadLibrary()
  const { appId } = api.keys
  const [timeStamp, nonceStr, wrapped] = [String(Formatter.timestamp()), Formatter.nonce(), `prepay_id=${prepaid}`]
  const paySign = await signLines(api.keys, appId, timeStamp, nonceStr, wrapped)
  return { appId, timeStamp, nonceStr, package: wrapped, signType: 'RSA', paySign }
}

// The error codes of an invalid, used or expired code.
const spentCodes = [40_029, 40_163, 42_003]
const Payer = z.union([z.object({ openid: z.string().min(1) }), z.object({ errcode: z.int(), errmsg: z.string().default('') })])

async function payerOf({ keys }: WechatApi, code: string, baseUrl?: URL): Promise<string | null> {
  const address = new URL('/sns/oauth2/access_token', baseUrl ?? 'https://api.weixin.qq.com')
  address.search = new URLSearchParams({ appid: keys.appId, secret: keys.appSecret, code, grant_type: 'authorization_code' }).toString()
  const { text } = await fetchConfigured(address, { timeoutMs: 10_000, maxBytes: 100_000 })
  const parsed = Payer.safeParse(jsonIn(text))
  if (!parsed.success) throw new RequestFailed('WeChat does not say who pays', { cause: parsed.error })
  if ('openid' in parsed.data) return parsed.data.openid
  if (spentCodes.includes(parsed.data.errcode)) return null
  throw new RequestFailed(`WeChat does not say who pays: ${parsed.data.errcode} ${parsed.data.errmsg}`)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function query(api: WechatApi, number: string): Promise<OrderLookup> {
  const reply = await request(api, { method: 'GET', path: `${orders}/out-trade-no/${number}?mchid=${api.keys.merchantId}` })
  if (reply.status === 404 && reply.code === 'ORDER_NOT_EXIST') return { state: 'unknown' }
  if (reply.status !== 200) throw unexpected(reply)
  const { trade_state: state } = parse(Order, reply)
  // A refunded payment was paid before.
  if (state === 'SUCCESS' || state === 'REFUND') return { state: 'paid', payment: paymentOf(parse(PaidOrder, reply)) }
  return { state: state === 'NOTPAY' || state === 'USERPAYING' ? 'open' : 'closed' }
}

async function close(api: WechatApi, number: string): Promise<boolean> {
  const reply = await request(api, { method: 'POST', path: `${orders}/out-trade-no/${number}/close`, body: { mchid: api.keys.merchantId } })
  // An order never opened inside WeChat does not exist there yet; it is created only while it is open here.
  if (reply.status === 204 || reply.code === 'ORDER_CLOSED' || reply.code === 'ORDER_NOT_EXIST') return true
  if (reply.code === 'ORDERPAID' || reply.code === 'ORDER_PAID') return false
  throw unexpected(reply)
}

const Refund = z.object({
  refund_id: z.string().min(1),
  status: z.enum(['SUCCESS', 'PROCESSING', 'CLOSED', 'ABNORMAL']),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ refund: z.int() }),
})

// The codes of permanent refusals of a refund.
const refusals = ['INVALID_REQUEST', 'PARAM_ERROR', 'USER_ACCOUNT_ABNORMAL', 'RESOURCE_NOT_EXISTS', 'ORDER_NOT_EXIST']

async function requestRefund(api: WechatApi, { number, cents, paid, reason, notifyUrl }: RefundRequest): Promise<RefundStatus> {
  const body = {
    transaction_id: paid.providerNumber,
    out_refund_no: number,
    reason: truncate(reason, 80),
    notify_url: notifyUrl,
    amount: { refund: Number(cents), total: Number(paid.cents), currency: 'CNY' },
  }
  const reply = await request(api, { method: 'POST', path: refunds, body })
  if (reply.status === 200) return refundStatus(reply)
  // The merchant's balance at WeChat Pay is too low. The refund is retried until there is enough.
  if (reply.code === 'NOT_ENOUGH') return { state: 'open' }
  if (refusals.includes(reply.code)) return { state: 'failed', problem: `${reply.code}: ${reply.message}` }
  throw unexpected(reply)
}

async function queryRefund(api: WechatApi, { number }: RefundRequest): Promise<RefundStatus> {
  const reply = await request(api, { method: 'GET', path: `${refunds}/${number}` })
  if (reply.status === 404 && reply.code === 'RESOURCE_NOT_EXISTS') return { state: 'unknown' }
  if (reply.status !== 200) throw unexpected(reply)
  return refundStatus(reply)
}

function refundStatus(reply: WechatResponse): RefundStatus {
  const order = parse(Refund, reply)
  if (order.status === 'CLOSED') return { state: 'failed', problem: 'CLOSED: WeChat Pay closed the refund' }
  // The payer's bank rejected an abnormal refund. The merchant forwards it on the merchant platform, so it may still succeed: returning
  // it to the balance as well would pay it twice.
  if (order.status !== 'SUCCESS') return { state: 'open' }
  if (order.success_time === undefined) throw new RequestFailed('WeChat Pay does not say when it refunded')
  return { state: 'done', providerNumber: order.refund_id, cents: BigInt(order.amount.refund), returnedAt: new Date(order.success_time) }
}

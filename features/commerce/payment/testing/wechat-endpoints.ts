import { createHash, randomBytes } from 'node:crypto'
import { billOf, type Trades, type WechatOrder } from '#payment/testing/wechat-bill.ts'
import type { WechatKeyring } from '#payment/testing/wechat-keyring.ts'

export type WechatReply = { status: number; says?: unknown; file?: string }
type WechatRequest = { part: string; query: URLSearchParams; body: unknown }

export const refusal = (status: number, code: string, message: string): WechatReply => ({ status, says: { code, message } })
export const chinaTime = (at = new Date()) => `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`

/** The state of the stand-in, and its configured behaviour. */
export type WechatState = Trades & {
  seals: WechatKeyring
  address: string
  /** The refusal of refunds. */
  refusesRefund: { status: number; code: string; message: string } | null
  /** The immediate status of a refund. */
  refundsAre: string
  statement: 'there' | 'creating' | 'none' | 'cut'
  /** The payers by their single-use codes. */
  codes: Map<string, string>
}

export function initialState(seals: WechatKeyring): WechatState {
  const known = { orders: new Map(), refunds: new Map(), codes: new Map() }
  return { ...known, seals, address: '', refusesRefund: null, refundsAre: 'SUCCESS', statement: 'there' }
}

const endpoints: readonly [RegExp, (state: WechatState, request: WechatRequest) => WechatReply][] = [
  [/^POST \/v3\/pay\/transactions\/(native|h5|jsapi)$/, begin],
  [/^GET \/v3\/pay\/transactions\/out-trade-no\/(\d+)$/, find],
  [/^POST \/v3\/pay\/transactions\/out-trade-no\/(\d+)\/close$/, close],
  [/^POST \/v3\/refund\/domestic\/(refunds)$/, refund],
  [/^GET \/v3\/refund\/domestic\/refunds\/(\d+)$/, findRefund],
  [/^GET \/v3\/(certificates)$/, certificates],
  [/^GET \/v3\/bill\/(tradebill)$/, statement],
  [/^GET \/v3\/billdownload\/(file)$/, file],
  [/^GET \/sns\/oauth2\/(access_token)$/, payer],
]

/** The response to a request with this first line. */
export function answerTo(state: WechatState, line: string, query: URLSearchParams, body: string): WechatReply {
  for (const [pattern, handler] of endpoints) {
    const part = pattern.exec(line)?.[1]
    if (part !== undefined) return handler(state, { part, query, body: body === '' ? null : JSON.parse(body) })
  }
  return refusal(404, 'RESOURCE_NOT_EXISTS', line)
}

export function factsOf(state: WechatState, number: string): Record<string, unknown> {
  const { total, openid, transaction_id, success_time, ...order } = knownOrder(state.orders, number)
  const isPaid = ['SUCCESS', 'REFUND'].includes(order.trade_state)
  const { appId: appid, merchantId: mchid } = state.seals.keys
  return {
    appid,
    mchid,
    ...order,
    trade_state_desc: order.trade_state,
    attach: '',
    ...(isPaid && { transaction_id, success_time, bank_type: 'OTHERS', payer: { openid: openid ?? 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' } }),
    amount: { total, payer_total: total, currency: 'CNY', payer_currency: 'CNY' },
  }
}

function begin(state: WechatState, { part: kind, body }: WechatRequest): WechatReply {
  const {
    appid,
    mchid,
    out_trade_no: number,
    amount,
    payer,
    scene_info: scene,
  } = body as Record<string, string> & {
    amount: { total: number }
    payer?: { openid: string }
    scene_info?: object
  }
  if (appid !== state.seals.keys.appId || mchid !== state.seals.keys.merchantId)
    return refusal(400, 'APPID_MCHID_NOT_MATCH', 'appid和mchid不匹配')
  const lacks = !number || !Number.isInteger(amount.total) || (kind === 'jsapi' && !payer) || (kind === 'h5' && !scene)
  if (lacks) return refusal(400, 'PARAM_ERROR', '参数错误')
  const order = { out_trade_no: number, trade_state: 'NOTPAY', total: amount.total, openid: payer?.openid ?? null, success_time: '' }
  state.orders.set(number, { ...order, transaction_id: `42000${number}` })
  if (kind === 'native') return { status: 200, says: { code_url: `weixin://wxpay/bizpayurl?pr=${number}` } }
  if (kind === 'jsapi') return { status: 200, says: { prepay_id: `wx${number}` } }
  return { status: 200, says: { h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${number}&package=1` } }
}

function find(state: WechatState, { part: number, query }: WechatRequest): WechatReply {
  if (query.get('mchid') !== state.seals.keys.merchantId || !state.orders.has(number)) return refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
  return { status: 200, says: factsOf(state, number) }
}

function close(state: WechatState, { part: number }: WechatRequest): WechatReply {
  const order = state.orders.get(number)
  if (!order) return refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
  if (order.trade_state === 'SUCCESS') return refusal(400, 'ORDERPAID', '该订单已支付')
  if (order.trade_state === 'CLOSED') return refusal(400, 'ORDER_CLOSED', '订单已关闭')
  order.trade_state = 'CLOSED'
  return { status: 204 }
}

function refund(state: WechatState, { body }: WechatRequest): WechatReply {
  const {
    transaction_id: paid,
    out_refund_no: number,
    amount,
    reason,
  } = body as Record<string, string> & { amount: { refund: number; total: number } }
  if (state.refusesRefund) return refusal(state.refusesRefund.status, state.refusesRefund.code, state.refusesRefund.message)
  const order = [...state.orders.values()].find(({ transaction_id }) => transaction_id === paid)
  if (!order || !number) return refusal(404, 'RESOURCE_NOT_EXISTS', '订单不存在')
  if (Buffer.byteLength(reason ?? '') > 80) return refusal(400, 'PARAM_ERROR', 'reason')
  const before = [...state.refunds.values()].filter(({ out_trade_no }) => out_trade_no === order.out_trade_no)
  const left = order.total - before.reduce((all, one) => all + one.refund, 0)
  if (!state.refunds.has(number) && (amount.total !== order.total || amount.refund > left))
    return refusal(400, 'INVALID_REQUEST', '订单金额或退款金额不一致')
  const entry = { out_refund_no: number, out_trade_no: order.out_trade_no, ...amount, status: state.refundsAre, success_time: chinaTime() }
  if (!state.refunds.has(number)) state.refunds.set(number, entry)
  order.trade_state = 'REFUND'
  return findRefund(state, { part: number })
}

function findRefund(state: WechatState, { part: number }: Pick<WechatRequest, 'part'>): WechatReply {
  const entry = state.refunds.get(number)
  if (!entry) return refusal(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
  const { refund: back, total, success_time, status, ...names } = entry
  const amount = { total, refund: back, payer_total: total, payer_refund: back, currency: 'CNY' }
  return { status: 200, says: { refund_id: `50000${number}`, ...names, status, ...(status === 'SUCCESS' && { success_time }), amount } }
}

function certificates(state: WechatState): WechatReply {
  if (state.seals.platform.length === 0) return refusal(404, 'RESOURCE_NOT_EXISTS', '无可用的平台证书')
  const data = state.seals.platform.map(({ serial, certificate }) => ({
    serial_no: serial,
    encrypt_certificate: state.seals.sealed(certificate, 'certificate'),
  }))
  return { status: 200, says: { data } }
}

function statement(state: WechatState, { query }: WechatRequest): WechatReply {
  if (state.statement === 'creating') return refusal(400, 'STATEMENT_CREATING', '账单生成中')
  if (state.statement === 'none') return refusal(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
  const day = query.get('bill_date') ?? ''
  const hash_value = createHash('sha1').update(billOf(day, state)).digest('hex')
  return { status: 200, says: { hash_type: 'SHA1', hash_value, download_url: `${state.address}/v3/billdownload/file?token=${day}` } }
}

function file(state: WechatState, { query }: WechatRequest): WechatReply {
  const whole = billOf(query.get('token') ?? '', state)
  return { status: 200, file: state.statement === 'cut' ? whole.slice(0, -20) : whole }
}

function payer(state: WechatState, { query }: WechatRequest): WechatReply {
  const code = query.get('code') ?? ''
  const openid = state.codes.get(code)
  if (query.get('appid') !== state.seals.keys.appId || query.get('secret') !== state.seals.keys.appSecret)
    return { status: 200, says: { errcode: 40_125, errmsg: 'invalid appsecret' } }
  if (!openid) return { status: 200, says: { errcode: 40_163, errmsg: 'code been used' } }
  state.codes.delete(code)
  return { status: 200, says: { access_token: randomBytes(8).toString('hex'), expires_in: 7200, openid, scope: 'snsapi_base' } }
}

function knownOrder(orders: ReadonlyMap<string, WechatOrder>, number: string): WechatOrder {
  const order = orders.get(number)
  if (!order) throw new Error(`WeChat Pay knows no order ${number}`)
  return order
}

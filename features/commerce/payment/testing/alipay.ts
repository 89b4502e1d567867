import { createSign, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { serve, type FakeServer } from '#base/testing/fake-server.ts'

type Parameters = Record<string, string>
type Order = { number: string; cents: bigint }
export type Trade = Order & { tradeNo: string; status: string; paidAt: Date | null; refunds: Map<string, { cents: bigint; at: Date }> }
export type GatewayRequest = { method: string; content: Parameters; parameters: Parameters }

export const aPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const success = (more: Parameters): Parameters => ({ code: '10000', msg: 'Success', ...more })
const refusal = (code: string, words: string, kind = '40004'): Parameters => ({
  code: kind,
  msg: 'Refused',
  sub_code: code,
  sub_msg: words,
})

export const clock = (moment: Date) => new Date(moment.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const clockForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const yuan = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
const cents = (yuanText = '') => BigInt(/^\d+\.\d\d$/.test(yuanText) ? yuanText.replace('.', '') : 0)

/** The signed text: all parameters but the signature, sorted by name. */
function signable(parameters: Parameters): string {
  return Object.keys(parameters)
    .filter((name) => name !== 'sign')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')
}

/**
 * A server that behaves like Alipay's: it verifies requests with the app's key, stores trades and refunds, and signs responses and
 * notifications with its own key.
 */
export class AlipayStandIn {
  readonly app = aPair()
  readonly appId = '2021004100000001'
  readonly sellerId = '2088621900000001'
  private readonly own = aPair()
  /** The key of its responses; another key simulates a man in the middle. */
  signsBy: KeyObject = this.own.privateKey
  readonly trades = new Map<string, Trade>()
  readonly bills = new Map<string, Buffer>()
  /** The host that it names for the bills, instead of its own. */
  billsLieAt: string | null = null
  asked: GatewayRequest[] = []
  /** The seller's balance. */
  balance = 1_000_000n
  /** Alters a response, or takes over and sends none. */
  tamper: (answer: string, response: ServerResponse) => string | null = (answer) => answer
  private readonly offered = new Map<string, Order>()
  private served: FakeServer | null = null

  async open(): Promise<this> {
    this.served = await serve((address) => (request, response) => this.answer(new URL(request.url ?? '/', address), request, response))
    return this
  }

  close = () => this.served?.close()

  get url(): URL {
    return new URL('/gateway.do', this.served?.address)
  }

  get keys() {
    const key = this.app.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const publicKey = this.own.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    return { appId: this.appId, sellerId: this.sellerId, key, publicKey }
  }

  /** The payer pays on the page or by the scanned code. */
  pay(number: string, paidAt = new Date()): Trade {
    const offer = this.offered.get(number)
    const trade = this.trades.get(number) ?? (offer && this.begin(offer))
    if (trade?.status !== 'WAIT_BUYER_PAY') throw new Error(`${number} cannot be paid`)
    this.balance += trade.cents
    return Object.assign(trade, { status: 'TRADE_SUCCESS', paidAt })
  }

  /** The notification of a trade, as a form. Parameters may be overridden; an empty text removes one. */
  notification(number: string, other: Parameters = {}, by = this.own.privateKey): string {
    const { tradeNo, status, cents: sum, paidAt, refunds } = this.trades.get(number) ?? aTrade({ number, cents: 100n })
    const all: Parameters = {
      notify_type: 'trade_status_sync',
      notify_id: `2026112700222${number}${status}${refunds.size}`,
      notify_time: clock(new Date()),
      charset: 'utf-8',
      version: '1.0',
      app_id: this.appId,
      auth_app_id: this.appId,
      seller_id: this.sellerId,
      subject: '茶馆 100% + 充值',
      trade_no: tradeNo,
      out_trade_no: number,
      trade_status: status,
      total_amount: yuan(sum),
      gmt_payment: paidAt ? clock(paidAt) : '',
      ...other,
    }
    const { sign_type: type = 'RSA2', ...told } = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
    const sign = createSign(type === 'RSA' ? 'RSA-SHA1' : 'RSA-SHA256').update(signable(told))
    return String(new URLSearchParams({ ...told, sign_type: type, sign: sign.sign(by, 'base64') }))
  }

  private async answer(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.pathname.startsWith('/downloadBillFile')) return void response.end(this.bills.get(url.searchParams.get('bizDates') ?? ''))
    const parameters = Object.fromEntries([...url.searchParams, ...new URLSearchParams(await text(request))])
    const { method = '' } = parameters
    const reply = this.refused(parameters) ?? this.handle(method, JSON.parse(parameters.biz_content ?? '{}') as Parameters, parameters)
    const body = this.tamper(this.signed(method, reply), response)
    if (body === null) return
    const isPage = /(page|wap)\.pay$/.test(method)
    response.writeHead(isPage && reply.code !== '10000' ? 400 : 200, { 'content-type': 'text/html;charset=utf-8' }).end(body)
  }

  private refused({ sign = '', ...rest }: Parameters): Parameters | null {
    if (rest.app_id !== this.appId) return refusal('isv.invalid-app-id', '无效的AppID参数', '40002')
    const isRight = createVerify('RSA-SHA256').update(signable(rest)).verify(this.app.publicKey, sign, 'base64')
    if (!isRight || rest.sign_type !== 'RSA2') return refusal('isv.invalid-signature', '验签出错', '40002')
    const apart = Math.abs(Date.parse(`${rest.timestamp?.replace(' ', 'T')}+08:00`) - Date.now())
    return apart < 15 * 60_000 ? null : refusal('isv.invalid-timestamp', '非法的时间戳参数', '40002')
  }

  /** Serializes JSON with escaped slashes, as Alipay does. A response to an unknown app is unsigned. */
  private signed(method: string, reply: Parameters): string {
    const part = JSON.stringify(reply).replaceAll('/', '\\/')
    if (reply.sub_code === 'isv.invalid-app-id') return `{"error_response":${part}}`
    const sign = createSign('RSA-SHA256').update(part).sign(this.signsBy, 'base64')
    return `{"${method.replaceAll('.', '_')}_response":${part},"sign":"${sign}"}`
  }

  private handle(method: string, content: Parameters, parameters: Parameters): Parameters {
    this.asked.push({ method, content, parameters })
    if (/(page|wap)\.pay$|precreate$/.test(method)) return this.offer(method, content)
    if (method === 'alipay.data.dataservice.bill.downloadurl.query') return this.bill(content.bill_date ?? '')
    const trade = [...this.trades.values()].find(({ number, tradeNo }) =>
      content.trade_no ? tradeNo === content.trade_no : number === content.out_trade_no,
    )
    if (!trade) return refusal('ACQ.TRADE_NOT_EXIST', '交易不存在')
    if (method === 'alipay.trade.query') return found(trade)
    if (method === 'alipay.trade.close') return closed(trade)
    if (method === 'alipay.trade.refund') return this.giveBack(trade, content)
    if (method === 'alipay.trade.fastpay.refund.query') return foundRefund(trade, content.out_request_no ?? '')
    return refusal('isv.invalid-method', '不存在的方法名', '40002')
  }

  /** A page creates a trade when it is opened, a code only when it is scanned. */
  private offer(method: string, content: Parameters): Parameters {
    const { out_trade_no: number = '', subject = '', time_expire: expires = '', product_code: product } = content
    const isFit = subject && Buffer.byteLength(subject) <= 256 && !/[/=&]/.test(subject) && clockForm.test(expires) && product
    const order = { number, cents: cents(content.total_amount) }
    if (!isFit || order.cents === 0n) return refusal('ACQ.INVALID_PARAMETER', '参数无效')
    if (method.endsWith('precreate')) this.offered.set(number, order)
    else if (!this.trades.has(number)) this.begin(order)
    return success({ out_trade_no: number, qr_code: `https://qr.alipay.com/bax${number}` })
  }

  private begin(order: Order): Trade {
    const trade = aTrade(order)
    this.trades.set(order.number, trade)
    return trade
  }

  private giveBack(trade: Trade, { out_request_no: request = '', refund_amount: amount }: Parameters): Parameters {
    const before = refunded(trade)
    const answer = (change: 'Y' | 'N') =>
      success({ trade_no: trade.tradeNo, out_trade_no: trade.number, fund_change: change, refund_fee: yuan(refunded(trade)) })
    if (trade.refunds.has(request)) return answer('N')
    if (trade.status === 'TRADE_FINISHED') return refusal('ACQ.TRADE_HAS_FINISHED', '交易已经完结')
    if (before + cents(amount) > trade.cents) return refusal('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
    if (this.balance < cents(amount)) return refusal('ACQ.SELLER_BALANCE_NOT_ENOUGH', '卖家余额不足')
    trade.refunds.set(request, { cents: cents(amount), at: new Date() })
    this.balance -= cents(amount)
    if (refunded(trade) === trade.cents) trade.status = 'TRADE_CLOSED'
    return answer('Y')
  }

  private bill(day: string): Parameters {
    if (!this.bills.has(day)) return refusal('isp.bill_not_exist', '账单不存在')
    return success({
      bill_download_url: `${this.billsLieAt ?? this.served?.address}/downloadBillFile.resource?bizType=trade&bizDates=${day}`,
    })
  }
}

function aTrade(order: Order): Trade {
  return { ...order, tradeNo: `2026112722001${order.number.slice(5)}`, status: 'WAIT_BUYER_PAY', paidAt: null, refunds: new Map() }
}

function refunded({ refunds }: Trade): bigint {
  return [...refunds.values()].reduce((sum, refund) => sum + refund.cents, 0n)
}

function found({ number, tradeNo, status, cents: sum, paidAt }: Trade): Parameters {
  const paid: Parameters = paidAt ? { send_pay_date: clock(paidAt), receipt_amount: yuan(sum) } : {}
  return success({ out_trade_no: number, trade_no: tradeNo, trade_status: status, total_amount: yuan(sum), ...paid })
}

function closed(trade: Trade): Parameters {
  if (trade.status !== 'WAIT_BUYER_PAY') return refusal('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')
  trade.status = 'TRADE_CLOSED'
  return success({ out_trade_no: trade.number, trade_no: trade.tradeNo })
}

function foundRefund({ number, tradeNo, refunds }: Trade, request: string): Parameters {
  const refund = refunds.get(request)
  if (!refund) return success({})
  const its = {
    out_request_no: request,
    refund_amount: yuan(refund.cents),
    refund_status: 'REFUND_SUCCESS',
    gmt_refund_pay: clock(refund.at),
  }
  return success({ out_trade_no: number, trade_no: tradeNo, ...its })
}

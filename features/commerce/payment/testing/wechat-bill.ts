export type WechatOrder = {
  out_trade_no: string
  trade_state: string
  total: number
  openid: string | null
  transaction_id: string
  success_time: string
}
export type WechatRefund = {
  out_refund_no: string
  out_trade_no: string
  refund: number
  total: number
  status: string
  success_time: string
}
export type Trades = { orders: Map<string, WechatOrder>; refunds: Map<string, WechatRefund> }

const head =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,' +
  '微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const foot = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

const yuan = (cents: number) => (cents / 100).toFixed(2)
// 0.6 percent, rounded to cents and written with five decimals.
const feeOf = (cents: number) => Math.round(cents * 0.006)
const fee = (cents: number) => (cents / 100).toFixed(5)
const line = (values: readonly string[]) => values.map((value) => `\`${value}`).join(',')

/** The file of a day's trades in WeChat Pay's format. A title may contain commas. */
export function billOf(day: string, { orders, refunds }: Trades): string {
  const paid = [...orders.values()].filter((order) => order.success_time.startsWith(day))
  const back = [...refunds.values()].filter((refund) => refund.success_time.startsWith(day))
  const feeSum = paid.reduce((all, { total }) => all + feeOf(total), 0) - back.reduce((all, its) => all + feeOf(its.refund), 0)
  const [orderSum, refundSum] = [paid.reduce((all, { total }) => all + total, 0), back.reduce((all, its) => all + its.refund, 0)]
  const rows = [...paid.map(paidRow), ...back.map((refund) => refundRow(refund, orders))]
  const sums = [String(rows.length), yuan(orderSum), yuan(refundSum), '0.00', fee(feeSum), yuan(orderSum), yuan(refundSum)]
  return `\uFEFF${[head, ...rows.map(line), foot, line(sums)].join('\r\n')}\r\n`
}

const time = (at: string) => at.slice(0, 19).replace('T', ' ')
const merchantCells = ['wx8888888888888888', '1900000109', '0', '']

function paidRow({ out_trade_no: number, transaction_id: its, total, success_time: at }: WechatOrder): string[] {
  const none = ['0', '0', '0.00', '0.00', '', '']
  const [before, after] = [
    [time(at), ...merchantCells, its, number, 'o', 'NATIVE', 'SUCCESS', 'OTHERS', 'CNY'],
    ['茶馆, Tea', ''],
  ]
  return [...before, yuan(total), '0.00', ...none, ...after, fee(feeOf(total)), '0.60%', yuan(total), '0.00', '']
}

function refundRow(
  { out_refund_no: refund, out_trade_no: number, refund: cents, success_time: at }: WechatRefund,
  orders: Trades['orders'],
): string[] {
  const its = orders.get(number)?.transaction_id ?? ''
  const [before, after] = [
    [time(at), ...merchantCells, its, number, 'o', 'NATIVE', 'REFUND', 'OTHERS', 'CNY'],
    ['茶馆, Tea', ''],
  ]
  const back = [`50000${refund}`, refund, yuan(cents), '0.00', 'ORIGINAL', 'SUCCESS']
  return [...before, '0.00', '0.00', ...back, ...after, fee(-feeOf(cents)), '0.60%', '0.00', yuan(cents), '']
}

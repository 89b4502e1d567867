import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { inGbk } from '#payment/testing/gbk.ts'

/** A row of a bill: raw texts, and amounts in yuan. */
export type BillRow = {
  trade: string
  order: string
  kind?: '交易' | '退款'
  title?: string
  ended?: string
  total: string
  received?: string
  request?: string
  fee?: string
  payer?: string
  remark?: string
}

const head =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,' +
  '集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const sums =
  '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）'

/** The bill of a day as Alipay packs it: a list of trades, and a summary. */
export function tradeBill(day: string, rows: readonly BillRow[]): Promise<Buffer> {
  const [year, month, date] = day.split('-')
  const lines = [
    '#支付宝业务明细查询',
    '#账号：[20886219000000010156]',
    `#起始日期：[${year}年${month}月${date}日 00:00:00]   终止日期：[${year}年${month}月${date}日 24:00:00]`,
    '#-----------------------------------------业务明细列表----------------------------------------',
    head,
    ...rows.map((row) => written(day, row)),
    '#-----------------------------------------业务明细列表结束------------------------------------',
    `#交易合计：${rows.length}笔，商家实收共0.00元，商家优惠共0.00元`,
    '#导出时间：[2026年11月27日 08:00:00]',
  ]
  return zipOf([
    [`20886219000000010156_${day.replaceAll('-', '')}_业务明细.csv`, lines],
    [
      `20886219000000010156_${day.replaceAll('-', '')}_业务明细(汇总).csv`,
      ['#支付宝业务汇总查询', sums, '合计,,0,0,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00'],
    ],
  ])
}

function written(day: string, { trade, order, kind = '交易', title = '茶馆', ended = `${day} 12:00:00`, ...row }: BillRow): string {
  const { total, received = total, request = '', fee = '0.00', payer = '茶*(138****0000)', remark = '' } = row
  const before = [`${trade}\t`, `${order}\t`, kind, title, `${day} 11:59:30`, ended, '', '', '', '', payer, total, received]
  return [...before, '0.00', '0.00', '0.00', '0.00', '0.00', '', '0.00', '0.00', request && `${request}\t`, fee, '0.00', remark].join(',')
}

/** A ZIP archive with text in GBK. */
export function zipOf(files: readonly (readonly [name: string, lines: readonly string[]])[]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, lines] of files) zip.addBuffer(inGbk(`${lines.join('\r\n')}\r\n`), name)
  zip.end()
  return buffer(zip.outputStream)
}

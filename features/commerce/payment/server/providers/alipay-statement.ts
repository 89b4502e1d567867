import { unzip } from '#base/server/unzip.ts'
import { beijingTime, centsIn } from '#payment/server/providers/alipay-gateway.ts'
import { refundNumberOf } from '#payment/server/providers/alipay-refund.ts'
import { UnreadableStatement, type StatementLine } from '#payment/server/providers/provider.ts'

const maxBytes = 256_000_000
const heading = '支付宝交易号'

/** All payments and refunds of a bill: the lines of the files that list trades, without the summaries. */
export async function linesIn(archive: Buffer): Promise<StatementLine[]> {
  try {
    const files = await unzip(archive, maxBytes)
    const lists = files.map(({ bytes }) => rowsOf(new TextDecoder('gbk').decode(bytes))).filter(([head]) => head?.startsWith(heading))
    if (lists.length === 0) throw new Error('It lists no trades')
    return lists.flatMap(linesOf)
  } catch (error) {
    throw new UnreadableStatement(`Alipay gives a bill that cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function rowsOf(text: string): string[] {
  return text.split(/\r?\n/).filter((row) => row.trim() !== '' && !row.startsWith('#'))
}

function linesOf([head = '', ...rows]: string[]): StatementLine[] {
  const names = head.split(',').map((name) => name.replace(/[（(]元[）)]/, '').trim())
  const [title, from] = [names.indexOf('商品名称'), names.indexOf('创建时间')]
  if (title < 0 || from !== title + 1) throw new Error('Its columns are others than were known')
  return rows.map((row) => {
    const cells = cellsOf(row, names.length, title)
    return lineOf((name) => {
      const place = names.indexOf(name)
      if (place < 0) throw new Error(`It has no column ${name}`)
      return cells[place] ?? ''
    })
  })
}

/**
 * The cells of a row. A title may contain unescaped quotation marks and commas, so it extends to the two times that follow it, with or
 * without quoting.
 */
function cellsOf(row: string, count: number, title: number): string[] {
  for (const cells of [quotedCells(row), row.split(',')]) {
    const trimmed = cells.map((cell) => cell.trim())
    const times = trimmed.findIndex((cell, place) => place > title && isTime(cell) && isTime(trimmed[place + 1] ?? ''))
    if (times < 0 || trimmed.length - (times - title - 1) !== count) continue
    return [...trimmed.slice(0, title), trimmed.slice(title, times).join(','), ...trimmed.slice(times)]
  }
  throw new Error(`A row has other columns than its heading: ${row}`)
}

function quotedCells(row: string): string[] {
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"(?=,|$|\s)|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  )
}

function isTime(text: string): boolean {
  return beijingTime.safeParse(text).success
}

/**
 * Refunds are negative in the bill, and so are fees. The seller's own discount never came in and counts as a fee; otherwise payments less
 * fees would exceed the received amount.
 */
function lineOf(cell: (name: string) => string): StatementLine {
  const [total, received, fee] = [parseCents(cell('订单金额')), parseCents(cell('商家实收')), parseCents(cell('服务费') || '0.00')]
  const type = cell('业务类型')
  const isRefund = type.includes('退款') || total < 0n
  const [trade, request] = [cell(heading), cell('退款批次号/请求号')]
  const number = isRefund ? request : cell('商户订单号')
  return {
    kind: isRefund ? 'refund' : type.includes('交易') ? 'payment' : 'other',
    number: /^\d{20}$/.test(number) ? number : null,
    providerNumber: isRefund && request ? refundNumberOf(trade, request) : trade,
    ...(isRefund && { paymentNumber: trade }),
    cents: total < 0n ? -total : total,
    feeCents: total - received - fee,
    at: beijingTime.parse(cell('完成时间')),
  }
}

function parseCents(text: string): bigint {
  const cents = centsIn(text)
  if (cents === null) throw new Error(`That is no amount: ${text}`)
  return cents
}

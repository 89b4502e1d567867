import { createHash } from 'node:crypto'
import { z } from 'zod'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { UnreadableStatement, type StatementLine } from '#payment/server/providers/provider.ts'
import { request, parse, unexpected } from '#payment/server/providers/wechat-api.ts'
import { send, type WechatApi } from '#payment/server/providers/wechat-signing.ts'

// The hour of the next day in China at which the statement is ready.
const readyHour = 10
const Bill = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })

export async function statementOf(api: WechatApi, day: string): Promise<StatementLine[] | null> {
  const response = await request(api, { method: 'GET', path: `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL` })
  if (response.code === 'STATEMENT_CREATING') return null
  // There is no statement for a day without moves. Earlier in the day it may only not have been created yet.
  if (response.code === 'NO_STATEMENT_EXIST') return startOfDay(addDays(day, 1), 'Asia/Shanghai', readyHour) <= new Date() ? [] : null
  if (response.status !== 200) throw unexpected(response)
  const { hash_value: hash, download_url: address } = parse(Bill, response)
  // A download is not signed; its hash is verified instead.
  const { pathname, search } = new URL(address)
  const { status, text } = await send(api, { method: 'GET', path: pathname + search, timeoutMs: 60_000, maxBytes: 100_000_000 })
  if (status !== 200) throw unexpected({ status, says: null, code: 'of a statement', message: day })
  if (createHash('sha1').update(text).digest('hex') !== hash.toLowerCase()) throw new RequestFailed(`The statement of ${day} is not whole`)
  return linesIn(text)
}

type Row = Record<string, string>
const countedColumns = ['订单金额', '申请退款金额', '手续费'] as const
const totals = { 订单金额: '订单总金额', 申请退款金额: '申请退款总金额', 手续费: '手续费总金额' } as const satisfies Record<
  (typeof countedColumns)[number],
  string
>

/** The lines of a statement: column names, rows, then the names of the totals and the totals, which must match. */
export function linesIn(text: string): StatementLine[] {
  const [head = '', ...rest] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const foot = rest.findIndex((line) => !line.startsWith('`'))
  const rows = rest.slice(0, foot).map((line) => rowOf(head, line))
  const sums = rowOf(rest[foot] ?? '', rest[foot + 1] ?? '')
  if (foot < 0 || Number(sums['总交易单数']) !== rows.length) throw new UnreadableStatement('The statement does not count its rows')
  for (const name of countedColumns) {
    const sum = rows.reduce((all, row) => all + partsIn(row, name), 0n)
    if (sum !== partsIn(sums, totals[name])) throw new UnreadableStatement(`The statement does not come to its total of ${name}`)
  }
  return rows.flatMap(lineOf)
}

/** Each value begins with a backquote, which keeps spreadsheets from reading it as a number. */
function rowOf(head: string, line: string): Row {
  const [names, values] = [head.split(','), line.slice(1).split(',`')]
  if (!line.startsWith('`') || values.length !== names.length)
    throw new UnreadableStatement('A row of the statement has other columns than its head')
  return Object.fromEntries(names.map((name, place) => [name.trim(), values[place] ?? '']))
}

function lineOf(row: Row): StatementLine[] {
  const state = row['交易状态']
  const common = { feeCents: cents(partsIn(row, '手续费')), at: timeIn(row) }
  if (state === 'SUCCESS') {
    const [number, providerNumber] = [textIn(row, '商户订单号'), textIn(row, '微信订单号')]
    return [{ kind: 'payment', number, providerNumber, cents: cents(partsIn(row, '订单金额')), ...common }]
  }
  if (state !== 'REFUND') return [otherLine(row)]
  // A failed refund moved nothing.
  if (row['退款状态'] === 'FAIL') return []
  const [number, providerNumber] = [textIn(row, '商户退款单号'), textIn(row, '微信退款单号')]
  const paymentNumber = row['微信订单号'] || undefined
  return [{ kind: 'refund', number, providerNumber, paymentNumber, cents: cents(partsIn(row, '申请退款金额')), ...common }]
}

/** A row of a kind that we do not know, such as a payment that a shop's scanner of the same merchant revoked. */
function otherLine(row: Row): StatementLine {
  const [paid, back] = [partsIn(row, '订单金额'), partsIn(row, '申请退款金额')]
  return {
    kind: 'other',
    number: row['商户订单号'] || null,
    providerNumber: row['微信退款单号']?.replace(/^0$/, '') || textIn(row, '微信订单号'),
    cents: cents(paid > 0n ? paid : back),
    feeCents: cents(partsIn(row, '手续费')),
    at: timeIn(row),
  }
}

function textIn(row: Row, name: string): string {
  const text = row[name]
  if (!text) throw new UnreadableStatement(`The statement has a row without its ${name}`)
  return text
}

function timeIn(row: Row): Date {
  const moment = new Date(`${textIn(row, '交易时间').trim().replace(/\s+/, 'T')}+08:00`)
  if (Number.isNaN(moment.getTime())) throw new UnreadableStatement('The statement has a row without its time')
  return moment
}

// Amounts in yuan have up to five decimals, for fees.
const decimals = 5

function partsIn(row: Row, name: string): bigint {
  const [, sign, yuan = '', fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,5}))?$/.exec(textIn(row, name)) ?? []
  if (yuan === '') throw new UnreadableStatement(`The statement has no amount as ${name}`)
  const parts = BigInt(yuan + fraction.padEnd(decimals, '0'))
  return sign === '-' ? -parts : parts
}

/** Rounds half away from zero. */
function cents(parts: bigint): bigint {
  return parts < 0n ? -cents(-parts) : (parts + 500n) / 1_000n
}

import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { centsIn } from '#payment/server/providers/alipay-gateway.ts'
import { alipay } from '#payment/server/providers/alipay.ts'
import { AlipayStandIn } from '#payment/testing/alipay.ts'
import { tradeBill, zipOf, type BillRow } from '#payment/testing/alipay-bill.ts'
import { serializeAmount } from '#wallet/contract.ts'

const there = await new AlipayStandIn().open()
afterAll(there.close)
const us = alipay(there.keys, there.url)
const day = '2026-11-26'
const [trade, order, request] = ['2026112622001400000000000001', '20261126000000000001', '20261126000000000009']

async function read(rows: BillRow[]) {
  there.bills.set(day, await tradeBill(day, rows))
  return us.statement(day)
}

test('a bill lists payments and refunds, in cents before fees, in Beijing time', async () => {
  const lines = await read([
    { trade, order, total: '35.80', fee: '-0.21', ended: `${day} 00:00:01` },
    { trade, order, kind: '退款', total: '-12.50', received: '-12.50', request, fee: '0.08', ended: `${day} 23:59:59` },
  ])
  expect(lines).toEqual([
    { kind: 'payment', number: order, providerNumber: trade, cents: 3_580n, feeCents: 21n, at: new Date('2026-11-25T16:00:01Z') },
    {
      kind: 'refund',
      number: request,
      providerNumber: `${trade}/${request}`,
      paymentNumber: trade,
      cents: 1_250n,
      feeCents: -8n,
      at: new Date('2026-11-26T15:59:59Z'),
    },
  ])
})

test('a discount of the seller counts as a fee, and comes back with a refund', async () => {
  const lines = await read([
    { trade, order, total: '10.00', received: '9.00', fee: '-0.05' },
    { trade, order, kind: '退款', total: '-10.00', received: '-9.00', request },
  ])
  expect(lines?.map(({ cents, feeCents }) => [cents, feeCents])).toEqual([
    [1_000n, 105n],
    [1_000n, -100n],
  ])
})

test('sales and refunds of other shops under the same account name no order and no refund of ours', async () => {
  const lines = await read([
    { trade, order: 'SHOP-1', total: '1.00' },
    { trade, order, kind: '退款', total: '-1.00' },
    { trade, order, kind: '退款', total: '-1.00', request: 'HZ01RF001' },
  ])
  expect(lines?.map(({ number, providerNumber }) => [number, providerNumber])).toEqual([
    [null, trade],
    [null, trade],
    [null, `${trade}/HZ01RF001`],
  ])
})

test.each([
  '茶,壶',
  '"茶,壶"',
  '"茶""壶""",',
  '"茶',
  '茶"壶,"杯"',
  '"茶" 壶, 杯',
  ',',
  '',
  '茶，“壶”（元）',
  '茶,2026-11-26,12:00',
  "'茶'#",
])('a title %j does not disturb the columns after it', async (title) => {
  const rows = [
    { trade, order, title, total: '35.80', fee: '-0.21' },
    { trade: '2', order: '20261126000000000002', total: '0.01' },
  ]
  const lines = await read(rows)
  expect(lines?.map(({ number, cents, feeCents }) => [number, cents, feeCents])).toEqual([
    [order, 3_580n, 21n],
    ['20261126000000000002', 1n, 0n],
  ])
})

test('a quotation mark or comma in another column does not disturb the amounts', async () => {
  for (const others of [{ title: '"茶', payer: '壶"' }, { remark: '"茶,壶"' }, { title: '茶,壶', payer: '"a,b"', remark: '"""a"",b"' }]) {
    const lines = await read([{ trade, order, ...others, total: '35.80', fee: '-0.21' }])
    expect(lines?.map(({ number, cents, feeCents }) => [number, cents, feeCents])).toEqual([[order, 3_580n, 21n]])
  }
})

test('a day without a trade has a bill without a row', async () => {
  expect(await read([])).toEqual([])
})

test('a day without a bill is asked for again, until it is long over', async () => {
  there.bills.clear()
  const on = (ago: number) => new Date(Date.now() - ago * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10)
  expect(await us.statement(on(0))).toBeNull()
  expect(await us.statement(on(1))).toBeNull()
  expect(await us.statement(on(5))).toEqual([])
})

describe('an invalid bill is not an empty one', () => {
  test.each([
    ['no archive', () => Buffer.from('<html>系统繁忙</html>')],
    ['nothing', () => Buffer.alloc(0)],
    ['an archive without a list', () => zipOf([['汇总.csv', ['门店编号,门店名称', '合计,1']]])],
    ['an empty archive', () => zipOf([])],
    ['other columns', () => zipOf([['明细.csv', ['支付宝交易号,商户订单号,商品名称,创建时间', '1,2,茶,2026-11-26 12:00:00']]])],
    ['a row that ends early', () => tradeBill(day, [{ trade, order, title: '茶', total: '1.00', received: '1.00', ended: '' }])],
    ['an odd amount', () => tradeBill(day, [{ trade, order, total: '1.0' }])],
    ['an amount of exponents', () => tradeBill(day, [{ trade, order, total: '1e2' }])],
  ])('%s', async (_, makeBill) => {
    there.bills.set(day, await makeBill())
    await expect(us.statement(day)).rejects.toThrow(RequestFailed)
  })

  test('a bill at another address, or a cut one, is not taken', async () => {
    const whole = await tradeBill(day, [{ trade, order, total: '1.00' }])
    there.bills.set(day, whole.subarray(0, -40))
    await expect(us.statement(day)).rejects.toThrow(RequestFailed)
    there.bills.set(day, whole)
    there.billsLieAt = `http://127.0.0.1:1`
    await expect(us.statement(day)).rejects.toThrow('elsewhere')
    there.billsLieAt = 'https://alipay.com.e.example'
    await expect(us.statement(day)).rejects.toThrow('elsewhere')
    there.billsLieAt = null
    expect(await us.statement(day)).toHaveLength(1)
  })
})

describe('yuan as Alipay writes them', () => {
  test('are exact cents, of any size', () => {
    fc.assert(
      fc.property(fc.bigInt(-999_999_999_999n, 999_999_999_999n), (cents) => {
        expect(centsIn(serializeAmount('cny', cents))).toBe(cents)
      }),
    )
  })

  test('and no other text is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cents = centsIn(text)
        expect(cents === null || serializeAmount('cny', cents) === text).toBe(true)
      }),
    )
    for (const text of ['1', '1.0', '01.00', '.50', '1.000', '+1.00', '1,000.00', ' 1.00', '1.00\n', '１.00', '--1.00', '99999999999.00'])
      expect(centsIn(text), text).toBeNull()
  })
})

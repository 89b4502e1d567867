import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayAt, addDays } from '#base/server/calendar.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { WrongKey } from '#payment/server/providers/provider.ts'
import { wechat, type WechatKeys } from '#payment/server/providers/wechat.ts'
import { linesIn } from '#payment/server/providers/wechat-statement.ts'
import { aCertificate } from '#payment/testing/certificate.ts'
import { aWechat, type Wechat } from '#payment/testing/wechat.ts'
import { billOf } from '#payment/testing/wechat-bill.ts'

let desk: Wechat
beforeEach(async () => {
  desk = await aWechat()
})
afterEach(() => desk.close())

const by = (other: Partial<WechatKeys> = {}) => wechat({ ...desk.keys, ...other }, desk.address)
const today = () => dayAt(Date.now(), 'Asia/Shanghai')

/** An order of 30.00 paid at a time, and a refund of 12.50 of it. */
function trades(at: string): void {
  const order = { out_trade_no: '20261126000000000001', transaction_id: '42000001', total: 3_000, openid: null }
  desk.world.orders.set(order.out_trade_no, { ...order, trade_state: 'REFUND', success_time: at })
  const refund = { out_refund_no: '20261126000000000002', out_trade_no: order.out_trade_no, refund: 1_250, total: 3_000 }
  desk.world.refunds.set(refund.out_refund_no, { ...refund, status: 'SUCCESS', success_time: at })
}

test('a statement lists the payments and refunds of a day in China, and the fees', async () => {
  trades('2026-11-26T00:00:05+08:00')
  const at = new Date('2026-11-25T16:00:05Z')
  expect(await by().statement('2026-11-26')).toEqual([
    { kind: 'payment', number: '20261126000000000001', providerNumber: '42000001', cents: 3_000n, feeCents: 18n, at },
    {
      kind: 'refund',
      number: '20261126000000000002',
      providerNumber: '5000020261126000000000002',
      paymentNumber: '42000001',
      cents: 1_250n,
      feeCents: -8n,
      at,
    },
  ])
  expect(await by().statement('2026-11-27')).toEqual([])
})

test('a statement that is not made yet is none, and a day on which nothing moved has none', async () => {
  desk.world.statement = 'creating'
  expect(await by().statement('2026-11-25')).toBeNull()
  desk.world.statement = 'none'
  expect(await by().statement('2020-01-01')).toEqual([])
  // The statement is created at ten on the next day.
  expect(await by().statement(today())).toBeNull()
  expect(await by().statement(addDays(today(), 1))).toBeNull()
})

test('a statement that is cut off, or does not come to its totals, is no answer', async () => {
  trades('2026-11-26T09:00:00+08:00')
  desk.world.statement = 'cut'
  await expect(by().statement('2026-11-26')).rejects.toThrow(RequestFailed)
  const whole = billOf('2026-11-26', desk.world)
  expect(linesIn(whole)).toHaveLength(2)
  expect(linesIn(whole.replace('\uFEFF', '').replaceAll('\r\n', '\n'))).toHaveLength(2)
  for (const [from, to] of [
    ['`30.00,`0.00,`\r', '`31.00,`0.00,`\r'],
    ['`0.18000', '`0.19000'],
    ['`2,`30.00', '`3,`30.00'],
    ['09:00:00', '9 o’clock'],
    ['`42000001,', '`,'],
    ['商户订单号', '订单'],
    ['费率,订单金额', '费率,另一个金额,订单金额'],
  ] as const) {
    expect(whole).toContain(from)
    expect(() => linesIn(whole.replace(from, to)), from).toThrow(RequestFailed)
  }
  for (const rubbish of ['', '<html>', '\uFEFF', whole.slice(0, 300)]) expect(() => linesIn(rubbish)).toThrow(RequestFailed)
})

test('a row of a kind that is unknown is there as such, and the others are read', async () => {
  trades('2026-11-26T09:00:00+08:00')
  const whole = billOf('2026-11-26', desk.world)
  const kinds = (from: string, to: string) =>
    linesIn(whole.replace(from, to)).map(({ kind, providerNumber, cents }) => [kind, providerNumber, cents])
  expect(kinds('`REFUND,', '`REVOKED,')).toEqual([
    ['payment', '42000001', 3_000n],
    ['other', '5000020261126000000000002', 1_250n],
  ])
  expect(kinds('`NATIVE,`SUCCESS,', '`NATIVE,`PENDING,')[0]).toEqual(['other', '42000001', 3_000n])
})

test('keys that are right are tried without moving anything, and say when they end', async () => {
  const ends = await by().testKeys()
  expect(ends.map(({ name }) => name)).toEqual(['WeChat Pay merchant certificate', `WeChat Pay certificate ${desk.platform[0]?.serial}`])
  for (const { endsAt } of ends) expect(dayAt(endsAt, 'UTC')).toBe(addDays(dayAt(Date.now(), 'UTC'), 365))
  const keyed = await aWechat({ isKeyed: true })
  expect(await wechat(keyed.keys, keyed.address).testKeys()).toMatchObject([{ name: 'WeChat Pay merchant certificate' }])
  await keyed.close()
})

test('a key that is wrong is named', async () => {
  const other = aCertificate('Merchant')
  const pem = (key: typeof other.key) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const [keys, named] of [
    [{ certificate: 'x' }, 'Merchant certificate'],
    [{ key: 'x' }, 'Merchant private key'],
    [{ key: pem(other.key) }, 'Merchant private key'],
    [{ key: pem(other.key), certificate: other.certificate }, 'Merchant ID or certificate'],
    [{ merchantId: '1900000110' }, 'Merchant ID or certificate'],
    [{ v3Key: 'f'.repeat(32) }, 'APIv3 key'],
  ] as const) {
    const tried = by(keys).testKeys()
    await expect(tried, named).rejects.toThrow(WrongKey)
    await expect(tried).rejects.toThrow(named)
  }
  const keyed = await aWechat({ isKeyed: true })
  for (const keys of [{ publicKey: 'x' }, { publicKey: other.certificate }, { publicKeyId: 'PUB_KEY_ID_1' }])
    await expect(wechat({ ...keyed.keys, ...keys }, keyed.address).testKeys()).rejects.toThrow('WeChat Pay public key')
  await keyed.close()
  desk.today.mood = 'away'
  await expect(by().testKeys()).rejects.toThrow(RequestFailed)
})

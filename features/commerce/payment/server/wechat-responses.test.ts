import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import * as contract from '#payment/contract.ts'
import { letAsk, tops, workOff } from '#payment/testing/factories.ts'
import type { RefundRequest } from '#payment/server/providers/provider.ts'
import { wechat, type WechatKeys } from '#payment/server/providers/wechat.ts'
import { aCertificate } from '#payment/testing/certificate.ts'
import { aWechat, type Wechat } from '#payment/testing/wechat.ts'
import { sendTo, withWechat } from '#payment/testing/wechat-forum.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

const placed = { session: null, at: new Date() }
let forum: Forum
let chief: Staffer
let mei: Person
let desk: Wechat

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  mei = await forum.member()
  await opens(await aWechat())
  return () => desk.close()
})
afterEach(() => void vi.useRealTimers())
async function opens(other: Wechat): Promise<void> {
  desk = other
  await withWechat(forum, desk)
}

const has = async () => (await mei.call(balance, {})).account.balance
const stateOf = async (number: string) => (await mei.call(contract.payment, { number })).state
const by = (other: Partial<WechatKeys> = {}) => wechat({ ...desk.keys, ...other }, desk.address)
const loads = () => desk.today.asked.filter((line) => line === 'GET /v3/certificates').length

async function begun(amount = '12.50'): Promise<string> {
  const { status, body } = await tops(mei, amount, { provider: 'wechat', method: 'qr' })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.number
}

async function paid(amount = '30.00'): Promise<string> {
  const number = await begun(amount)
  expect(await sendTo(forum, desk.notification(desk.pay(number)))).toEqual([200, 'SUCCESS'])
  await workOff(forum.database)
  expect(await has()).toBe(amount)
  return number
}

describe('the certificates of WeChat Pay', () => {
  test('are asked for once, and again for a number that is new: the ones before stay good', async () => {
    const [first, second, third] = [await begun(), await begun(), await begun()]
    const old = desk.notification(desk.pay(first))
    expect(loads()).toBe(1)
    desk.rotate()
    expect(await sendTo(forum, desk.notification(desk.pay(second)))).toEqual([200, 'SUCCESS'])
    expect(await sendTo(forum, old)).toEqual([200, 'SUCCESS'])
    expect(await sendTo(forum, desk.notification(desk.pay(third)))).toEqual([200, 'SUCCESS'])
    await workOff(forum.database)
    expect([await has(), loads()]).toEqual(['37.50', 2])
  })

  test('are not loaded again for every unknown serial number', async () => {
    const number = await begun()
    const facts = desk.pay(number)
    const forged = () => desk.notification(facts, { by: aCertificate('Somebody') })
    for (const answer of await Promise.all([...Array(10)].map(() => sendTo(forum, forged())))) expect(answer).toEqual([401, 'FAIL'])
    expect(loads()).toBe(2)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    await sendTo(forum, forged())
    await sendTo(forum, forged())
    expect(loads()).toBe(3)
  })

  test('are asked for again after half a day', async () => {
    const number = await begun()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 13 * 3_600_000 })
    await by().query(number, placed)
    expect(loads()).toBe(2)
  })

  test('are not good before their time, and not after it', async () => {
    const number = await begun()
    for (const time of [
      { from: -10, until: -1 },
      { from: 1, until: 10 },
    ]) {
      const late = await aWechat()
      late.platform.splice(0, 1, aCertificate('Tenpay', time))
      await expect(wechat(late.keys, late.address).query(number, placed)).rejects.toThrow(RequestFailed)
      await late.close()
    }
  })

  test('are not asked for where WeChat Pay signs by its public key', async () => {
    await desk.close()
    await opens(await aWechat({ isKeyed: true }))
    await paid()
    expect(loads()).toBe(0)
    const number = await begun()
    const message = desk.notification(desk.pay(number), { by: { ...desk.today.impostor, serial: 'PUB_KEY_ID_1' } })
    expect(await sendTo(forum, message)).toEqual([401, 'FAIL'])
    expect(loads()).toBe(0)
  })
})

describe('WeChat Pay', () => {
  test.each(['away', 'rubbish', 'failing', 'impostor'] as const)('that is %s begins no payment, and is asked again later', async (mood) => {
    const number = await begun()
    desk.pay(number)
    desk.today.mood = mood
    expect((await tops(mei, '5', { provider: 'wechat', method: 'qr' })).status).toBe(422)
    expect(await mei.isRefused(contract.cancelPayment, { number }, contract.ProviderUnavailable)).toBe(true)
    await letAsk(forum.database, number)
    expect([await has(), await stateOf(number)]).toEqual(['0.00', 'open'])
    desk.today.mood = 'well'
    await letAsk(forum.database, number)
    expect(await has()).toBe('12.50')
  })

  test('that does not answer is waited for ten seconds', async () => {
    const number = await begun()
    desk.today.mood = 'slow'
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const arrival = desk.hears()
    const outcome = by()
      .query(number, placed)
      .catch((error: unknown) => error)
    await arrival
    vi.advanceTimersByTime(10_000)
    expect(await outcome).toBeInstanceOf(RequestFailed)
  })

  test('that does not know the merchant, or refuses the request, gives no answer', async () => {
    const number = await begun()
    await expect(by({ merchantId: '1900000110' }).query(number, placed)).rejects.toThrow('SIGN_ERROR')
    await withWechat(forum, desk, { appId: 'wx0000000000000000' })
    expect((await tops(mei, '5', { provider: 'wechat', method: 'qr' })).status).toBe(422)
  })

  test('with a wrong secret, or a garbled answer, does not identify the payer inside WeChat', async () => {
    const { body } = await tops(mei, '5', { provider: 'wechat', method: 'inApp' })
    const state = new URL(body.start?.to ?? '').searchParams.get('state') ?? ''
    const input = { number: body.number, code: desk.codeOf('o-mei'), state }
    desk.today.mood = 'rubbish'
    expect(await mei.isRefused(contract.continueInWeChat, input, contract.ProviderUnavailable)).toBe(true)
    desk.today.mood = 'well'
    await mei.call(contract.continueInWeChat, input)
  })
})

describe('a refund', () => {
  const refund = (number: string, amount: string) =>
    chief.tryCall(refundPayment, { number, amount, reason: '退款：'.repeat(60), mayOwe: false }, newIdempotencyKey())
  const refunds = (number: string) =>
    forum.database.app
      .selectFrom('payment_refund')
      .innerJoin('payment_order', 'payment_order.id', 'order_id')
      .select(['payment_refund.number', 'payment_refund.state', 'payment_refund.problem', 'payment_refund.provider_number'])
      .where('payment_order.number', '=', number)
      .orderBy('payment_refund.id')
      .execute()
  const letTry = async (number: string) => {
    await sql`update payment_refund set try_at = now() where number = ${number} and state = 'asked'`.execute(forum.database.app)
    await workOff(forum.database)
  }

  test('gives back a part, and then the rest', async () => {
    const number = await paid()
    expect((await refund(number, '12.50')).status).toBe(200)
    await workOff(forum.database)
    expect((await refund(number, '17.50')).status).toBe(200)
    await workOff(forum.database)
    const rows = await refunds(number)
    expect(rows.map(({ state, provider_number: its, number: ours }) => [state, its === `50000${ours}`])).toEqual([
      ['done', true],
      ['done', true],
    ])
    expect([await has(), [...desk.world.refunds.values()].map((its) => its.refund)]).toEqual(['0.00', [1_250, 1_750]])
  })

  test('that is under way is done when WeChat Pay says so', async () => {
    const number = await paid()
    desk.world.refundsAre = 'PROCESSING'
    await refund(number, '30.00')
    await workOff(forum.database)
    const [its] = await refunds(number)
    expect(its?.state).toBe('asked')
    const there = desk.world.refunds.get(its?.number ?? '')
    Object.assign(there ?? {}, { status: 'SUCCESS' })
    const facts = { mchid: desk.keys.merchantId, out_refund_no: its?.number, refund_status: 'SUCCESS' }
    expect(await sendTo(forum, desk.notification(facts, { type: 'REFUND.SUCCESS' }))).toEqual([200, 'SUCCESS'])
    await workOff(forum.database)
    expect((await refunds(number))[0]?.state).toBe('done')
    expect(desk.today.asked.filter((line) => line === 'POST /v3/refund/domestic/refunds')).toHaveLength(1)
  })

  test('that WeChat Pay refuses or closes comes back onto the balance', async () => {
    const number = await paid()
    desk.world.refusesRefund = { status: 400, code: 'INVALID_REQUEST', message: '订单已全额退款' }
    await refund(number, '10.00')
    expect(await has()).toBe('20.00')
    await workOff(forum.database)
    expect([await has(), (await refunds(number))[0]]).toMatchObject([
      '30.00',
      { state: 'failed', problem: 'INVALID_REQUEST: 订单已全额退款' },
    ])
    desk.world.refusesRefund = null
    desk.world.refundsAre = 'CLOSED'
    await refund(number, '11.00')
    await workOff(forum.database)
    expect([await has(), (await refunds(number))[1]?.state]).toEqual(['30.00', 'failed'])
  })

  test('waits while the merchant has too little there, or the payer’s bank does not take it', async () => {
    const number = await paid()
    desk.world.refusesRefund = { status: 403, code: 'NOT_ENOUGH', message: '基本账户余额不足' }
    await refund(number, '10.00')
    await workOff(forum.database)
    const ours = (await refunds(number))[0]?.number ?? ''
    expect([await has(), (await refunds(number))[0]?.state]).toEqual(['20.00', 'asked'])
    desk.world.refusesRefund = null
    desk.world.refundsAre = 'ABNORMAL'
    await letTry(ours)
    expect((await refunds(number))[0]?.state).toBe('asked')
    Object.assign(desk.world.refunds.get(ours) ?? {}, { status: 'SUCCESS' })
    await letTry(ours)
    expect((await refunds(number))[0]?.state).toBe('done')
  })

  test('is asked for once, though WeChat Pay hung up', async () => {
    const number = await paid()
    desk.today.mood = 'away'
    await refund(number, '10.00')
    await workOff(forum.database)
    const ours = (await refunds(number))[0]?.number ?? ''
    desk.today.mood = 'well'
    await letTry(ours)
    await letTry(ours)
    expect([(await refunds(number))[0]?.state, desk.world.refunds.size, await has()]).toEqual(['done', 1, '20.00'])
  })

  test('that WeChat Pay has not heard of is unknown', async () => {
    const request: RefundRequest = {
      number: '1'.repeat(20),
      cents: 1n,
      paid: { number: '', providerNumber: '', cents: 1n },
      reason: '',
      notifyUrl: '',
    }
    expect(await by().queryRefund(request)).toEqual({ state: 'unknown' })
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

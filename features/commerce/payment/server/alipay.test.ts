import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as contract from '#payment/contract.ts'
import { letAsk, tops, workOff } from '#payment/testing/factories.ts'
import { alipay } from '#payment/server/providers/alipay.ts'
import { setStandIns } from '#payment/server/providers.ts'
import { AlipayStandIn, aPair, clock } from '#payment/testing/alipay.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

const forum: Forum = await aForum({ isOneServer: true })
const there = await new AlipayStandIn().open()
const us = () => alipay(there.keys, there.url)
const { app } = forum.database
const hour = 3_600_000
let mei: Person
let chief: Staffer

beforeAll(async () => {
  setStandIns({ alipay: there.url })
  const { appId: alipayAppId, sellerId: alipaySellerId, publicKey: alipayPublicKey, key } = there.keys
  await transact(forum.database, async (tx) => {
    const limits = { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 1_000 }
    await applySettings(tx, { allowCash: true, paymentProviders: ['alipay'], alipayAppId, alipaySellerId, alipayPublicKey, ...limits })
    await setting.changeSealed(tx, 'alipayKey', key, 'test')
  })
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  chief = await aStaffer(forum)
})
afterAll(async () => {
  setStandIns({})
  await there.close()
})
beforeEach(async () => {
  mei = await forum.member()
  there.asked = []
})

const balanceNow = async () => (await mei.call(balance, {})).account.balance
const stateOf = async (number: string) => (await mei.call(contract.payment, { number })).state

/** Begins a payment and follows the payer to its page. */
async function begun(amount = '12.50', method = 'page'): Promise<string> {
  const { status, body } = await tops(mei, amount, { provider: 'alipay', method })
  expect([status, body.state, body.start?.go], JSON.stringify(body)).toEqual([200, 'open', method === 'qr' ? 'qr' : 'page'])
  const page = method === 'qr' ? null : await fetch(body.start?.to ?? '')
  expect(page?.status ?? 200).toBe(200)
  return body.number
}

async function paid(amount = '12.50', method = 'page'): Promise<string> {
  const number = await begun(amount, method)
  there.pay(number)
  return number
}

/** Sends a notification of Alipay and returns the response. */
async function send(form: string): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const { statusCode, body } = await forum.app.inject({ method: 'POST', url: '/hook/payment/alipay', headers, payload: form })
  return `${statusCode} ${body}`
}

async function notify(form: string): Promise<{ answer: string; problem: string | null | undefined }> {
  const answer = await send(form)
  await workOff(forum.database)
  const row = await app.selectFrom('payment_event').select('problem').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { answer, problem: row?.problem }
}

const credited = { answer: '200 success', problem: null }
const events = async () =>
  Number(
    (
      await app
        .selectFrom('payment_event')
        .select((row) => row.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

describe('a payment', () => {
  test.each(['page', 'phone', 'qr'])('by %s is credited once Alipay says so', async (method) => {
    const number = await paid('12.50', method)
    expect([await balanceNow(), await stateOf(number)]).toEqual(['0.00', 'open'])
    expect(await notify(there.notification(number))).toEqual(credited)
    expect([await balanceNow(), await stateOf(number)]).toEqual(['12.50', 'paid'])
    const { content, parameters } = there.asked[0] ?? {}
    expect(content).toMatchObject({ out_trade_no: number, total_amount: '12.50' })
    expect(parameters).toMatchObject({ notify_url: expect.stringMatching(/^http.+\/hook\/payment\/alipay$/) })
  })

  test('ends there when it ends here, by the clock of Beijing', async () => {
    const number = await begun()
    const { expiresAt } = await mei.call(contract.payment, { number })
    expect(there.asked[0]?.content.time_expire).toBe(clock(new Date(expiresAt)))
  })

  test('has a title that Alipay accepts, whatever the name of the site', async () => {
    const titled = async (title: string) => {
      await us().start({ ...anOrder, title })
      return there.asked.at(-1)?.content.subject
    }
    expect(await titled('A=B & 茶/馆 🍵\u0007 𠮷')).toBe('A B 茶 馆')
    expect(await titled('茶'.repeat(200))).toBe('茶'.repeat(64))
    expect(await titled('&&&')).toBe(anOrder.number)
  })

  test('keeps its cents, of any size', async () => {
    for (const [cents, text] of [
      [1n, '0.01'],
      [10n, '0.10'],
      [1_005n, '10.05'],
      [9_007_199_254_740_993n, '90071992547409.93'],
    ] as const) {
      await us().start({ ...anOrder, cents })
      expect(there.asked.at(-1)?.content.total_amount).toBe(text)
    }
  })

  test('without a notification is found by asking', async () => {
    const number = await paid()
    await letAsk(forum.database, number)
    expect([await balanceNow(), await stateOf(number)]).toEqual(['12.50', 'paid'])
    expect(await notify(there.notification(number))).toEqual(credited)
    expect(await balanceNow()).toBe('12.50')
  })

  test('that no one came to pay ends when its time is over, and one that the payer opened is closed there', async () => {
    const [unread, viewed] = [await begun('1', 'qr'), await begun('2')]
    for (const number of [unread, viewed]) await letAsk(forum.database, number)
    expect([await stateOf(unread), await stateOf(viewed)]).toEqual(['open', 'open'])
    for (const number of [unread, viewed]) await letAsk(forum.database, number, true)
    expect([await stateOf(unread), await stateOf(viewed)]).toEqual(['closed', 'closed'])
    expect(there.trades.get(viewed)?.status).toBe('TRADE_CLOSED')
  })

  test('is not closed once it is paid, and is credited if it was closed before', async () => {
    const number = await paid()
    expect(await mei.isRefused(contract.cancelPayment, { number }, contract.PaidAlready)).toBe(true)
    const other = await begun('3', 'qr')
    await mei.call(contract.cancelPayment, { number: other })
    expect(await stateOf(other)).toBe('closed')
    there.pay(other)
    expect(await notify(there.notification(other))).toEqual(credited)
    expect(await stateOf(other)).toBe('paid')
  })

  test('that Alipay closes is closed here, and paid all the same if that is reported later', async () => {
    const number = await begun()
    expect((await notify(there.notification(number, { trade_status: 'TRADE_CLOSED' }))).answer).toBe('200 success')
    expect(await stateOf(number)).toBe('closed')
    there.pay(number)
    expect(await notify(there.notification(number))).toEqual(credited)
    // Earlier notifications may arrive last.
    await notify(there.notification(number, { trade_status: 'WAIT_BUYER_PAY' }))
    await notify(there.notification(number, { trade_status: 'TRADE_CLOSED', notify_id: 'again' }))
    expect([await balanceNow(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })
})

test('without an answer of Alipay no payment is begun, and no begun payment is cancelled', async () => {
  const number = await paid()
  const hangUp = (_: string, response: ServerResponse) => {
    response.destroy()
    return null
  }
  const answers = [hangUp, () => '<html>系统繁忙</html>', (answer: string) => answer.replace(/"sign":"./, '"sign":"+')]
  onTestFinished(mend)
  for (const meddle of answers) {
    there.tamper = meddle
    expect((await tops(mei, '5', { provider: 'alipay', method: 'qr' })).status).toBe(422)
    expect(await mei.isRefused(contract.cancelPayment, { number }, contract.ProviderUnavailable)).toBe(true)
    await letAsk(forum.database, number)
    expect(await stateOf(number)).toBe('open')
  }
  const begunThen = app.selectFrom('payment_order').select('state').where('member_id', '=', mei.id).where('number', '<>', number)
  expect(new Set((await begunThen.execute()).map(({ state }) => state))).toEqual(new Set(['closed']))
  mend()
  await letAsk(forum.database, number)
  expect([await balanceNow(), await stateOf(number)]).toEqual(['12.50', 'paid'])
})

const anOrder = {
  number: '20261127000000000001',
  cents: 100n,
  method: 'qr' as const,
  title: '茶馆',
  expiresAt: new Date(Date.now() + hour),
  notifyUrl: 'https://tea.example/hook/payment/alipay',
  returnUrl: 'https://tea.example/paymentCompleted',
  ip: '127.0.0.1',
}

describe('a notification of Alipay', () => {
  test('a hundred times, and of a payment once more when it is over, is credited once', async () => {
    const number = await paid()
    const form = there.notification(number)
    expect(new Set(await Promise.all(Array.from({ length: 100 }, () => send(form))))).toEqual(new Set(['200 success']))
    await Promise.all([workOff(forum.database), workOff(forum.database)])
    expect(await notify(there.notification(number, { trade_status: 'TRADE_FINISHED', notify_id: 'finished' }))).toEqual(credited)
    expect(await balanceNow()).toBe('12.50')
  })

  test('is refused if it is forged, changed, old, or has a field twice', async () => {
    const number = await paid()
    const right = there.notification(number)
    const without = (name: string) => right.replace(new RegExp(`&?${name}=[^&]*`), '')
    const before = await events()
    for (const form of [
      '',
      '{}',
      without('sign'),
      right.replace(/sign=[^&]*/, 'sign=AAAA'),
      there.notification(number, {}, aPair().privateKey),
      right.replace('total_amount=12.50', 'total_amount=92.50'),
      right.replace('total_amount=12.50', 'total_amount=12.5'),
      without('version'),
      `${right}&total_amount=92.50`,
      `${right}&extra=1`,
      there.notification(number, { sign_type: 'RSA' }),
      right.replace('RSA2', 'RSA'),
      there.notification(number, { charset: 'gbk' }),
      there.notification(number, { notify_time: clock(new Date(Date.now() - 27 * hour)) }),
    ])
      expect(await send(form), form).toBe('200 fail')
    expect(await events()).toBe(before)
    expect([await balanceNow(), await stateOf(number)]).toEqual(['0.00', 'open'])
    // Alipay repeats notifications for up to 25 hours.
    expect(await notify(there.notification(number, { notify_time: clock(new Date(Date.now() - 25 * hour)) }))).toEqual(credited)
  })

  test.each(['12.5', '12', '012.50', '+12.50', '-12.50', '12.500', '1.25e1', ' 12.50', '12,50', '１２.50', '0.00', '12.50\n', '0x10', ''])(
    'with the amount %j credits nothing',
    async (total) => {
      const number = await paid()
      expect((await notify(there.notification(number, { total_amount: total }))).problem).toBe('unreadable')
      expect(await stateOf(number)).toBe('open')
    },
  )

  test.each([
    ['another amount', { total_amount: '12.49' }, 'otherAmount'],
    ['another seller', { seller_id: '2088000000000000' }, 'otherSeller'],
    ['another app', { app_id: '2021000000000000' }, 'otherApp'],
    ['an order that there is none of', { out_trade_no: '20261127000000000000' }, 'unknownOrder'],
  ])('of %s credits nothing, and waits for staff', async (_, other, problem) => {
    const number = await paid()
    expect(await notify(there.notification(number, other))).toEqual({ answer: '200 success', problem })
    expect([await balanceNow(), await stateOf(number)]).toEqual(['0.00', 'open'])
  })

  test('names a seller and an app, and closes nothing in the name of others', async () => {
    const number = await begun()
    for (const name of ['seller_id', 'app_id'])
      expect((await notify(there.notification(number, { [name]: '' }))).problem).toBe('unreadable')
    await notify(there.notification(number, { trade_status: 'TRADE_CLOSED', app_id: '2021000000000000' }))
    expect(await stateOf(number)).toBe('open')
  })

  test('of a second payment for one order waits for staff', async () => {
    const number = await paid()
    expect(await notify(there.notification(number))).toEqual(credited)
    expect((await notify(there.notification(number, { trade_no: '2026112722001499999' }))).problem).toBe('paidTwice')
    expect(await balanceNow()).toBe('12.50')
  })
})

let keys = 0

async function refund(number: string, amount: string): Promise<string> {
  const input = { number, amount, reason: 'Asked for it & more', mayOwe: false }
  const { refundNumber } = await chief.call(refundPayment, input, { 'idempotency-key': `a-key-of-alipay-${++keys}` })
  return refundNumber ?? ''
}

const lastEvent = () => app.selectFrom('payment_event').select(['kind', 'facts']).orderBy('id', 'desc').limit(1).executeTakeFirst()
const refundRow = (number: string) => app.selectFrom('payment_refund').selectAll().where('number', '=', number).executeTakeFirstOrThrow()

async function topped(amount: string): Promise<string> {
  const number = await paid(amount)
  expect(await notify(there.notification(number))).toEqual(credited)
  return number
}

describe('a refund', () => {
  test('is paid back in parts and wholly, and a notification about it is no second payment', async () => {
    const number = await topped('30.00')
    const refundNumber = await refund(number, '12.50')
    await workOff(forum.database)
    expect(await refundRow(refundNumber)).toMatchObject({ state: 'done', cents: '1250', returned_at: expect.any(Date) })
    const tellOf = { gmt_refund: clock(new Date()), refund_fee: '12.50', out_biz_no: refundNumber }
    expect((await notify(there.notification(number, tellOf))).answer).toBe('200 success')
    expect([await lastEvent(), await balanceNow()]).toMatchObject([{ kind: 'refund', facts: { number, refundNumber } }, '17.50'])
    const rest = await refund(number, '17.50')
    await workOff(forum.database)
    expect([(await refundRow(rest)).state, there.trades.get(number)?.status]).toEqual(['done', 'TRADE_CLOSED'])
    expect((await notify(there.notification(number, { ...tellOf, refund_fee: '30.00', out_biz_no: rest }))).answer).toBe('200 success')
    expect(await lastEvent()).toMatchObject({ kind: 'refund', facts: { number, refundNumber: rest } })
    // A late notification without the number of a refund has the sum of what is known.
    expect((await notify(there.notification(number, { ...tellOf, out_biz_no: '', notify_id: 'late' }))).problem).toBeNull()
    expect([await balanceNow(), await stateOf(number)]).toEqual(['0.00', 'paid'])
    expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
  })

  test('that Alipay refuses comes back to the balance, with Alipay’s message', async () => {
    const number = await topped('30.00')
    Object.assign(there.trades.get(number) ?? {}, { status: 'TRADE_FINISHED' })
    const refundNumber = await refund(number, '10.00')
    expect(await balanceNow()).toBe('20.00')
    await workOff(forum.database)
    expect(await refundRow(refundNumber)).toMatchObject({ state: 'failed', problem: '交易已经完结 (ACQ.TRADE_HAS_FINISHED)' })
    expect(await balanceNow()).toBe('30.00')
  })

  test('waits while the seller has too little there, and is done once there is enough', async () => {
    const number = await topped('30.00')
    const { balance: enough } = there
    there.balance = 0n
    const refundNumber = await refund(number, '10.00')
    await workOff(forum.database)
    expect([(await refundRow(refundNumber)).state, await balanceNow()]).toEqual(['asked', '20.00'])
    there.balance = enough
    await tryAgain(refundNumber)
    expect((await refundRow(refundNumber)).state).toBe('done')
  })

  test('with a lost answer is made once, and queried before it is tried again', async () => {
    const number = await topped('30.00')
    const refundNumber = await refund(number, '10.00')
    there.tamper = (_, response) => {
      response.destroy()
      return null
    }
    onTestFinished(mend)
    await workOff(forum.database)
    mend()
    expect((await refundRow(refundNumber)).state).toBe('asked')
    there.asked = []
    await tryAgain(refundNumber)
    expect([(await refundRow(refundNumber)).state, there.asked.map(({ method }) => method)]).toEqual([
      'done',
      ['alipay.trade.fastpay.refund.query'],
    ])
    const sum = [...(there.trades.get(number)?.refunds.values() ?? [])].map(({ cents }) => cents)
    expect(sum).toEqual([1_000n])
  })
})

const mend = () => void (there.tamper = (answer) => answer)

async function tryAgain(refundNumber: string): Promise<void> {
  await app.updateTable('payment_refund').set({ try_at: new Date() }).where('number', '=', refundNumber).execute()
  await workOff(forum.database)
}

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

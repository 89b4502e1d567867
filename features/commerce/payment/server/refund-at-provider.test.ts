import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { bookEvent, staffEvent } from '#payment/event-contract.ts'
import { tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { AboveBookable, type ProviderName } from '#payment/contract.ts'
import { setStandIns } from '#payment/server/providers.ts'
import { AlipayStandIn, clock } from '#payment/testing/alipay.ts'
import { eventOf, key, signatureOf, stripeStandIn, webhookSecret, type StripeStandIn } from '#payment/testing/stripe.ts'
import { aWechat, type Wechat } from '#payment/testing/wechat.ts'
import { turnOn } from '#payment/testing/wechat-forum.ts'
import { staffPayment } from '#payment/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let stripe: StripeStandIn
let alipay: AlipayStandIn
let wechat: Wechat

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  ;[stripe, alipay, wechat] = [await stripeStandIn(), await new AlipayStandIn().open(), await aWechat()]
  const { appId: alipayAppId, sellerId: alipaySellerId, publicKey: alipayPublicKey } = alipay.keys
  await transact(forum.database, async (tx) => {
    await turnOn(tx, wechat)
    await setting.changeSealed(tx, 'alipayKey', alipay.keys.key, 'test')
    await setting.changeSealed(tx, 'stripeKey', key, 'test')
    await setting.changeSealed(tx, 'stripeWebhookSecret', webhookSecret, 'test')
  })
  const limits = { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 }
  await withSandbox(forum, {
    paymentProviders: ['stripe', 'alipay', 'wechat'],
    alipayAppId,
    alipaySellerId,
    alipayPublicKey,
    ...limits,
  })
  setStandIns({ stripe: stripe.address, alipay: alipay.url, wechat: wechat.address })
  chief = await aStaffer(forum)
})
afterAll(async () => {
  setStandIns({})
  await Promise.all([stripe.close(), alipay.close(), wechat.close()])
})
beforeEach(async () => {
  mei = await forum.member()
})

async function has(): Promise<string> {
  const { account } = await mei.call(balance, {})
  return account.owed === '0.00' ? account.balance : `-${account.owed}`
}

async function begun(provider: ProviderName, method: string): Promise<string> {
  const { status, body } = await tops(mei, '30.00', { provider, method })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.number
}

/** Delivers a notification, and has it processed. */
async function deliver(provider: ProviderName, headers: Record<string, string>, payload: string | Buffer): Promise<void> {
  const { statusCode, body } = await forum.app.inject({ method: 'POST', url: `/hook/payment/${provider}`, headers, payload })
  expect([statusCode, body.includes('fail')]).toEqual([200, false])
  await workOff(forum.database)
}

const toStripe = (type: string, object: object, more: Record<string, unknown> = {}) => {
  const payload = eventOf(type, object, more)
  return deliver('stripe', { 'content-type': 'application/json', 'stripe-signature': signatureOf(payload) }, payload)
}
const toAlipay = (number: string, other: Record<string, string>) =>
  deliver('alipay', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, alipay.notification(number, other))
const toWechat = (facts: object, type?: string) => {
  const { headers, body } = wechat.notification(facts, type === undefined ? {} : { type })
  return deliver('wechat', { 'content-type': 'application/json', ...headers }, body)
}

async function paidBy(provider: 'stripe' | 'alipay' | 'wechat'): Promise<string> {
  const number = await begun(provider, provider === 'stripe' ? 'page' : 'qr')
  if (provider === 'stripe') await toStripe('checkout.session.completed', stripe.pay(stripe.sessionOf(number)))
  else if (provider === 'alipay') alipay.pay(number)
  if (provider === 'alipay') await toAlipay(number, {})
  if (provider === 'wechat') await toWechat(wechat.pay(number))
  expect(await has()).toBe('30.00')
  return number
}

const shown = async (number: string) => {
  const { refunds, events, state } = await chief.call(staffPayment, { number })
  return {
    state,
    refunds: refunds.map(({ amount, state: its, isFromProvider }) => [amount, its, isFromProvider]),
    waiting: events.filter((one) => one.state === 'suspended').map(({ problem }) => problem),
  }
}
const booked = (...amounts: string[]) => ({
  state: 'refunded',
  refunds: amounts.map((amount) => [amount, 'done', true]),
  waiting: [],
})

describe('a refund made in Stripe’s dashboard', () => {
  const made = (number: string, cents: number) => {
    const form = new URLSearchParams({ payment_intent: stripe.sessionOf(number).payment_intent ?? '', amount: String(cents) })
    return stripe.refundThere(form)
  }

  test('is booked as a refund of its payment, once, by whichever events arrive', async () => {
    const number = await paidBy('stripe')
    const refund = made(number, 1_200)
    for (const type of ['refund.created', 'refund.updated', 'charge.refund.updated']) await toStripe(type, refund)
    expect([await has(), await shown(number)]).toEqual(['18.00', booked('12.00')])
  })

  test('is booked after an event of its charge only, which lists no refunds', async () => {
    const number = await paidBy('stripe')
    const { payment_intent } = made(number, 1_000)
    made(number, 500)
    for (let time = 0; time < 2; time++) await toStripe('charge.refunded', { id: 'ch_1', payment_intent, amount_refunded: 1_500 })
    expect([await has(), (await shown(number)).refunds.toSorted()]).toEqual(['15.00', booked('10.00', '5.00').refunds])
  })

  test('comes back onto the balance when it fails, even if the failure arrives first', async () => {
    const number = await paidBy('stripe')
    const [late, early] = [made(number, 1_000), made(number, 700)]
    await toStripe('refund.created', late)
    expect(await has()).toBe('20.00')
    for (const type of ['refund.failed', 'refund.updated']) await toStripe(type, { ...late, status: 'failed' })
    await toStripe('refund.failed', { ...early, status: 'failed' })
    await toStripe('refund.created', early)
    expect([await has(), (await shown(number)).refunds]).toEqual(['30.00', [['10.00', 'failed', true]]])
  })

  test.each([['failed'], ['canceled']])(
    'that succeeds after it had %s is booked again, once, and comes back when it fails again',
    async (status) => {
      const number = await paidBy('stripe')
      const refund = made(number, 1_000)
      const now = Math.floor(Date.now() / 1000)
      const tell = (type: string, state: string, at: number) => toStripe(type, { ...refund, status: state }, { created: now + at })
      await tell('refund.created', 'pending', 0)
      await tell('refund.updated', status, 10)
      await tell('refund.created', 'succeeded', 5)
      expect([await has(), (await shown(number)).waiting]).toEqual(['30.00', []])
      for (const type of ['refund.updated', 'charge.refund.updated']) await tell(type, 'succeeded', 20)
      expect([await has(), (await shown(number)).refunds]).toEqual([
        '20.00',
        [
          ['10.00', 'done', true],
          ['10.00', 'failed', true],
        ],
      ])
      for (const type of ['refund.failed', 'refund.updated']) await tell(type, 'failed', 30)
      expect([await has(), (await shown(number)).waiting]).toEqual(['30.00', []])
    },
  )

  test('reported as failed and as done within a second waits for staff, who book it', async () => {
    const number = await paidBy('stripe')
    const refund = made(number, 1_000)
    const created = Math.floor(Date.now() / 1000)
    await toStripe('refund.updated', { ...refund, status: 'canceled' }, { created })
    await toStripe('refund.updated', refund, { created })
    expect([await has(), await shown(number)]).toEqual(['30.00', { state: 'paid', refunds: [], waiting: ['failedBefore'] }])
    const eventId = (await chief.call(staffPayment, { number })).events.find(({ state }) => state === 'suspended')?.id ?? ''
    await chief.call(bookEvent, { eventId, number, amount: '10.00', reason: 'Stripe shows it as done' }, newIdempotencyKey())
    expect([await has(), await shown(number)]).toEqual(['20.00', booked('10.00')])
  })

  test('of another shop is ignored', async () => {
    const number = await paidBy('stripe')
    await toStripe('refund.created', { ...made(number, 100), payment_intent: 'pi_of_another_shop' })
    expect([await has(), await shown(number)]).toEqual(['30.00', { state: 'paid', refunds: [], waiting: [] }])
  })
})

describe('a dispute at Stripe', () => {
  type Move = { amount: number; currency: string }
  const disputeOf = (number: string, more: object = {}) => ({
    id: `du_${number}`,
    object: 'dispute',
    amount: 3_000,
    currency: 'cny',
    reason: 'fraudulent',
    status: 'needs_response',
    payment_intent: stripe.sessionOf(number).payment_intent,
    livemode: false,
    ...more,
  })
  const took = (...balance_transactions: Move[]) => ({ balance_transactions })
  const disputes = async (number: string) =>
    (await chief.call(staffPayment, { number })).disputes.map(({ amount, state }) => [amount, state])

  test.each([
    ['yuan', took({ amount: -2_950, currency: 'cny' }), '0.50'],
    ['the currency that the account keeps', took({ amount: -1_650, currency: 'hkd' }), '15.00'],
  ])('in the card’s currency takes its amount in %s', async (_, moves, left) => {
    const number = await paidBy('stripe')
    stripe.settles(stripe.sessionOf(number), { amount: 3_300, currency: 'hkd' })
    await toStripe('charge.dispute.created', disputeOf(number, { amount: 430, currency: 'usd', ...moves }))
    expect(await has()).toBe(left)
    await toStripe('charge.dispute.closed', disputeOf(number, { amount: 430, currency: 'usd', status: 'won', ...moves }))
    expect(await has()).toBe('30.00')
  })

  test('is shown with its deadline and Stripe’s page of it', async () => {
    const number = await paidBy('stripe')
    await toStripe('charge.dispute.created', disputeOf(number, { evidence_details: { due_by: 1_798_000_000 } }))
    const [dispute] = (await chief.call(staffPayment, { number })).disputes
    expect(dispute).toMatchObject({
      respondBy: new Date(1_798_000_000_000).toISOString(),
      link: `https://dashboard.stripe.com/test/disputes/du_${number}`,
    })
  })

  test('before its payment is booked with it', async () => {
    const number = await begun('stripe', 'page')
    const paid = stripe.pay(stripe.sessionOf(number))
    await toStripe('charge.dispute.created', disputeOf(number))
    expect(await shown(number)).toMatchObject({ waiting: ['notPaid'] })
    await toStripe('checkout.session.completed', paid)
    expect([await has(), await shown(number)]).toMatchObject(['0.00', { state: 'disputed', waiting: [] }])
  })

  test.each([
    ['prevented, and took it', 'prevented', took({ amount: -3_000, currency: 'cny' }), '0.00', [['30.00', 'lost']]],
    ['prevented, and took nothing', 'prevented', took(), '30.00', []],
    ['of a status that is unknown, and took it', 'in_mediation', took({ amount: -3_000, currency: 'cny' }), '0.00', [['30.00', 'open']]],
  ])('that is %s', async (_, status, moves, left, booked) => {
    const number = await paidBy('stripe')
    await toStripe('charge.dispute.created', disputeOf(number, { status, ...moves }))
    expect([await has(), await disputes(number)]).toEqual([left, booked])
  })

  test('of an unknown status, without a movement, waits for staff', async () => {
    const number = await paidBy('stripe')
    await toStripe('charge.dispute.created', disputeOf(number, { status: 'in_mediation' }))
    expect([await has(), (await shown(number)).waiting]).toEqual(['30.00', ['otherState']])
  })

  test('and a refund of the same payment each take their amount', async () => {
    const number = await paidBy('stripe')
    await toStripe('charge.dispute.created', disputeOf(number))
    const form = new URLSearchParams({ payment_intent: stripe.sessionOf(number).payment_intent ?? '', amount: '3000' })
    await toStripe('refund.created', stripe.refundThere(form))
    expect(await has()).toBe('-30.00')
    await toStripe('charge.dispute.closed', disputeOf(number, { status: 'won' }))
    expect(await has()).toBe('0.00')
  })
})

describe('a refund made in Alipay’s console', () => {
  const refunded = (number: string, request: string, cents: bigint) =>
    alipay.trades.get(number)?.refunds.set(request, { cents, at: new Date() })

  test('is booked with its own amount, though the notification has the sum of all', async () => {
    const number = await paidBy('alipay')
    refunded(number, 'HZ01', 500n)
    refunded(number, 'HZ02', 800n)
    const told = (request: string, sum: string) => toAlipay(number, { gmt_refund: clock(new Date()), refund_fee: sum, out_biz_no: request })
    await told('HZ02', '13.00')
    await told('HZ01', '5.00')
    await told('HZ02', '13.00')
    expect([await has(), (await shown(number)).refunds.toSorted()]).toEqual(['17.00', booked('5.00', '8.00').refunds])
  })

  test.each([
    ['with the sum alone', { refund_fee: '30.00', gmt_refund: clock(new Date()) }],
    ['with the time alone', { gmt_refund: clock(new Date()) }],
  ])('of the whole payment, without a number and reported by %s, is booked', async (_, told) => {
    const number = await paidBy('alipay')
    for (let time = 0; time < 2; time++) await toAlipay(number, { trade_status: 'TRADE_CLOSED', notify_id: `whole-${time}`, ...told })
    expect([await has(), await shown(number)]).toEqual(['0.00', booked('30.00')])
  })

  const ago = (seconds: number) => clock(new Date(Date.now() - seconds * 1000))

  test.each([
    ['in their order', ['HX01', 'HX02', 'HX03'], ['5.00', '7.00', '8.00']],
    ['backwards', ['HX03', 'HX02', 'HX01'], ['20.00']],
    ['in another order', ['HX02', 'HX01', 'HX03', 'HX01'], ['13.00', '7.00']],
    ['with the first and the last first', ['HX01', 'HX03', 'HX02'], ['15.00', '5.00']],
  ])('that Alipay does not find comes to the largest sum that it told of, told %s', async (_, order, amounts) => {
    const number = await paidBy('alipay')
    const told = { HX01: ['5.00', 180], HX02: ['13.00', 120], HX03: ['20.00', 60] } as const
    for (const [place, request] of order.entries()) {
      const [sum, seconds] = told[request as keyof typeof told]
      await toAlipay(number, { notify_id: `sum-${place}`, gmt_refund: ago(seconds), refund_fee: sum, out_biz_no: request })
    }
    const { refunds, ...rest } = await shown(number)
    expect([await has(), { ...rest, refunds: refunds.toSorted() }]).toEqual(['10.00', booked(...amounts)])
  })

  test('that is found only after a later sum was booked is a part of that sum', async () => {
    const number = await paidBy('alipay')
    await toAlipay(number, { notify_id: 'later', gmt_refund: ago(60), refund_fee: '13.00', out_biz_no: 'HF02' })
    refunded(number, 'HF01', 500n)
    await toAlipay(number, { notify_id: 'found', gmt_refund: ago(120), refund_fee: '5.00', out_biz_no: 'HF01' })
    expect([await has(), await shown(number)]).toEqual(['17.00', booked('13.00')])
    const { events } = await chief.call(staffPayment, { number })
    const { refund } = await chief.call(staffEvent, { eventId: events[0]?.id ?? '' })
    expect([events[0]?.state, refund]).toEqual(['done', null])
    // A statement names it too, and staff book no part of the sum again.
    const facts = { number, paymentNumber: alipay.trades.get(number)?.tradeNo, currency: 'CNY', cents: '500', state: 'done' }
    const { id: eventId } = await forum.database.app
      .insertInto('payment_event')
      .values({
        provider: 'alipay',
        event_id: `statement:refund:${number}`,
        headers: '{}',
        body: Buffer.from(''),
        kind: 'refund',
        facts: JSON.stringify({ ...facts, providerNumber: `${facts.paymentNumber}/HF01` }),
        state: 'suspended',
        problem: 'statementOnly',
        handled_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const book = { eventId, number, amount: '5.00', reason: 'Seen in the statement' }
    expect((await chief.tryCall(bookEvent, book, newIdempotencyKey())).status).toBe(AboveBookable.status)
  })

  test.each([
    ['without a number', {}],
    ['under one number', { out_biz_no: 'HX09' }],
  ])('twice %s is booked twice, each by its sum, however often it is reported', async (_, named) => {
    const number = await paidBy('alipay')
    for (const [place, sum] of ['5.00', '13.00', '5.00', '13.00'].entries())
      await toAlipay(number, { notify_id: `again-${place}`, gmt_refund: ago(120 - place), refund_fee: sum, ...named })
    expect([await has(), await shown(number)]).toEqual(['17.00', booked('8.00', '5.00')])
  })

  test('reported only by the end of its payment waits for staff', async () => {
    const number = await paidBy('alipay')
    await toAlipay(number, { trade_status: 'TRADE_CLOSED' })
    expect([await has(), (await shown(number)).waiting]).toEqual(['30.00', ['noAmount']])
  })
})

describe('a refund made on WeChat Pay’s merchant platform', () => {
  const facts = (number: string, refund: number, other: object = {}) => ({
    mchid: wechat.keys.merchantId,
    out_trade_no: number,
    transaction_id: `42000${number}`,
    out_refund_no: `platform-${number}`,
    refund_id: `50000${number}`,
    refund_status: 'SUCCESS',
    success_time: '2026-11-28T10:00:00+08:00',
    amount: { total: 3_000, refund, payer_total: 3_000, payer_refund: refund },
    ...other,
  })

  test('is booked, once, and comes back when it is closed', async () => {
    const number = await paidBy('wechat')
    for (let time = 0; time < 2; time++) await toWechat(facts(number, 1_100), 'REFUND.SUCCESS')
    expect([await has(), await shown(number)]).toEqual(['19.00', booked('11.00')])
    await toWechat(facts(number, 1_100, { refund_status: 'CLOSED' }), 'REFUND.CLOSED')
    expect([await has(), (await shown(number)).refunds]).toEqual(['30.00', [['11.00', 'failed', true]]])
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

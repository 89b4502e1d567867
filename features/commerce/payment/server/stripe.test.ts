import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#payment/contract.ts'
import { letAsk, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { setStandIns } from '#payment/server/providers.ts'
import { stripe } from '#payment/server/providers/stripe.ts'
import { eventOf, key, signatureOf, stripeStandIn, webhookSecret, type StripeStandIn } from '#payment/testing/stripe.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { adjustBalance } from '#wallet/adjust-contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let desk: StripeStandIn
let mei: Person
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  desk = await stripeStandIn()
  setStandIns({ stripe: desk.address })
  const limits = { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 1_000 }
  await withSandbox(forum, { paymentProviders: ['stripe'], ...limits })
  await transact(forum.database, async (tx) => {
    await setting.changeSealed(tx, 'stripeKey', key, 'test')
    await setting.changeSealed(tx, 'stripeWebhookSecret', webhookSecret, 'test')
  })
  chief = await aStaffer(forum)
})
afterAll(() => {
  setStandIns({})
  return desk.close()
})
beforeEach(async () => {
  desk.feels('well')
  desk.refundsAre('succeeded')
  mei = await forum.member()
})

const yuan = async () => {
  const { account } = await mei.call(balance, {})
  return account.owed === '0.00' ? account.balance : `-${account.owed}`
}
const stateOf = async (number: string) => (await mei.call(contract.payment, { number })).state
const begin = (amount = '12.50') => tops(mei, amount, { provider: 'stripe' })

async function begun(amount?: string): Promise<string> {
  const { status, body } = await begin(amount)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.number
}

/** Sends an event, and returns the response's status. */
async function send(payload: string, signature = signatureOf(payload)): Promise<number> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
  const { statusCode, body } = await forum.app.inject({ method: 'POST', url: '/hook/payment/stripe', headers, payload })
  expect(JSON.parse(body)).toEqual({ received: statusCode === 200 })
  return statusCode
}

/** Sends an event, and returns its result. */
async function emit(type: string, object: object, more: Record<string, unknown> = {}): Promise<string | null> {
  expect(await send(eventOf(type, object, more))).toBe(200)
  await workOff(forum.database)
  const row = await forum.database.app
    .selectFrom('payment_event')
    .select(['kind', 'problem'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return row.problem ?? row.kind
}

const completed = 'checkout.session.completed'

async function paid(amount = '12.50'): Promise<string> {
  const number = await begun(amount)
  expect(await emit(completed, desk.pay(desk.sessionOf(number)))).toBe('paid')
  expect(await stateOf(number)).toBe('paid')
  return number
}

describe('a payment', () => {
  test('begins at a page of Stripe, in yuan and for this order alone, and lives a little longer there than here', async () => {
    const { body } = await begin('12.50')
    const session = desk.sessionOf(body.number)
    expect(body.start).toEqual({ go: 'page', to: session.url })
    expect(session).toMatchObject({ amount_total: 1250, currency: 'cny', metadata: { number: body.number } })
    expect(session.expires_at).toBe(Math.floor(Date.parse(body.expiresAt) / 1000) + 300)
    const { form } = desk.asked.at(-1) ?? {}
    expect(form?.get('success_url')).toMatch(new RegExp(`^http.+/paymentCompleted/stripe/topUp/${body.number}$`))
    expect(form?.get('adaptive_pricing[enabled]')).toBe('false')
  })

  test('that is paid is credited once, by however many events', async () => {
    const number = await begun()
    const event = eventOf(completed, desk.pay(desk.sessionOf(number)))
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(event)))
    expect(new Set(answers)).toEqual(new Set([200]))
    await Promise.all([workOff(forum.database), workOff(forum.database)])
    // Another event of the same payment.
    expect(await emit('checkout.session.async_payment_succeeded', desk.sessionOf(number))).toBe('paid')
    expect([await yuan(), await stateOf(number)]).toEqual(['12.50', 'paid'])
    const { log } = await mei.call(balance, {})
    expect(log.rows).toMatchObject([{ kind: 'topUp', amount: '12.50', paymentNumber: number }])
  })

  test('by a method that takes days waits until it has succeeded, or ends if it fails', async () => {
    const [first, second] = [await begun(), await begun('20.00')]
    expect(await emit(completed, desk.pay(desk.sessionOf(first), 'processing'))).toBe('other')
    await letAsk(forum.database, first, true)
    expect([await yuan(), await stateOf(first)]).toEqual(['0.00', 'open'])
    expect(await mei.isRefused(contract.cancelPayment, { number: first }, contract.PaidAlready)).toBe(true)
    expect(await emit('checkout.session.async_payment_succeeded', desk.pay(desk.sessionOf(first)))).toBe('paid')
    expect(await emit(completed, desk.pay(desk.sessionOf(second), 'processing'))).toBe('other')
    const failed = desk.pay(desk.sessionOf(second), 'requires_payment_method')
    expect(await emit('checkout.session.async_payment_failed', failed)).toBe('closed')
    expect([await yuan(), await stateOf(first), await stateOf(second)]).toEqual(['12.50', 'paid', 'closed'])
  })

  test('is credited too after a message that it has ended', async () => {
    const number = await begun()
    const session = desk.sessionOf(number)
    expect(await emit('checkout.session.expired', { ...session, status: 'expired' })).toBe('closed')
    expect(await stateOf(number)).toBe('closed')
    expect(await emit(completed, desk.pay(session))).toBe('paid')
    expect(await emit('checkout.session.expired', { ...session, status: 'expired' })).toBe('closed')
    expect([await yuan(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })
})

describe('an event', () => {
  test('is refused if its signature is missing or wrong, its time old, or a byte changed', async () => {
    const number = await begun()
    const event = eventOf(completed, desk.pay(desk.sessionOf(number)))
    const right = signatureOf(event)
    expect(await send(event, '')).toBe(400)
    expect(await send(event, signatureOf(event, { secret: 'whsec_somebodyElses0000' }))).toBe(400)
    expect(await send(event, right.replace(/v1=./, 'v1=x'))).toBe(400)
    expect(await send(event, signatureOf(event, { at: Date.now() - 301_000 }))).toBe(400)
    expect(await send(event.replace('1250', '9250'), right)).toBe(400)
    // Repeated later: the signed time cannot be altered.
    expect(await send(event, right.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) + 1}`))).toBe(400)
    await workOff(forum.database)
    expect([await yuan(), await stateOf(number)]).toEqual(['0.00', 'open'])
    expect(await send(event, right)).toBe(200)
  })

  test('of the other mode is refused, whatever its signature', async () => {
    const number = await begun()
    const event = eventOf(completed, desk.pay(desk.sessionOf(number)), { livemode: true })
    expect(await send(event)).toBe(400)
    expect(await stateOf(number)).toBe('open')
  })

  test.each([
    ['another amount', { amount_total: 1249 }, {}, 'otherAmount'],
    ['another currency', { currency: 'usd' }, {}, 'otherCurrency'],
    ['another account', {}, { account: 'acct_connected' }, 'otherSeller'],
    ['an order that there is none of', { client_reference_id: '20261127000000000000' }, {}, 'unknownOrder'],
    ['another shop of the account', { client_reference_id: 'cart-7' }, {}, 'other'],
    ['another shop without a number', { client_reference_id: null }, {}, 'other'],
  ])('of %s credits nothing', async (_, other, more, came) => {
    const number = await begun()
    expect(await emit(completed, { ...desk.pay(desk.sessionOf(number)), ...other }, more)).toBe(came)
    expect([await yuan(), await stateOf(number)]).toEqual(['0.00', 'open'])
  })

  test('of another shop is accepted, and changes nothing', async () => {
    expect(await emit('customer.created', { id: 'cus_1' })).toBe('other')
    expect(await emit('charge.refunded', { id: 'ch_1', refunds: null })).toBe('other')
    expect(await emit('refund.updated', { id: 're_1', status: 'succeeded', metadata: {} })).toBe('other')
  })
})

describe('a payment without an event', () => {
  test('is asked for', async () => {
    const number = await begun()
    desk.pay(desk.sessionOf(number))
    await letAsk(forum.database, number)
    expect([await yuan(), await stateOf(number)]).toEqual(['12.50', 'paid'])
    // A late event changes nothing.
    expect(await emit(completed, desk.sessionOf(number))).toBe('paid')
    expect(await yuan()).toBe('12.50')
  })

  test('is found at Stripe if the server died before it stored the session', async () => {
    const number = await begun()
    for (let other = 0; other < 120; other++) desk.session(new URLSearchParams({ client_reference_id: `cart-${other}` }))
    desk.pay(desk.sessionOf(number))
    await forum.database.app.updateTable('payment_order').set({ started: null }).where('number', '=', number).execute()
    await letAsk(forum.database, number)
    expect([await yuan(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })

  test('ends at Stripe too when its time is over, or its member cancels it', async () => {
    const [first, second, third] = [await begun(), await begun(), await begun()]
    await letAsk(forum.database, first)
    expect(await stateOf(first)).toBe('open')
    await letAsk(forum.database, first, true)
    await mei.call(contract.cancelPayment, { number: second })
    Object.assign(desk.sessionOf(third), { status: 'expired' })
    await letAsk(forum.database, third)
    for (const number of [first, second, third])
      expect([await stateOf(number), desk.sessionOf(number).status]).toEqual(['closed', 'expired'])
  })

  test('is credited if its member cancels after paying', async () => {
    const number = await begun()
    desk.pay(desk.sessionOf(number))
    expect(await mei.isRefused(contract.cancelPayment, { number }, contract.PaidAlready)).toBe(true)
    await letAsk(forum.database, number)
    expect([await yuan(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })
})

test('less than Stripe takes is refused beside the amount, and the order is closed', async () => {
  const { status, response } = await begin('3.99')
  expect([status, Object.keys(response.json().error)]).toEqual([422, ['amount']])
  const rows = await forum.database.app.selectFrom('payment_order').select('state').where('member_id', '=', mei.id).execute()
  expect(rows).toEqual([{ state: 'closed' }])
})

describe('Stripe that is away', () => {
  test.each(['hangsUp', 'broken', 'rubbish', 'silent'] as const)(
    'and %s begins no payment, and loses no begun one',
    async (mood) => {
      const number = await begun()
      desk.pay(desk.sessionOf(number))
      desk.feels(mood)
      const [{ status }] = await Promise.all([begin(), letAsk(forum.database, number)])
      expect(status).toBe(422)
      expect(await stateOf(number)).toBe('open')
      desk.feels('well')
      await letAsk(forum.database, number)
      expect([await yuan(), await stateOf(number)]).toEqual(['12.50', 'paid'])
    },
    60_000,
  )
})

let refundKeys = 0
async function refund(number: string, amount: string): Promise<string> {
  const headers = { 'idempotency-key': `a-key-of-stripe-refunds-${++refundKeys}` }
  const { refundNumber } = await chief.call(refundPayment, { number, amount, mayOwe: false, reason: 'Asked for it' }, headers)
  await workOff(forum.database)
  return refundNumber ?? ''
}
const refundOf = (number: string) =>
  forum.database.app.selectFrom('payment_refund').selectAll().where('number', '=', number).executeTakeFirstOrThrow()
const thereOf = (number: string) => desk.refunds.filter(({ metadata }) => metadata['number'] === number)

describe('a refund', () => {
  test('goes back in parts or as a whole, once', async () => {
    const number = await paid('30.00')
    const first = await refund(number, '12.50')
    expect([await yuan(), thereOf(first).length]).toEqual(['17.50', 1])
    const [there] = thereOf(first)
    expect(await refundOf(first)).toMatchObject({ state: 'done', provider_number: there?.id, returned_at: expect.any(Date) })
    for (const type of ['refund.created', 'refund.updated', 'charge.refund.updated']) expect(await emit(type, there ?? {})).toBe('refund')
    await refund(number, '17.50')
    expect([await yuan(), (await refundOf(first)).state]).toEqual(['0.00', 'done'])
  })

  test.each(['refused', 'failed', 'canceled'])('that is %s comes back onto the balance', async (how) => {
    const number = await paid('30.00')
    desk.refundsAre(how)
    const refunded = await refund(number, '12.50')
    expect(await yuan()).toBe('30.00')
    expect((await refundOf(refunded)).problem).toMatch(/already been refunded|expired_or_canceled_card|canceled/)
  })

  test('that is under way is done when Stripe confirms it, and comes back if it fails after all', async () => {
    const number = await paid('30.00')
    desk.refundsAre('pending')
    const refunded = await refund(number, '12.50')
    expect([await yuan(), (await refundOf(refunded)).state]).toEqual(['17.50', 'asked'])
    const [there] = thereOf(refunded)
    if (!there) throw new Error('Stripe knows of no refund')
    there.status = 'succeeded'
    expect(await emit('refund.updated', there)).toBe('refund')
    expect([await yuan(), (await refundOf(refunded)).state]).toEqual(['17.50', 'done'])
    Object.assign(there, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
    for (const type of ['refund.failed', 'refund.updated']) expect(await emit(type, there)).toBe('refund')
    expect([await yuan(), await refundOf(refunded)]).toMatchObject(['30.00', { state: 'failed', problem: 'lost_or_stolen_card' }])
    expect(thereOf(refunded)).toHaveLength(1)
  })

  test('with a lost answer is made once', async () => {
    const number = await paid('30.00')
    desk.feels('hangsUp')
    const refunded = await refund(number, '12.50')
    expect((await refundOf(refunded)).state).toBe('asked')
    desk.feels('well')
    const again = { try_at: new Date(), tries: 0 }
    for (let time = 0; time < 2; time++) {
      await forum.database.app
        .updateTable('payment_refund')
        .set(again)
        .where('number', '=', refunded)
        .where('state', '=', 'asked')
        .execute()
      await workOff(forum.database)
    }
    expect([await yuan(), (await refundOf(refunded)).state, thereOf(refunded).length]).toEqual(['17.50', 'done', 1])
  })
})

describe('a dispute', () => {
  const disputeOf = (number: string, status: string, more: object = {}) => {
    const { payment_intent, amount_total: amount } = desk.sessionOf(number)
    return { id: `du_${number}`, object: 'dispute', amount, currency: 'cny', reason: 'fraudulent', status, payment_intent, ...more }
  }
  const spend = async (amount: string) => {
    const headers = { 'idempotency-key': `a-key-of-stripe-refunds-${++refundKeys}` }
    await chief.call(adjustBalance, { memberId: mei.id, way: 'take', amount, reason: 'Spent' }, headers)
  }

  test('takes the payment, below zero too, and gives it back once when it is won', async () => {
    const number = await paid()
    await spend('10.00')
    for (const type of ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.created'])
      expect(await emit(type, disputeOf(number, 'needs_response'))).toBe('dispute')
    expect(await yuan()).toBe('-10.00')
    for (const type of ['charge.dispute.closed', 'charge.dispute.funds_reinstated', 'charge.dispute.closed'])
      expect(await emit(type, disputeOf(number, 'won'))).toBe('dispute')
    expect(await emit('charge.dispute.created', disputeOf(number, 'needs_response'))).toBe('dispute')
    expect(await yuan()).toBe('2.50')
  })

  test('that is lost stays lost, unless an appeal wins it', async () => {
    const number = await paid()
    await emit('charge.dispute.created', disputeOf(number, 'under_review'))
    await emit('charge.dispute.closed', disputeOf(number, 'lost'))
    await emit('charge.dispute.updated', disputeOf(number, 'appeal_under_review'))
    expect(await yuan()).toBe('0.00')
    await emit('charge.dispute.closed', disputeOf(number, 'won'))
    await emit('charge.dispute.closed', disputeOf(number, 'lost'))
    expect(await yuan()).toBe('12.50')
  })

  test('whose end arrives first takes its amount once', async () => {
    const [won, lost] = [await paid(), await paid('20.00')]
    await emit('charge.dispute.closed', disputeOf(won, 'won'))
    await emit('charge.dispute.created', disputeOf(won, 'needs_response'))
    await emit('charge.dispute.closed', disputeOf(lost, 'lost'))
    await emit('charge.dispute.created', disputeOf(lost, 'needs_response'))
    expect(await yuan()).toBe('12.50')
  })

  test('above the payment waits for staff, and one of a refunded payment is taken all the same', async () => {
    const number = await paid('30.00')
    await refund(number, '20.00')
    expect(await emit('charge.dispute.created', disputeOf(number, 'needs_response', { id: 'du_a', amount: 3_001 }))).toBe('otherAmount')
    expect(await emit('charge.dispute.created', disputeOf(number, 'needs_response', { id: 'du_b', amount: 2_000 }))).toBe('dispute')
    expect(await emit('charge.dispute.created', disputeOf(number, 'needs_response', { id: 'du_c', amount: 1_001 }))).toBe('otherAmount')
    expect(await emit('charge.dispute.created', disputeOf(number, 'needs_response', { id: 'du_d', currency: 'hkd' }))).toBe('otherCurrency')
    expect(await yuan()).toBe('-10.00')
  })

  test('that is an inquiry, or of another shop, takes nothing', async () => {
    const number = await paid()
    for (const status of ['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'])
      expect(await emit('charge.dispute.created', disputeOf(number, status))).toBe('other')
    for (const intent of ['pi_elsewhere', null])
      expect(await emit('charge.dispute.created', disputeOf(number, 'needs_response', { payment_intent: intent }))).toBe('other')
    expect(await yuan()).toBe('12.50')
  })

  test('is sent again if Stripe could not be asked for its payment', async () => {
    const number = await paid()
    const event = eventOf('charge.dispute.created', disputeOf(number, 'needs_response'))
    desk.feels('broken')
    expect(await send(event)).toBe(400)
    desk.feels('well')
    expect(await send(event)).toBe(200)
    await workOff(forum.database)
    expect(await yuan()).toBe('0.00')
  })
})

test('keys are tested, and the wrong one is named', async () => {
  const tried = (keys: { key: string; webhookSecret: string }) => stripe(keys, desk.address).testKeys()
  expect(await tried({ key, webhookSecret })).toEqual([])
  await expect(tried({ key: 'sk_test_anotherKey', webhookSecret })).rejects.toThrow(/secret key is wrong/)
  await expect(tried({ key, webhookSecret: 'whsec_' })).rejects.toThrow(/webhook secret is wrong/)
  desk.feels('broken')
  await expect(tried({ key, webhookSecret })).rejects.toThrow(/no answer/)
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

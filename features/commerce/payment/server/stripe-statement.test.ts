import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripe } from '#payment/server/providers/stripe.ts'
import { key, stripeStandIn, webhookSecret, type StripeStandIn } from '#payment/testing/stripe.ts'

let desk: StripeStandIn

beforeAll(async () => {
  desk = await stripeStandIn()
})
afterAll(() => desk.close())

const statement = (day: string) => stripe({ key, webhookSecret }, desk.address).statement(day)
const numbered = (last: number) => `202611200000000${String(last).padStart(5, '0')}`

function paid(last: number, cents: number, at: number) {
  const form = new URLSearchParams({
    client_reference_id: numbered(last),
    'payment_intent_data[metadata][number]': numbered(last),
    'line_items[0][price_data][unit_amount]': String(cents),
    'line_items[0][price_data][currency]': 'cny',
    'line_items[0][quantity]': '1',
  })
  return desk.pay(desk.session(form), 'succeeded', at)
}

test('a statement has every payment, refund, dispute and fee of its day by UTC, in order and to the last page', async () => {
  const at = (time: string) => Date.parse(`2026-11-20T${time}Z`)
  paid(1, 900, Date.parse('2026-11-19T23:59:59Z'))
  const first = paid(2, 10_000, at('00:00:00'))
  for (let more = 3; more < 250; more++) paid(more, 100 + more, at('10:00:00'))
  const refund = {
    id: 're_1',
    object: 'refund',
    amount: 4_000,
    currency: 'cny',
    payment_intent: first.payment_intent,
    metadata: { number: numbered(900) },
  }
  desk.move('refund', { amount: -4_000, fee: 0, source: refund, at: at('11:00:00') })
  const dispute = { id: 'du_1', object: 'dispute', amount: 6_000, currency: 'cny', payment_intent: first.payment_intent, metadata: {} }
  desk.move('dispute', { amount: -6_000, fee: 1_500, source: dispute, at: at('12:00:00') })
  desk.move('dispute_reversal', { amount: 6_000, fee: -1_500, source: dispute, at: at('13:00:00') })
  desk.move('fee', { amount: -77, fee: 0, source: null, at: at('14:00:00') })
  desk.move('payout', { amount: -5_000, fee: 0, source: { id: 'po_1' }, at: at('15:00:00') })
  const failed = { ...refund, id: 're_2', metadata: { number: numbered(901) } }
  desk.move('refund', { amount: -50, fee: 0, source: failed, at: at('16:00:00') })
  desk.move('refund_failure', { amount: 50, fee: 0, source: failed, at: at('17:00:00') })
  paid(999, 100, Date.parse('2026-11-21T00:00:00Z'))

  const lines = (await statement('2026-11-20')) ?? []
  expect(lines).toHaveLength(252)
  expect(lines[0]).toEqual({
    kind: 'payment',
    number: numbered(2),
    providerNumber: first.payment_intent,
    cents: 10_000n,
    feeCents: 575n,
    at: new Date('2026-11-20T00:00:00Z'),
  })
  expect(new Set(lines.map(({ number }) => number)).size).toBe(250)
  expect(lines.slice(-4)).toMatchObject([
    { kind: 'refund', number: numbered(900), providerNumber: 're_1', cents: 4_000n, feeCents: 0n },
    { kind: 'dispute', number: numbered(2), providerNumber: 'du_1', cents: 6_000n, feeCents: 1_500n },
    { kind: 'disputeReversal', number: numbered(2), providerNumber: 'du_1', cents: 6_000n, feeCents: -1_500n },
    { kind: 'fee', number: null, cents: 0n, feeCents: 77n },
  ])
})

test('amounts are in yuan if the account keeps another currency, and entries that never were in yuan are left out', async () => {
  const at = Date.parse('2026-11-10T05:00:00Z')
  const charge = { id: 'ch_1', amount: 10_000, currency: 'cny', payment_intent: 'pi_1', metadata: { number: numbered(1) } }
  desk.move('charge', { amount: 11_000, fee: 330, source: charge, at, currency: 'hkd', rate: 1.1 })
  desk.move('charge', { amount: 500, fee: 20, source: { ...charge, currency: 'hkd', metadata: {} }, at, currency: 'hkd' })
  desk.move('fee', { amount: -90, fee: 0, source: null, at, currency: 'hkd' })
  expect(await statement('2026-11-10')).toMatchObject([{ number: numbered(1), providerNumber: 'pi_1', cents: 10_000n, feeCents: 300n }])
})

test('a dispute in the card’s currency is the part of its payment that it took, and moves that are unknown are there', async () => {
  const at = Date.parse('2026-11-13T05:00:00Z')
  const session = paid(700, 3_000, Date.parse('2026-11-12T05:00:00Z'))
  desk.settles(session, { amount: 3_300, currency: 'hkd' })
  const dispute = { id: 'du_7', amount: 430, currency: 'usd', payment_intent: session.payment_intent, metadata: {} }
  desk.move('dispute', { amount: -1_650, fee: 110, source: dispute, at, currency: 'hkd' })
  desk.move('something_new', { amount: -5, fee: 0, source: null, at })
  desk.move('payout_reversal', { amount: 5, fee: 0, source: null, at })
  expect(await statement('2026-11-13')).toMatchObject([
    {
      kind: 'dispute',
      number: numbered(700),
      providerNumber: 'du_7',
      paymentNumber: session.payment_intent,
      cents: 1_500n,
      feeCents: 100n,
    },
    { kind: 'other', number: null, cents: 5n },
  ])
})

test('a refund that fails on a later day comes in again, as its number says', async () => {
  const refund = { id: 're_9', amount: 40, currency: 'cny', payment_intent: 'pi_1', metadata: { number: numbered(902) } }
  desk.move('refund', { amount: -40, fee: 0, source: refund, at: Date.parse('2026-11-11T05:00:00Z') })
  desk.move('refund_failure', { amount: 40, fee: 0, source: refund, at: Date.parse('2026-11-12T05:00:00Z') })
  const its = { number: numbered(902), providerNumber: 're_9', cents: 40n }
  expect(await statement('2026-11-11')).toMatchObject([{ kind: 'refund', ...its }])
  expect(await statement('2026-11-12')).toMatchObject([{ kind: 'refundFailure', ...its }])
})

test('there is none of a day that is not over, and an empty one of a day without anything', async () => {
  expect(await statement('2999-01-01')).toBeNull()
  expect(await statement('2026-11-01')).toEqual([])
})

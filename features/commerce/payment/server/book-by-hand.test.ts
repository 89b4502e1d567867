import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import * as refusals from '#payment/contract.ts'
import { bookEvent, creditEvent, dismissEvent, staffEvent } from '#payment/event-contract.ts'
import {
  disputeTold,
  notification,
  paidIn,
  paidTopUp,
  refundTold,
  takes,
  tell,
  tops,
  withSandbox,
  workOff,
} from '#payment/testing/factories.ts'
import { eventList, refundPayment, staffPayment } from '#payment/staff-contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { approveRequest, moneyRequests } from '#wallet/request-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let hand: Staffer
let approver: Staffer
let mei: Person
const reason = 'As the provider shows it'

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100 })
})
beforeEach(async () => {
  mei = await forum.member()
  hand = await aStaffer(forum, ['payment.view', 'payment.refund'])
  approver = await aStaffer(forum, ['payment.view', 'payment.approve', 'wallet.view'])
})
afterEach(async () => {
  const breaches = await breachesIn(forum.database, bookChecks, null)
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

async function has(): Promise<string> {
  const { account } = await mei.call(balance, {})
  return account.owed === '0.00' ? account.balance : `-${account.owed}`
}
const stands = (number: string) => hand.call(staffPayment, { number })
const waiting = async (number: string) => (await hand.call(eventList, { state: 'suspended', number })).rows
const shows = (eventId: string) => hand.call(staffEvent, { eventId })
const books = (eventId: string, number: string, amount: string, by = hand) =>
  by.tryCall(bookEvent, { eventId, number, amount, reason }, newIdempotencyKey())

/** The event that waits for staff. */
async function theOne(number: string): Promise<string> {
  const rows = await waiting(number)
  expect(rows).toHaveLength(1)
  return rows[0]?.id ?? ''
}

/** Pays an order whose notification comes only now. */
async function pays(number: string): Promise<void> {
  await takes(forum.database, number)
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, number)))
  await workOff(forum.database)
}

describe('a refund made at the provider', () => {
  test('takes the balance and owes the rest, and the member is notified', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await refundTold(forum.database, number, { cents: 1_200n })
    expect([await has(), (await stands(number)).refundable]).toEqual(['18.00', '18.00'])
    const [notice] = await noticesOf(mei)
    expect(notice?.says).toMatchObject({ kind: 'paymentRefunded', outcome: 'done', amount: '12.00' })
    expect((await stands(number)).refunds).toMatchObject([{ isFromProvider: true, state: 'done', providerNumber: `T${number}` }])
  })

  test('reported before its payment is booked when that has come', async () => {
    const { number } = (await tops(mei, '30.00')).body
    await refundTold(forum.database, number, { cents: 3_000n })
    expect(await shows(await theOne(number))).toMatchObject({ problem: 'notPaid', amount: '30.00', canBook: true })
    await pays(number)
    expect([await has(), await waiting(number), (await stands(number)).state]).toEqual(['0.00', [], 'refunded'])
  })

  test('of more than is left waits, and is booked once a refund of ours has failed', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await forum.database.app.updateTable('payment_sandbox').set({ outcome: 'closed' }).where('number', '=', number).execute()
    await hand.call(refundPayment, { number, amount: '10.00', reason }, newIdempotencyKey())
    // The request is not sent yet.
    await forum.database.app
      .updateTable('payment_refund')
      .set({ try_at: new Date(Date.now() + 60_000) })
      .where('state', '=', 'asked')
      .execute()
    await refundTold(forum.database, number, { cents: 3_000n })
    expect([await has(), (await waiting(number))[0]?.problem]).toEqual(['20.00', 'abovePayment'])
    await forum.database.app.updateTable('payment_refund').set({ try_at: new Date() }).where('state', '=', 'asked').execute()
    await workOff(forum.database)
    await workOff(forum.database)
    expect([await has(), await waiting(number)]).toEqual(['0.00', []])
  })

  test('of a payment that was never credited settles that payment', async () => {
    const { number } = (await tops(mei, '30.00')).body
    await takes(forum.database, number)
    await tell(forum.app, await notification(forum.database, await paidIn(forum.database, number, { seller: 'somebody' })))
    await workOff(forum.database)
    const eventId = await theOne(number)
    await refundTold(forum.database, number, { cents: 3_000n })
    expect(await shows(eventId)).toMatchObject({ state: 'returned', canCredit: false, refund: { amount: '30.00', state: 'done' } })
    const { status } = await hand.tryCall(creditEvent, { eventId, memberId: mei.id, reason }, newIdempotencyKey())
    expect([status, await has(), await waiting(number)]).toEqual([refusals.NotSuspended.status, '0.00', []])
  })

  test.each([
    ['in another currency', { currency: 'USD', cents: 300n }, 'otherCurrency'],
    ['without an amount', {}, 'noAmount'],
    ['of a payment that is not here', { paymentNumber: 'S-elsewhere', number: null, cents: 500n }, 'unknownOrder'],
  ])('%s is booked by staff', async (_, told, problem) => {
    const number = await paidTopUp(forum, mei, '30.00')
    const providerNumber = `T-${problem}-${number}`
    await refundTold(forum.database, number, { providerNumber, ...told })
    const { rows } = await hand.call(eventList, { state: 'suspended', problem: problem as never })
    const eventId = rows[0]?.id ?? ''
    expect(await shows(eventId)).toMatchObject({ kind: 'refund', problem, canBook: true, canCredit: false, canReturn: false })
    expect((await books(eventId, number, '30.01')).response.json().error).toHaveProperty(refusals.AboveBookable.field)
    expect((await books(eventId, '9'.repeat(20), '5.00')).response.json().error).toHaveProperty(refusals.NoSuchPayment.field)
    const { status, body } = await books(eventId, number, '5.00')
    expect([status, body.isWaiting, await has()]).toEqual([200, false, '25.00'])
    expect(await shows(eventId)).toMatchObject({ state: 'booked', answer: reason, handledBy: hand.account, refund: { amount: '5.00' } })
    expect((await books(eventId, number, '5.00')).status).toBe(refusals.NotSuspended.status)
    // Told again, it is known.
    await refundTold(forum.database, number, { providerNumber, ...told })
    expect([await has(), (await stands(number)).refunds.length]).toEqual(['25.00', 1])
  })
})

describe('a booking by staff', () => {
  const odd = async (amount = '300.00', told: object = {}) => {
    const number = await paidTopUp(forum, mei, amount)
    await refundTold(forum.database, number, { currency: 'USD', cents: 300n, ...told })
    return { number, eventId: await theOne(number) }
  }

  test('above the limits takes two of staff, and no third can book it meanwhile', async () => {
    const { number, eventId } = await odd()
    expect((await books(eventId, number, '250.00')).body).toEqual({ isWaiting: true, transactionId: null })
    expect(await shows(eventId)).toMatchObject({ isWaiting: true, canBook: false })
    const other = await aStaffer(forum, ['payment.view', 'payment.refund'])
    expect((await books(eventId, number, '250.00', other)).status).toBe(RequestWaits.status)
    expect((await hand.tryCall(dismissEvent, { eventId, reason })).status).toBe(RequestWaits.status)
    const [request] = (await approver.call(moneyRequests, { state: 'waiting', kind: 'paymentBooking' })).rows
    expect(request).toMatchObject({ detail: { event: { id: eventId }, payment: { number } } })
    await approver.call(approveRequest, { requestId: request?.id ?? '' }, newIdempotencyKey())
    expect([await has(), (await shows(eventId)).state]).toEqual(['50.00', 'booked'])
  })

  test('is in the log, and is refused for one’s own payment, and without the right', async () => {
    const { number, eventId } = await odd('30.00')
    const own = await paidTopUp(forum, await forum.member(), '30.00')
    const { memberId } = await hand.call(me, {})
    await forum.database.app
      .updateTable('member')
      .set({ deactivated_at: new Date(), deactivated_as: 'cancelled', merged_into: memberId })
      .where('id', '=', (await stands(own)).member.id)
      .execute()
    expect((await books(eventId, own, '3.00')).response.json().error).toHaveProperty(OwnAccount.field)
    const viewer = await aStaffer(forum, ['payment.view'])
    expect((await books(eventId, number, '3.00', viewer)).status).toBe(403)
    await books(eventId, number, '3.00')
    const { rows } = await (await aStaffer(forum)).call(auditLog, { about: `paymentEvent ${eventId}` })
    expect(rows[0]).toMatchObject({ action: 'payment.book', reason })
  })

  test('of one refund by several staff at once is done once', async () => {
    const { number, eventId } = await odd('30.00')
    const hands = await Promise.all(Array.from({ length: 5 }, () => aStaffer(forum, ['payment.refund'])))
    const answers = await Promise.all(hands.map((by) => books(eventId, number, '3.00', by)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await has()).toBe('27.00')
  })
})

describe('a dispute that is not shaped like its payment', () => {
  test('takes what it took from the account, and never more than the payment', async () => {
    const [first, second] = [await paidTopUp(forum, mei, '30.00'), await paidTopUp(forum, mei, '20.00')]
    await disputeTold(forum.database, first, { currency: 'USD', cents: 420n, settledCents: 2_990n, state: 'open' })
    await disputeTold(forum.database, second, { cents: 2_040n, settledCents: 2_040n, state: 'open' })
    expect([await has(), (await stands(first)).disputes[0]?.amount]).toEqual(['0.10', '29.90'])
    // Its end is told in its own currency.
    await disputeTold(forum.database, first, { currency: 'USD', cents: 420n, state: 'won' })
    expect(await has()).toBe('30.00')
  })

  test('is booked when its payment comes', async () => {
    const { number } = (await tops(mei, '30.00')).body
    await disputeTold(forum.database, number, { cents: 3_000n, state: 'open' })
    expect((await waiting(number))[0]?.problem).toBe('notPaid')
    await pays(number)
    expect([await has(), await waiting(number), (await stands(number)).state]).toEqual(['0.00', [], 'disputed'])
  })

  test.each([
    ['in the card’s currency', { currency: 'USD', cents: 420n, state: 'open' as const }, 'otherCurrency'],
    ['of more than was paid', { cents: 3_001n, state: 'open' as const }, 'otherAmount'],
    ['in a state that is unknown', { cents: 3_000n, state: null, status: 'mediation' }, 'otherState'],
  ])('%s is booked by staff, with its member, deadline and link shown', async (_, told, problem) => {
    const number = await paidTopUp(forum, mei, '30.00')
    const respondBy = new Date('2026-12-24T00:00:00Z')
    await disputeTold(forum.database, number, { ...told, respondBy, link: 'https://dashboard.stripe.com/test/disputes/du_1' })
    const eventId = await theOne(number)
    const shown = await shows(eventId)
    expect(shown).toMatchObject({ problem, number, ordered: '30.00', member: { id: mei.id }, canBook: true, reason: 'fraudulent' })
    expect([shown.respondBy, shown.link]).toEqual([respondBy.toISOString(), 'https://dashboard.stripe.com/test/disputes/du_1'])
    expect((await books(eventId, number, '29.00')).status).toBe(200)
    expect([await has(), (await shows(eventId)).dispute]).toMatchObject(['1.00', { amount: '29.00', respondBy: respondBy.toISOString() }])
    await disputeTold(forum.database, number, { ...told, state: 'won' })
    expect([await has(), (await stands(number)).state]).toEqual(['30.00', 'paid'])
  })

  test('needs no decision any more once another event of it tells its amount', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await disputeTold(forum.database, number, { currency: 'USD', cents: 420n, state: 'open' })
    await disputeTold(forum.database, number, { currency: 'USD', cents: 420n, settledCents: 3_000n, state: 'open' })
    expect([await has(), await waiting(number)]).toEqual(['0.00', []])
  })
})

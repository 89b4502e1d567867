import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import * as contract from '#payment/contract.ts'
import { bookEvent } from '#payment/event-contract.ts'
import { paymentsWaiting } from '#reconciliation/contract.ts'
import { declineRefund, refundRequests } from '#payment/refund-contract.ts'
import { disputeTold, paidTopUp, refundTold, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { eventList, refundPayment, staffPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let hand: Staffer
let mei: Person
let tom: Person
const reason = 'I topped up twice by mistake'

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
})
beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
  hand = await aStaffer(forum, ['payment.view', 'payment.refund'])
})
afterEach(async () => {
  const breaches = await breachesIn(forum.database, bookChecks, null)
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const asks = (number: string, who = mei) => who.tryCall(contract.askForRefund, { number, reason })
const waiting = async (number: string) => (await hand.call(refundRequests, {})).rows.filter(({ paymentNumber }) => paymentNumber === number)
const shown = async (number: string) => {
  const { refundRequest, canAskRefund } = await mei.call(contract.payment, { number })
  return [refundRequest?.state ?? null, canAskRefund]
}

test('a member asks for a refund of their payment, once, and staff see it until it is answered', async () => {
  const number = await paidTopUp(forum, mei, '30.00')
  expect(await shown(number)).toEqual([null, true])
  const before = (await hand.call(paymentsWaiting, {})).refunds
  const answers = await Promise.all(Array.from({ length: 3 }, () => asks(number)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect([await shown(number), (await hand.call(paymentsWaiting, {})).refunds]).toEqual([['waiting', false], before + 1])
  expect(await waiting(number)).toMatchObject([{ member: { id: mei.id }, amount: '30.00', refundable: '30.00', reason }])
  const onItsPage = async () => (await hand.call(staffPayment, { number })).refundRequest
  expect(await onItsPage()).toMatchObject({ member: { id: mei.id }, reason, askedAt: expect.any(String) })
  await hand.call(refundPayment, { number, amount: '30.00', reason: 'Paid twice' }, newIdempotencyKey())
  await workOff(forum.database)
  expect(await onItsPage()).toBeNull()
  expect([await waiting(number), await shown(number)]).toEqual([[], ['refunded', false]])
})

test('a declined request shows its reason to the member, who may ask again', async () => {
  const number = await paidTopUp(forum, mei, '30.00')
  await asks(number)
  const requestId = (await waiting(number))[0]?.id ?? ''
  const viewer = await aStaffer(forum, ['payment.view'])
  expect((await viewer.tryCall(declineRefund, { requestId, reason: 'No' })).status).toBe(403)
  await hand.call(declineRefund, { requestId, reason: 'It was spent' })
  expect((await hand.tryCall(declineRefund, { requestId, reason: 'It was spent' })).status).toBe(contract.NotWaiting.status)
  const [notice] = await noticesOf(mei)
  expect(notice?.says).toMatchObject({ kind: 'paymentRefundDeclined', amount: '30.00', reason: 'It was spent' })
  expect((await mei.call(contract.payment, { number })).refundRequest).toMatchObject({ state: 'declined', answer: 'It was spent' })
  expect((await asks(number)).status).toBe(200)
})

test('a request is withdrawn by its member alone', async () => {
  const number = await paidTopUp(forum, mei, '30.00')
  expect((await mei.tryCall(contract.withdrawRefund, { number })).status).toBe(contract.NothingAsked.status)
  await asks(number)
  expect((await tom.tryCall(contract.withdrawRefund, { number })).status).toBe(404)
  await mei.call(contract.withdrawRefund, { number })
  expect([await waiting(number), await shown(number)]).toEqual([[], ['withdrawn', true]])
})

const byOtherWays: [string, (number: string) => Promise<unknown>][] = [
  ['the provider refunds it on its own screen', (number) => refundTold(forum.database, number, { cents: 3_000n })],
  ['a dispute takes it', (number) => disputeTold(forum.database, number, { cents: 3_000n, state: 'open' })],
  [
    'the provider refunds a part and a dispute takes the rest',
    async (number) => {
      await refundTold(forum.database, number, { cents: 1_000n })
      expect(await shown(number)).toEqual(['waiting', false])
      await disputeTold(forum.database, number, { cents: 2_000n, state: 'open' })
    },
  ],
  [
    'staff book a refund that the provider made',
    async (number) => {
      await refundTold(forum.database, number, { cents: 100n, currency: 'USD' })
      expect(await shown(number)).toEqual(['waiting', false])
      const [event] = (await hand.call(eventList, { number, state: 'suspended' })).rows
      await hand.call(bookEvent, { eventId: event?.id ?? '', number, amount: '7.00', reason: 'Seen there' }, newIdempotencyKey())
    },
  ],
]

test.each(byOtherWays)('a request is answered as refunded where %s', async (_, goBack) => {
  const number = await paidTopUp(forum, mei, '30.00')
  await asks(number)
  await goBack(number)
  expect([await waiting(number), (await shown(number))[0]]).toEqual([[], 'refunded'])
  expect(await noticesOf(mei)).not.toEqual([])
})

test('a request for another’s, an unpaid or a refunded payment is refused', async () => {
  const number = await paidTopUp(forum, mei, '30.00')
  expect((await asks(number, tom)).status).toBe(404)
  expect((await forum.visitor().tryCall(contract.askForRefund, { number, reason })).status).toBe(401)
  const open = (await tops(mei, '5')).body.number
  expect((await asks(open)).status).toBe(contract.NotPaid.status)
  await hand.call(refundPayment, { number, amount: '30.00', reason: 'Paid twice' }, newIdempotencyKey())
  expect((await asks(number)).status).toBe(contract.NothingToRefund.status)
})

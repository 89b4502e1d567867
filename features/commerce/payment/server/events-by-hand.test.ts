import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { creditEvent, dismissEvent, returnEvent, staffEvent } from '#payment/event-contract.ts'
import { eventList } from '#payment/staff-contract.ts'
import { NoMoney, NoSuchMember, NotSuspended } from '#payment/contract.ts'
import { disputeTold, notification, paidIn, paidTopUp, takes, tell, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import type { Payment } from '#payment/server/providers/provider.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { BooksFrozen, freezeBooks, OwnAccount, RequestWaits, thawBooks } from '#wallet/contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { approveRequest, declineRequest, moneyRequests } from '#wallet/request-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let hand: Staffer
let approver: Staffer
let mei: Person
let tom: Person
const reason = 'The payer wrote to us'

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100 })
})
beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
  hand = await aStaffer(forum, ['payment.view', 'payment.refund'])
  approver = await aStaffer(forum, ['payment.view', 'payment.approve', 'wallet.view'])
})
afterEach(async () => {
  const breaches = await breachesIn(forum.database, bookChecks, null)
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const has = async (who = mei) => (await who.call(balance, {})).account.balance
const shows = (eventId: string) => hand.call(staffEvent, { eventId })
const credits = (eventId: string, memberId = mei.id, by = hand) =>
  by.tryCall(creditEvent, { eventId, memberId, reason }, newIdempotencyKey())
const returns = (eventId: string) => hand.tryCall(returnEvent, { eventId, reason }, newIdempotencyKey())
const dismisses = (eventId: string) => hand.tryCall(dismissEvent, { eventId, reason })

let payments = 0

/** An event that differs from Mei's order and waits for staff. */
async function suspended(other: Partial<Payment>, amount = '40.00'): Promise<{ eventId: string; number: string }> {
  const { number } = (await tops(mei, amount)).body
  await takes(forum.database, number)
  return { number, eventId: await receivePayment(number, other) }
}

async function receivePayment(number: string, other: Partial<Payment>): Promise<string> {
  const payment = await paidIn(forum.database, number, { providerNumber: `S-${++payments}`, ...other })
  await tell(forum.app, await notification(forum.database, payment))
  await workOff(forum.database)
  return waits(payment.number)
}

async function waits(number: string): Promise<string> {
  return (await hand.call(eventList, { state: 'suspended', number })).rows[0]?.id ?? ''
}

/** One event of each problem that a payment has. */
const problems = {
  otherAmount: () => suspended({ cents: 1_250n }),
  unknownOrder: () => suspended({ number: '3'.repeat(12) + String(10_000_000 + ++payments) }),
  otherSeller: () => suspended({ seller: 'somebody' }),
  otherApp: () => suspended({ app: 'another' }),
  async memberGone() {
    const { number } = (await tops(tom, '40.00')).body
    await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled' where id = ${tom.id}`.execute(forum.database.app)
    return { number, eventId: await receivePayment(number, {}) }
  },
  async paidTwice() {
    const number = await paidTopUp(forum, tom, '40.00')
    const payment = await paidIn(forum.database, number, { providerNumber: `S-${++payments}` })
    const event = { eventId: `paid:${payment.providerNumber}`, kind: 'paid', payment } as const
    await transact(forum.database, (tx) => storeEvent(tx, 'sandbox', event, { headers: {}, body: Buffer.from('{}') }))
    await workOff(forum.database)
    return { number, eventId: await waits(number) }
  },
} as const

describe('a suspended payment', () => {
  test.each(Object.entries(problems))('of %s is credited with the amount paid, once', async (problem, make) => {
    const { eventId } = await make()
    const amount = problem === 'otherAmount' ? '12.50' : '40.00'
    expect(await shows(eventId)).toMatchObject({ state: 'suspended', problem, amount, canCredit: true, canReturn: true })
    const { status, body } = await credits(eventId)
    expect([status, body.isWaiting, await has()]).toEqual([200, false, amount])
    expect(await shows(eventId)).toMatchObject({
      state: 'credited',
      creditedTo: { id: mei.id, name: mei.account },
      handledBy: hand.account,
      answer: reason,
      transactionId: body.transactionId,
      canCredit: false,
      canReturn: false,
    })
    for (const again of [credits, returns, dismisses]) expect((await again(eventId)).status).toBe(NotSuspended.status)
    const [notice] = await noticesOf(mei)
    expect(notice?.says).toMatchObject({ kind: 'paymentCredited', amount })
  })

  test('that many credit at once is credited once', async () => {
    const { eventId } = await problems.otherAmount()
    const hands = await Promise.all(Array.from({ length: 5 }, () => aStaffer(forum, ['payment.refund'])))
    const answers = await Promise.all(hands.map((by, at) => credits(eventId, [mei, tom][at % 2]?.id, by)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(Number(await has()) + Number(await has(tom))).toBe(12.5)
  })

  test('above the limits takes two of staff, and no third can credit it meanwhile', async () => {
    const { eventId } = await suspended({ cents: 20_000n }, '40.00')
    expect((await credits(eventId)).body).toEqual({ isWaiting: true, transactionId: null })
    expect(await shows(eventId)).toMatchObject({ state: 'suspended', isWaiting: true, canCredit: false, canReturn: false })
    const other = await aStaffer(forum, ['payment.refund'])
    for (const answer of [await credits(eventId, tom.id, other), await returns(eventId), await dismisses(eventId)])
      expect(answer.status).toBe(RequestWaits.status)
    const [request] = (await approver.call(moneyRequests, { state: 'waiting', kind: 'paymentCredit' })).rows
    expect(request).toMatchObject({ detail: { event: { id: eventId } }, amounts: [{ currency: 'cny', amount: '200.00' }] })
    const requestId = request?.id ?? ''
    await approver.call(declineRequest, { requestId, reason: 'Another member paid it' })
    expect((await credits(eventId, tom.id)).body.isWaiting).toBe(true)
    const [next] = (await approver.call(moneyRequests, { state: 'waiting', kind: 'paymentCredit' })).rows
    const answers = await Promise.all(
      [approver, await aStaffer(forum, ['payment.approve', 'wallet.view'])].map((by) =>
        by.tryCall(approveRequest, { requestId: next?.id ?? '' }, newIdempotencyKey()),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect([await has(), await has(tom), (await shows(eventId)).state]).toEqual(['0.00', '200.00', 'credited'])
  })

  test('is credited to an existing member, and never to oneself', async () => {
    const { eventId } = await problems.otherSeller()
    const { memberId } = await hand.call(me, {})
    expect((await credits(eventId, memberId)).response.json().error).toHaveProperty(OwnAccount.field)
    await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled' where id = ${tom.id}`.execute(forum.database.app)
    for (const id of [tom.id, '999999999']) expect((await credits(eventId, id)).response.json().error).toHaveProperty(NoSuchMember.field)
    expect((await credits('999999999')).status).toBe(404)
    expect((await shows(eventId)).canCredit).toBe(true)
  })

  test('waits for the thaw of the books', async () => {
    const [{ eventId }, chief] = [await problems.otherSeller(), await aStaffer(forum)]
    await chief.call(freezeBooks, { reason: 'A look' })
    expect((await credits(eventId)).status).toBe(BooksFrozen.status)
    await chief.call(thawBooks, { reason: 'Looked' })
    expect([(await credits(eventId)).status, await has()]).toEqual([200, '40.00'])
  })

  test('is given back to the payer, and no balance changes', async () => {
    const { eventId } = await problems.otherApp()
    const { status, body } = await returns(eventId)
    expect(status).toBe(200)
    await workOff(forum.database)
    expect(await shows(eventId)).toMatchObject({
      state: 'returned',
      refund: { number: body.refundNumber, state: 'done', amount: '40.00', member: null },
    })
    expect([await has(), await noticesOf(mei)]).toEqual(['0.00', []])
    for (const again of [credits, returns, dismisses]) expect((await again(eventId)).status).toBe(NotSuspended.status)
  })

  test('that the provider does not give back says so', async () => {
    const { eventId } = await problems.unknownOrder()
    await returns(eventId)
    await workOff(forum.database)
    expect((await shows(eventId)).refund).toMatchObject({ state: 'failed', problem: 'Nothing was paid by this number.' })
  })

  test('of another currency is neither credited nor paid back, but dismissed', async () => {
    const { eventId } = await suspended({ currency: 'USD' })
    expect(await shows(eventId)).toMatchObject({ problem: 'otherCurrency', canCredit: false, canReturn: false })
    for (const answer of [await credits(eventId), await returns(eventId)]) expect(answer.status).toBe(NoMoney.status)
    expect((await dismisses(eventId)).status).toBe(200)
    expect(await shows(eventId)).toMatchObject({ state: 'dismissed', answer: reason, handledBy: hand.account })
  })
})

test('a dispute that cannot be settled by itself is dismissed, and never credited', async () => {
  const { number } = (await tops(mei, '30.00')).body
  await disputeTold(forum.database, number, { cents: 3_000n, state: 'open' })
  const [event] = (await hand.call(eventList, { problem: 'notPaid', number })).rows
  expect(event).toMatchObject({ kind: 'dispute', amount: '30.00', isKnown: true })
  expect((await credits(event?.id ?? '')).status).toBe(NoMoney.status)
  expect((await dismisses(event?.id ?? '')).status).toBe(200)
})

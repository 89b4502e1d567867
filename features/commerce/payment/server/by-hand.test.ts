import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { refundPayment, staffPayment } from '#payment/staff-contract.ts'
import { AboveBalance, AboveRefundable, NotPaid } from '#payment/contract.ts'
import { disputeTold, paidTopUp, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { adjustBalance, reverseTransaction } from '#wallet/adjust-contract.ts'
import { BooksFrozen, freezeBooks, NotReversible, OwnAccount, RequestWaits, thawBooks } from '#wallet/contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { approveRequest, declineRequest, moneyRequests } from '#wallet/request-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer
let hand: Staffer
let approver: Staffer
let mei: Person
const reason = 'Asked for it'

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100 })
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  mei = await forum.member()
  hand = await aStaffer(forum, ['payment.view', 'payment.refund', 'wallet.view'])
  approver = await aStaffer(forum, ['payment.view', 'payment.approve', 'wallet.view'])
})
afterEach(async () => {
  const breaches = await breachesIn(forum.database, bookChecks, null)
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const has = async (who = mei) => (await who.call(balance, {})).account.balance
const stands = (number: string) => hand.call(staffPayment, { number })
const refunds = (input: { number: string; amount: string; mayOwe?: boolean }, by = hand) =>
  by.tryCall(refundPayment, { reason, ...input }, newIdempotencyKey())

// Uses a staff member whose daily limit is unused.
async function spends(amount: string): Promise<void> {
  await (await aStaffer(forum)).call(adjustBalance, { memberId: mei.id, way: 'take', amount, reason: 'Spent' }, newIdempotencyKey())
}
const toldOf = async (who = mei) => (await noticesOf(who)).map(({ says }) => says).filter(({ kind }) => kind.startsWith('payment'))

async function requestOf(by = hand): Promise<string> {
  const { rows } = await approver.call(moneyRequests, { state: 'waiting', kind: 'topUpRefund' })
  return rows.find(({ askedBy }) => askedBy === by.account)?.id ?? ''
}
const approves = async (by = approver) => by.tryCall(approveRequest, { requestId: await requestOf() }, newIdempotencyKey())

describe('a refund', () => {
  test('above the limits waits for another member of staff, once, and is declined or done', async () => {
    const number = await paidTopUp(forum, mei, '300.00')
    expect((await refunds({ number, amount: '200.00' })).body).toEqual({ isWaiting: true, refundNumber: null })
    expect([(await stands(number)).isWaiting, await has()]).toEqual([true, '300.00'])
    expect((await refunds({ number, amount: '150.00' }, chief)).status).toBe(RequestWaits.status)
    expect((await approves(hand)).status).toBe(403)
    await approver.call(declineRequest, { requestId: await requestOf(), reason: 'Not now' })
    expect((await stands(number)).isWaiting).toBe(false)
    await refunds({ number, amount: '200.00' })
    expect((await approves()).status).toBe(200)
    await workOff(forum.database)
    expect([await has(), (await stands(number)).refunded]).toEqual(['100.00', '200.00'])
  })

  test('that two approve at once is done once', async () => {
    const number = await paidTopUp(forum, mei, '300.00')
    await refunds({ number, amount: '300.00' })
    const requestId = await requestOf()
    const other = await aStaffer(forum, ['payment.approve', 'wallet.view'])
    const answers = await Promise.all([approver, other].map((by) => by.tryCall(approveRequest, { requestId }, newIdempotencyKey())))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect([await has(), (await stands(number)).refunds.length]).toEqual(['0.00', 1])
  })

  test('is not approved once the balance is gone, or the payment was refunded or disputed', async () => {
    const number = await paidTopUp(forum, mei, '300.00')
    await refunds({ number, amount: '250.00' })
    await spends('100.00')
    expect((await approves()).response.json().error).toHaveProperty(AboveBalance.field)
    await disputeTold(forum.database, number, { cents: 10_000n, state: 'open' })
    expect((await approves()).response.json().error).toHaveProperty(AboveRefundable.field)
    expect(await has()).toBe('100.00')
  })

  test('of one’s own payment is refused, and so is its approval', async () => {
    const number = await paidTopUp(forum, mei, '300.00')
    const goesOnAs = (id: string) =>
      sql`update member set deactivated_at = now(), deactivated_as = 'cancelled', merged_into = ${id} where id = ${mei.id}`.execute(
        forum.database.app,
      )
    await refunds({ number, amount: '200.00' })
    await goesOnAs((await approver.call(me, {})).memberId)
    expect((await approves()).response.json().error).toHaveProperty(OwnAccount.field)
    await goesOnAs((await hand.call(me, {})).memberId)
    expect((await stands(number)).isOwn).toBe(true)
    expect((await refunds({ number, amount: '1.00' })).response.json().error).toHaveProperty(OwnAccount.field)
  })

  test('in parts at once is never more than the payment', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    const hands = await Promise.all(Array.from({ length: 4 }, () => aStaffer(forum, ['payment.refund'])))
    const answers = await Promise.all(hands.map((by) => refunds({ number, amount: '8.00' }, by)))
    const outcomes = answers.map(({ status, response }) => [status, response.json().error?.amount ?? null])
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 3 }, () => [200, null]), [422, 'At most ¥6.00 can still be refunded.']])
    expect([await has(), (await stands(number)).refundable]).toEqual(['6.00', '6.00'])
  })

  test('waits for the thaw of the books, and is refused for an unpaid payment', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await chief.call(freezeBooks, { reason: 'A look' })
    expect((await refunds({ number, amount: '8.00' })).status).toBe(BooksFrozen.status)
    await chief.call(thawBooks, { reason: 'Looked' })
    expect((await refunds({ number, amount: '8.00' })).status).toBe(200)
    const open = (await tops(mei, '5')).body.number
    expect((await refunds({ number: open, amount: '1.00' })).status).toBe(NotPaid.status)
    expect((await refunds({ number: '1'.repeat(20), amount: '1.00' })).status).toBe(404)
  })

  test('of a merged account takes from the other one, and notifies them', async () => {
    const [number, into] = [await paidTopUp(forum, mei, '30.00'), await forum.member()]
    await paidTopUp(forum, into, '5.00')
    await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled', merged_into = ${into.id} where id = ${mei.id}`.execute(
      forum.database.app,
    )
    expect((await stands(number)).member.id).toBe(into.id)
    expect((await refunds({ number, amount: '3.00' })).status).toBe(200)
    await workOff(forum.database)
    expect([await has(into), await toldOf(into)]).toMatchObject(['2.00', [{ kind: 'paymentRefunded', outcome: 'done', amount: '3.00' }]])
  })

  test('of a member who left takes from their account', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled' where id = ${mei.id}`.execute(forum.database.app)
    expect((await refunds({ number, amount: '12.00' })).status).toBe(200)
    await workOff(forum.database)
    expect(await stands(number)).toMatchObject({ refunded: '12.00', balance: '18.00' })
  })

  test('that the provider refuses comes back, may be asked for again, and the member is notified of both', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    const isPaid = (outcome: string) =>
      sql`update payment_sandbox set outcome = ${outcome} where number = ${number}`.execute(forum.database.app)
    await isPaid('closed')
    await refunds({ number, amount: '10.00' })
    expect(await has()).toBe('20.00')
    await workOff(forum.database)
    const [failed] = (await stands(number)).refunds
    expect([await has(), failed?.state, failed?.problem, (await stands(number)).state]).toEqual([
      '30.00',
      'failed',
      'Nothing was paid by this number.',
      'paid',
    ])
    await isPaid('paid')
    await refunds({ number, amount: '10.00' })
    await workOff(forum.database)
    expect([await has(), (await stands(number)).refunded]).toEqual(['20.00', '10.00'])
    expect(await toldOf()).toMatchObject([
      { kind: 'paymentRefunded', outcome: 'done', amount: '10.00', reason },
      { kind: 'paymentRefunded', outcome: 'failed', amount: '10.00', reason },
    ])
  })
})

test('a transaction of a payment is reversed only as a refund or dispute', async () => {
  const number = await paidTopUp(forum, mei, '30.00')
  await refunds({ number, amount: '5.00' })
  await disputeTold(forum.database, number, { cents: 1_000n, state: 'open' })
  const its = await stands(number)
  for (const transactionId of [its.transactionId, its.refunds[0]?.transactionId, its.disputes[0]?.transactionId]) {
    const { status } = await chief.tryCall(reverseTransaction, { transactionId: String(transactionId), reason }, newIdempotencyKey())
    expect(status).toBe(NotReversible.status)
  }
})

describe('a dispute', () => {
  test('takes the balance and owes the rest, notifies the member, and gives it back once when it is won', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await spends('20.00')
    for (const state of ['open', 'open'] as const) await disputeTold(forum.database, number, { cents: 3_000n, state })
    const { account } = await mei.call(balance, {})
    expect([account.balance, account.owed, (await stands(number)).balance]).toEqual(['0.00', '20.00', '-20.00'])
    expect((await refunds({ number, amount: '1.00', mayOwe: true })).response.json().error).toHaveProperty(AboveRefundable.field)
    for (const state of ['won', 'won', 'lost'] as const) await disputeTold(forum.database, number, { cents: 3_000n, state })
    expect([await has(), (await stands(number)).state]).toEqual(['10.00', 'paid'])
    expect(await toldOf()).toMatchObject([
      { kind: 'paymentDisputed', amount: '30.00' },
      { kind: 'paymentDisputed', amount: '-30.00' },
    ])
  })

  test('above the payment, or in another currency, waits for staff', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await disputeTold(forum.database, number, { cents: 3_001n, state: 'open' })
    await disputeTold(forum.database, number, { cents: 3_000n, state: 'open', currency: 'USD' })
    expect([await has(), (await stands(number)).events.map(({ problem }) => problem)]).toEqual([
      '30.00',
      ['otherCurrency', 'otherAmount', null],
    ])
  })
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

test('payments are shown and settled even on a site that has no balance now', async () => {
  const number = await paidTopUp(forum, mei, '30.00')
  await change({ allowCash: false })
  expect(await stands(number)).toMatchObject({ amount: '30.00', balance: '30.00', refundable: '30.00' })
  expect((await refunds({ number, amount: '8.00' })).status).toBe(200)
  await workOff(forum.database)
  expect((await stands(number)).refunded).toBe('8.00')
  await change({ allowCash: true })
})

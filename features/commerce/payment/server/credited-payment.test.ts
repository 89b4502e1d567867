import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { dayAt } from '#base/server/calendar.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { payment, paymentForm, paymentList } from '#payment/contract.ts'
import { creditEvent, staffEvent } from '#payment/event-contract.ts'
import { eventList } from '#payment/staff-contract.ts'
import { paymentMonth } from '#reconciliation/contract.ts'
import {
  atMachine,
  disputeTold,
  letAsk,
  notification,
  paidIn,
  refundTold,
  takes,
  tell,
  tops,
  withSandbox,
  workOff,
} from '#payment/testing/factories.ts'
import * as staffContract from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 10_000, maxTopUpCentsOnFirstDay: 10_000, dailyApprovalThresholdYuan: 100_000 })
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  mei = await forum.member()
})
afterEach(async () => {
  const breaches = await breachesIn(forum.database, bookChecks, null)
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const has = async () => (await mei.call(balance, {})).account.balance
const shows = (number: string) => chief.call(staffContract.staffPayment, { number })

let payments = 0

/** A payment of another amount than its order, waiting for staff. */
async function waiting(): Promise<{ eventId: string; providerNumber: string; ordered: string }> {
  const { number: ordered } = (await tops(mei, '40.00')).body
  await takes(forum.database, ordered)
  const providerNumber = `S-credited-${++payments}`
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, ordered, { cents: 1_250n, providerNumber })))
  await workOff(forum.database)
  const [event] = (await chief.call(eventList, { state: 'suspended', number: ordered })).rows
  return { eventId: event?.id ?? '', providerNumber, ordered }
}

/** The payment that it becomes when staff credit it. */
async function credited() {
  const { eventId, ...its } = await waiting()
  await chief.call(creditEvent, { eventId, memberId: mei.id, reason: 'The payer wrote to us' }, newIdempotencyKey())
  const number = (await chief.call(staffEvent, { eventId })).creditedAs ?? ''
  return { eventId, number, ...its }
}

test('a payment credited by staff has its provider’s number, in the lists, the log and the receipts of its member', async () => {
  const { number, providerNumber } = await credited()
  const seen = { number, amount: '12.50', state: 'paid', method: 'byHand', providerNumber }
  expect(await mei.call(payment, { number })).toMatchObject({ ...seen, refunds: [], disputes: [] })
  expect((await mei.call(paymentList, {})).rows[0]).toMatchObject(seen)
  const { log } = await mei.call(balance, {})
  expect(log.rows).toMatchObject([{ kind: 'topUpByHand', amount: '12.50', paymentNumber: number }])
  expect(await shows(number)).toMatchObject({ ...seen, refundable: '12.50', member: { id: mei.id } })
  expect((await chief.call(staffContract.paymentList, { providerNumber })).rows).toMatchObject([seen])
})

test('it is refunded through its provider like any other', async () => {
  const { number, ordered } = await credited()
  const { refundNumber } = await chief.call(
    staffContract.refundPayment,
    { number, amount: '2.50', reason: 'Asked for it' },
    newIdempotencyKey(),
  )
  await workOff(forum.database)
  const row = await forum.database.app
    .selectFrom('payment_sandbox_refund')
    .select('paid_number')
    .where('number', '=', refundNumber)
    .executeTakeFirst()
  expect([await has(), (await shows(number)).refunds[0]?.state, row?.paid_number]).toEqual(['10.00', 'done', ordered])
})

test('a refund of its provider and a dispute find it by the provider’s number', async () => {
  const { number, ordered, providerNumber } = await credited()
  await refundTold(forum.database, ordered, { cents: 250n, paymentNumber: providerNumber, providerNumber: `T-${number}` })
  await disputeTold(forum.database, ordered, { cents: 1_000n, state: 'open', paymentNumber: providerNumber, providerNumber: `D-${number}` })
  const { refunds, disputes, state } = await shows(number)
  expect([await has(), state, refunds[0]?.amount, disputes[0]?.amount]).toEqual(['0.00', 'disputed', '2.50', '10.00'])
  expect((await shows(ordered)).refunds).toEqual([])
})

test('a later notification of its provider credits nothing, and does not wait for staff', async () => {
  const { number: ordered } = (await tops(mei, '40.00')).body
  await takes(forum.database, ordered)
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, ordered, { cents: 1_250n })))
  await workOff(forum.database)
  const [event] = (await chief.call(eventList, { state: 'suspended', number: ordered })).rows
  await chief.call(creditEvent, { eventId: event?.id ?? '', memberId: mei.id, reason: 'The payer wrote to us' }, newIdempotencyKey())
  await letAsk(forum.database, ordered)
  expect((await chief.call(eventList, { state: 'suspended', number: ordered })).rows).toEqual([])
  expect([await has(), (await mei.call(payment, { number: ordered })).state]).toEqual(['12.50', 'closed'])
})

test('a refund told before staff credit it is booked with it', async () => {
  const { eventId, ordered, providerNumber } = await waiting()
  await refundTold(forum.database, ordered, { cents: 250n, paymentNumber: providerNumber, providerNumber: `T-early-${ordered}` })
  expect(await has()).toBe('0.00')
  await chief.call(creditEvent, { eventId, memberId: mei.id, reason: 'The payer wrote to us' }, newIdempotencyKey())
  await workOff(forum.database)
  expect(await has()).toBe('10.00')
})

test('the month’s report and the list agree, and it uses up nothing of a member’s day', async () => {
  await credited()
  const month = dayAt(Date.now(), 'Asia/Shanghai').slice(0, 7)
  const [report, list] = [await chief.call(paymentMonth, { month }), await chief.call(staffContract.paymentTotals, {})]
  expect([report.total.paid, report.total.refunded, report.total.disputed]).toEqual([list.paid, list.refunded, list.disputed])
  // The order of 40.00 is still open, and counts.
  expect((await atMachine(mei).call(paymentForm, {})).leftToday).toBe('60.00')
})

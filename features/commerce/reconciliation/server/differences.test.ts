import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { notification, paidIn, tell, withSandbox, workOff } from '#payment/testing/factories.ts'
import { Days } from '#reconciliation/testing/factories.ts'
import type { Payment } from '#payment/server/providers/provider.ts'
import * as contract from '#reconciliation/contract.ts'
import { NotDifferent } from '#reconciliation/contract.ts'
import { creditEvent, dismissEvent, returnEvent } from '#payment/event-contract.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let days: Days

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100_000 })
  chief = await aStaffer(forum)
  days = await new Days(forum, chief).begin()
})
beforeEach(async () => {
  mei = await forum.member()
  await days.goBack()
})

const inSandbox = (change: ReturnType<typeof sql>) => change.execute(forum.database.app)
const refund = async (number: string, amount: string) =>
  (await chief.call(refundPayment, { number, amount, reason: 'Asked for it' }, newIdempotencyKey())).refundNumber ?? ''

/** Rows of the day in the sandbox that belong to no order. */
const strange = (number: string, cents: number) =>
  inSandbox(sql`insert into payment_sandbox (number, cents, outcome, paid_at) values (${number}, ${cents}, 'paid', ${days.noon})`)

/** Fetches the statements and returns the differences of the day. */
async function different() {
  await days.take()
  return (await days.found()).map(({ kind, number, here, there, state }) => [kind, number, here, there, state])
}

describe('a payment there that is not here', () => {
  test('is asked for, and cleared once it is credited', async () => {
    const number = await days.paid(mei, '30.00', { isTold: false })
    expect(await different()).toEqual([['notHere', number, null, '30.00', 'open']])
    expect((await days.found())[0]).toMatchObject({ paymentNumber: number, provider: 'sandbox', settledAt: null, settledBy: null })
    await workOff(forum.database)
    expect(await different()).toEqual([['notHere', number, null, '30.00', 'cleared']])
    expect((await days.found('cleared'))[0]).toMatchObject({ settledBy: null, settledAt: expect.any(String) })
  })

  test('is asked for as well if its order was closed', async () => {
    const number = await days.paid(mei, '30.00', { isTold: false })
    await sql`update payment_order set state = 'closed', closed_at = now(), query_at = null where number = ${number}`.execute(
      forum.database.app,
    )
    expect(await different()).toEqual([['notHere', number, null, '30.00', 'open']])
    await workOff(forum.database)
    expect(await different()).toEqual([['notHere', number, null, '30.00', 'cleared']])
  })

  test('bears the provider’s number if it has no order of ours', async () => {
    await days.paid(mei, '1.00')
    await strange('20200101000000000001', 700)
    expect(await different()).toEqual([['notHere', 'S20200101000000000001', null, '7.00', 'open']])
    expect((await days.found())[0]?.paymentNumber).toBeNull()
  })
})

describe('a payment here that is not there', () => {
  test('is found by its day, once, and cleared when the statement of another day names it', async () => {
    const number = await days.paid(mei, '8.00')
    const { day } = days
    await inSandbox(sql`update payment_sandbox set paid_at = paid_at - interval '1 day' where number = ${number}`)
    expect(await different()).toEqual([['notThere', number, '8.00', null, 'open']])
    await days.goBack()
    await days.paid(mei, '1.00')
    expect(await different()).toEqual([])
    days.day = day
    expect(await different()).toEqual([['notThere', number, '8.00', null, 'cleared']])
    await days.goBack()
  })

  test('is none if the statement of another day named it already', async () => {
    const number = await days.paid(mei, '8.00')
    await days.take()
    await days.goBack()
    await days.paid(mei, '1.00')
    await days.past(`update payment_order set taken_at = '${days.noon.toISOString()}' where number = '${number}'`)
    expect(await different()).toEqual([])
  })

  test('is found by the day of its credit if it claims to be of a day long past', async () => {
    const number = await days.paid(mei, '9.00')
    await inSandbox(sql`delete from payment_sandbox where number = ${number}`)
    await days.past(`update payment_order set paid_at = '${days.noon.toISOString()}', taken_at = '2001-01-01' where number = '${number}'`)
    expect(await different()).toEqual([['notThere', number, '9.00', null, 'open']])
  })
})

test('a different amount is a difference', async () => {
  const number = await days.paid(mei, '10.00')
  await inSandbox(sql`update payment_sandbox set cents = 990 where number = ${number}`)
  expect(await different()).toEqual([['otherAmount', number, '10.00', '9.90', 'open']])
})

describe('an event that waits for staff, or was settled by them', () => {
  /** A suspended event of an order, with its row in the sandbox. */
  async function suspended(amount: string, other: Partial<Payment>): Promise<{ eventId: string; number: string }> {
    const number = await days.paid(mei, amount, { isTold: false })
    await tell(forum.app, await notification(forum.database, await paidIn(forum.database, number, { paidAt: days.noon, ...other })))
    await workOff(forum.database)
    const { id } = await forum.database.app
      .selectFrom('payment_event')
      .select('id')
      .where('state', '=', 'suspended')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return { eventId: id, number }
  }

  test('is known while it waits', async () => {
    const { eventId } = await suspended('10.00', { seller: 'somebody' })
    expect(await different()).toEqual([])
    await chief.call(dismissEvent, { eventId, reason: 'Looked into' })
  })

  test('is known once it was dismissed, given back or credited', async () => {
    const reason = 'Looked into'
    const [one, two, three] = [
      await suspended('10.00', { seller: 'somebody' }),
      await suspended('11.00', { seller: 'somebody' }),
      await suspended('12.00', { seller: 'somebody' }),
    ]
    await chief.call(dismissEvent, { eventId: one.eventId, reason })
    const { refundNumber } = await chief.call(returnEvent, { eventId: two.eventId, reason }, newIdempotencyKey())
    await chief.call(creditEvent, { eventId: three.eventId, memberId: mei.id, reason }, newIdempotencyKey())
    await days.gaveBack(refundNumber)
    expect(await different()).toEqual([])
    expect(await days.statement()).toMatchObject({ payments: 3, refunds: 1, refunded: '11.00' })
  })

  test('is different by its amount', async () => {
    const { eventId, number } = await suspended('10.00', { cents: 1_100n })
    expect(await different()).toEqual([['otherAmount', number, '11.00', '10.00', 'open']])
    await chief.call(dismissEvent, { eventId, reason: 'Looked into' })
  })

  test('is missing there if staff credited it and no statement names it', async () => {
    const { eventId, number } = await suspended('10.00', { seller: 'somebody' })
    await chief.call(creditEvent, { eventId, memberId: mei.id, reason: 'Looked into' }, newIdempotencyKey())
    await inSandbox(sql`delete from payment_sandbox where number = ${number}`)
    expect(await different()).toEqual([['notThere', number, '10.00', null, 'open']])
  })
})

describe('a refund', () => {
  test('that is the same there is no difference', async () => {
    const number = await days.paid(mei, '30.00')
    await days.gaveBack(await refund(number, '10.00'))
    await days.gaveBack(await refund(number, '20.00'))
    expect(await different()).toEqual([])
    expect(await days.statement()).toMatchObject({ refunds: 2, refunded: '30.00', fees: '0.00' })
  })

  test('not asked for here is one', async () => {
    const number = await days.paid(mei, '30.00')
    await inSandbox(
      sql`insert into payment_sandbox_refund (number, paid_number, cents, at) values ('by-hand', ${number}, 400, ${days.noon})`,
    )
    expect(await different()).toEqual([['refundNotHere', 'by-hand', null, '4.00', 'open']])
  })

  test('that failed here and was given back there is one', async () => {
    const number = await days.paid(mei, '30.00')
    const back = await refund(number, '10.00')
    await days.gaveBack(back)
    await days.past(`update payment_refund set state = 'failed', undone_by = transaction_id where number = '${back}'`)
    expect(await different()).toEqual([['refundNotHere', back, null, '10.00', 'open']])
    await days.past(`update payment_refund set state = 'done', undone_by = null where number = '${back}'`)
    expect(await different()).toEqual([['refundNotHere', back, null, '10.00', 'cleared']])
    expect((await days.found())[0]?.paymentNumber).toBe(number)
  })

  test('that is missing there is one, until another day names it', async () => {
    const number = await days.paid(mei, '30.00')
    const back = await refund(number, '10.00')
    await days.gaveBack(back)
    const { day } = days
    await inSandbox(sql`update payment_sandbox_refund set at = at - interval '1 day' where number = ${back}`)
    expect(await different()).toEqual([['refundNotThere', back, '10.00', null, 'open']])
    await days.goBack()
    await days.paid(mei, '1.00')
    expect(await different()).toEqual([])
    days.day = day
    expect(await different()).toEqual([['refundNotThere', back, '10.00', null, 'cleared']])
    await days.goBack()
  })

  test('of a different amount there is one', async () => {
    const number = await days.paid(mei, '30.00')
    const back = await refund(number, '10.00')
    await days.gaveBack(back)
    await inSandbox(sql`update payment_sandbox_refund set cents = 1001 where number = ${back}`)
    expect(await different()).toEqual([['refundOtherAmount', back, '10.00', '10.01', 'open']])
  })

  test('with a lost answer is known, and asked for at once', async () => {
    const number = await days.paid(mei, '30.00')
    const back = await refund(number, '10.00')
    await inSandbox(
      sql`insert into payment_sandbox_refund (number, paid_number, cents, at) values (${back}, ${number}, 1000, ${days.noon})`,
    )
    await sql`update payment_refund set try_at = now() + interval '1 hour', tries = 1 where number = ${back}`.execute(forum.database.app)
    expect(await different()).toEqual([])
    await workOff(forum.database)
    const { state } = await forum.database.app
      .selectFrom('payment_refund')
      .select('state')
      .where('number', '=', back)
      .executeTakeFirstOrThrow()
    expect(state).toBe('done')
  })
})

describe('staff', () => {
  test('settle a difference once, with a reason', async () => {
    await days.paid(mei, '1.00')
    await strange('20200101000000000002', 900)
    await days.take()
    const [its] = await days.found('open')
    const input = { differenceId: its?.id ?? '', reason: 'Paid by hand to the wrong account' }
    const looker = await aStaffer(forum, ['payment.view'])
    expect((await looker.tryCall(contract.settleDifference, input)).status).toBe(403)
    await chief.call(contract.settleDifference, input)
    expect(await chief.isRefused(contract.settleDifference, input, NotDifferent)).toBe(true)
    expect(await looker.call(contract.differenceList, { state: 'settled' })).toMatchObject({
      rows: [{ id: its?.id, state: 'settled', settledBy: chief.account, answer: input.reason, settledAt: expect.any(String) }],
      count: 1,
    })
    const { rows } = await chief.call(auditLog, { action: 'payment.settle' })
    expect(rows).toMatchObject([{ about: `paymentDifference ${its?.id}`, reason: input.reason }])
    // A settled difference stays settled, whatever later comparisons find.
    await days.take()
    expect((await days.found()).map(({ state }) => state)).toEqual(['settled'])
    expect((await chief.tryCall(contract.settleDifference, { ...input, differenceId: '999999' })).status).toBe(404)
    expect((await chief.tryCall(contract.settleDifference, { ...input, reason: '' })).status).toBe(422)
  })

  test('find statements and differences by their properties, a page at a time', async () => {
    const all = (await chief.call(contract.statementList, { size: 200 })).rows.map(({ day }) => day)
    expect(all).toEqual(all.toSorted().toReversed())
    expect((await chief.call(contract.statementList, { order: 'asc', size: 200 })).rows.map(({ day }) => day)).toEqual(all.toReversed())
    expect((await chief.call(contract.statementList, { provider: 'alipay' })).rows).toEqual([])
    const [first] = (await chief.call(contract.statementList, { provider: 'sandbox' })).rows.filter(({ differences }) => differences > 0)
    const found = (await chief.call(contract.differenceList, { statement: first?.id ?? '', provider: 'sandbox' })).rows
    expect([found.length, new Set(found.map(({ day }) => day))]).toEqual([first?.differences, new Set([first?.day])])
    for (const who of [await aStaffer(forum, ['payment.refund']), mei, forum.visitor()])
      for (const endpoint of [contract.statementList, contract.differenceList])
        expect((await who.tryCall(endpoint, {})).status).toBeOneOf([401, 403])
    expect((await chief.tryCall(contract.statementList, { cursor: 'x' })).status).toBe(400)
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { disputeTold, paidTopUp, withSandbox, workOff } from '#payment/testing/factories.ts'
import { refundPayment, staffPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { adjustBalance } from '#wallet/adjust-contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 1_000 })
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  mei = await forum.member()
})

const has = async () => (await mei.call(balance, {})).account.balance
const refunds = () => forum.database.app.selectFrom('payment_refund').selectAll().orderBy('id', 'desc')
let keys = 0
const key = () => ({ 'idempotency-key': `a-key-of-refunds-${++keys}` })
const refund = (input: Record<string, unknown>, by = chief) =>
  by.tryCall(refundPayment, { reason: 'Asked for it', mayOwe: false, ...input } as never, key())

/** The refused fields of the response. */
const refused = async (input: Record<string, unknown>) => (await refund(input)).response.json().error

describe('a refund', () => {
  test('leaves the balance at once, and is done when the provider has given it back', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    const { status, body } = await refund({ number, amount: '12.50' })
    expect([status, body.isWaiting, await has()]).toEqual([200, false, '17.50'])
    expect(await refunds().executeTakeFirst()).toMatchObject({ number: body.refundNumber, cents: '1250', state: 'asked' })
    await workOff(forum.database)
    expect(await refunds().executeTakeFirst()).toMatchObject({ state: 'done', provider_number: `R${body.refundNumber}` })
    expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
  })

  test('of a payment that is wholly disputed offers zero, and never a negative amount', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await refund({ number, amount: '10.00' })
    await workOff(forum.database)
    await disputeTold(forum.database, number, { cents: 3_000n, state: 'open' })
    expect(await chief.call(staffPayment, { number })).toMatchObject({ refundable: '0.00', refunded: '10.00' })
    expect((await refused({ number, amount: '0.01' })).amount).not.toContain('-')
  })

  test('is never more than the payment less its refunds, in any parts and at once', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    expect(await refused({ number, amount: '30.01' })).toHaveProperty('amount')
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund({ number, amount: '7.00' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(await has()).toBe('2.00')
    await workOff(forum.database)
    expect(await refused({ number, amount: '2.01' })).toHaveProperty('amount')
    expect((await refund({ number, amount: '2.00' })).status).toBe(200)
  })

  test('goes as far as the balance, unless staff say that it shall be owed', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    await chief.call(adjustBalance, { memberId: mei.id, way: 'take', amount: '25.00', reason: 'Spent' }, key())
    expect(await refused({ number, amount: '10.00' })).toHaveProperty('amount')
    expect((await refund({ number, amount: '10.00', mayOwe: true })).status).toBe(200)
    const { account } = await mei.call(balance, {})
    expect([account.balance, account.owed]).toEqual(['0.00', '5.00'])
  })
})

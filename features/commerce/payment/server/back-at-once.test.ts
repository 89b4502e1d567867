import { beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { rounds } from '#base/testing/extent.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import {
  notification,
  paidIn,
  paidTopUp,
  storeDispute,
  storeRefund,
  takes,
  tell,
  tops,
  withSandbox,
  workOff,
} from '#payment/testing/factories.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { processInbox } from '#payment/server/settle.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100_000 })
  chief = await aStaffer(forum)
})

/** Several servers process the inbox at once, until nothing is left. */
async function processAtOnce(): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => processInbox(forum.database)))
  await workOff(forum.database)
}

async function total(who: Awaited<ReturnType<Forum['member']>>): Promise<number> {
  const { account } = await who.call(balance, {})
  return Math.round(Number(account.balance) * 100) - Math.round(Number(account.owed) * 100)
}

test('several events of one refund and a dispute, all at once, each take their amount once', async () => {
  for (let round = 0; round < rounds; round++) {
    const mei = await forum.member()
    const number = await paidTopUp(forum, mei, '30.00')
    const [refunded, disputed] = [BigInt(1 + ((round * 677) % 3_000)), BigInt(1 + ((round * 1_409) % 3_000))]
    const { database } = forum
    await Promise.all([
      ...Array.from({ length: 3 }, () => storeRefund(database, number, { cents: refunded })),
      ...Array.from({ length: 2 }, () => storeDispute(database, number, { cents: disputed, state: 'open' })),
    ])
    await processAtOnce()
    expect(await total(mei), `round ${round}`).toBe(3_000 - Number(refunded) - Number(disputed))
    await Promise.all([
      storeRefund(database, number, { cents: refunded, state: 'failed' }),
      storeDispute(database, number, { cents: disputed, state: 'won' }),
    ])
    await processAtOnce()
    expect(await total(mei), `round ${round}`).toBe(3_000)
  }
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

test('a payment and its refunds and disputes come out the same in every order', async () => {
  for (let round = 0; round < rounds; round++) {
    const mei = await forum.member()
    const { number } = (await tops(mei, '30.00')).body
    await takes(forum.database, number)
    const paid = await notification(forum.database, await paidIn(forum.database, number))
    const tells = [
      () => tell(forum.app, paid),
      () => storeRefund(forum.database, number, { cents: 1_000n }),
      () => storeDispute(forum.database, number, { cents: 500n, state: 'open' }),
    ]
    const first = round % tells.length
    await Promise.all([...tells.slice(first), ...tells.slice(0, first)].map(async (one) => one()))
    await processAtOnce()
    expect(await total(mei), `round ${round}`).toBe(1_500)
  }
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

test('refunds by staff and by the provider at once never exceed the payment', async () => {
  for (let round = 0; round < rounds; round++) {
    const mei = await forum.member()
    const number = await paidTopUp(forum, mei, '30.00')
    await storeRefund(forum.database, number, { cents: 2_000n })
    await Promise.all([
      processInbox(forum.database),
      chief.tryCall(refundPayment, { number, amount: '15.00', mayOwe: true, reason: 'Asked for it' }, newIdempotencyKey()),
    ])
    await workOff(forum.database)
    const back = await forum.database.app
      .selectFrom('payment_refund')
      .innerJoin('payment_order', 'payment_order.id', 'order_id')
      .select(['payment_refund.cents', 'payment_refund.state'])
      .where('payment_order.number', '=', number)
      .execute()
    const sum = back.filter(({ state }) => state !== 'failed').reduce((all, { cents }) => all + Number(cents), 0)
    expect(sum, `round ${round}`).toBeLessThanOrEqual(3_000)
    expect(await total(mei), `round ${round}`).toBe(3_000 - sum)
  }
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { addDays, dayAt } from '#base/server/calendar.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { bookEvent } from '#payment/event-contract.ts'
import { differenceList, statementFailures, statementList } from '#reconciliation/contract.ts'
import { health } from '#reconciliation/server/reconciliation.ts'
import type { StatementLine } from '#payment/server/providers/provider.ts'
import { setStandIns } from '#payment/server/providers.ts'
import { fetchStatements, writeStatement } from '#reconciliation/server/statement.ts'
import { AlipayStandIn } from '#payment/testing/alipay.ts'
import { tradeBill } from '#payment/testing/alipay-bill.ts'
import { disputeTold, paidTopUp, refundTold, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { Days } from '#reconciliation/testing/factories.ts'
import { eventList, refundPayment, staffPayment } from '#payment/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let days: Days
let alipay: AlipayStandIn
let offer: (provider: 'alipay' | 'sandbox') => Promise<void>

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  alipay = await new AlipayStandIn().open()
  const { appId: alipayAppId, sellerId: alipaySellerId, publicKey: alipayPublicKey, key } = alipay.keys
  const limits = { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 100_000 }
  offer = (provider) => withSandbox(forum, { paymentProviders: [provider], alipayAppId, alipaySellerId, alipayPublicKey, ...limits })
  await transact(forum.database, (tx) => setting.changeSealed(tx, 'alipayKey', key, 'test'))
  setStandIns({ alipay: alipay.url })
  chief = await aStaffer(forum)
  days = await new Days(forum, chief).begin()
})
afterAll(async () => {
  setStandIns({})
  await alipay.close()
})
beforeEach(async () => {
  mei = await forum.member()
})

const has = async () => (await mei.call(balance, {})).account.balance
const today = dayAt(Date.now(), 'Asia/Shanghai')
const before = (count: number) => addDays(today, -count)
const take = () => fetchStatements(forum.database, pino({ level: 'silent' }))
const taken = async () => (await chief.call(statementList, { provider: 'alipay', size: 200 })).rows.map(({ day }) => day).toSorted()
const failed = async () => (await chief.call(statementFailures, {})).failures.map(({ day, provider, problem }) => [day, provider, problem])
const counted = async () => (await health(forum.database.app)).find(({ name }) => name === 'alipay')?.failedStatements

describe('a statement that cannot be read, and one that does not come,', () => {
  test('do not delay other days, are reported, and are taken once they can be', async () => {
    await offer('alipay')
    const { number } = (await tops(mei, '35.80', { provider: 'alipay', method: 'qr' })).body
    await days.past(`update payment_order set created_at = now() - interval '8 days' where number = '${number}'`)
    const trade = '2026112622001400000000000001'
    alipay.bills.set(before(7), Buffer.from('no archive'))
    alipay.bills.set(before(5), await tradeBill(before(5), [{ trade, order: number, total: '35.80', fee: '-0.21' }]))
    let isAway = true
    alipay.tamper = (answer, response) => {
      if (!isAway || alipay.asked.at(-1)?.content.bill_date !== before(6)) return answer
      response.destroy()
      return null
    }
    await take()
    expect(await taken()).toEqual([before(8), before(5), before(4)])
    expect([await failed(), await counted()]).toEqual([[[before(7), 'alipay', 'unreadable']], 1])
    // A day without an answer is told of when it has been one for a day.
    await sql`update payment_statement_failure set first_at = first_at - interval '25 hours'`.execute(forum.database.app)
    expect([(await failed()).length, await counted()]).toEqual([2, 2])
    isAway = false
    alipay.bills.set(before(7), await tradeBill(before(7), []))
    await take()
    expect([await taken(), await failed(), await counted()]).toEqual([[before(8), before(7), before(6), before(5), before(4)], [], 0])
  })
})

let lines = 0
const line = (kind: StatementLine['kind'], more: Partial<StatementLine>): StatementLine => ({
  kind,
  number: null,
  providerNumber: `L-${++lines}`,
  cents: 1_000n,
  feeCents: 0n,
  at: days.noon,
  ...more,
})

/** Stores the statement of another day of the sandbox, and returns its differences. */
async function stated(...received: StatementLine[]) {
  await days.goBack()
  const at = days.noon
  await transact(forum.database, (tx) =>
    writeStatement(
      tx,
      { name: 'sandbox', zone: 'Asia/Shanghai', listsDisputes: true },
      days.day,
      received.map((one) => ({ ...one, at })),
    ),
  )
  return differing()
}
async function differing() {
  const { rows } = await chief.call(differenceList, { provider: 'sandbox', size: 200 })
  return rows.filter(({ day, state }) => day === days.day && state === 'open')
}
const told = (rows: Awaited<ReturnType<typeof differing>>) => rows.map(({ kind, number, here, there }) => [kind, number, here, there])

describe('a statement', () => {
  beforeEach(() => offer('sandbox'))

  test('with a line that is unknown has a difference for it, and is taken otherwise', async () => {
    const other = line('other', { cents: 0n })
    expect(told(await stated(other))).toEqual([['unknownLine', other.providerNumber, null, '0.00']])
  })

  test('with a dispute that is not here, or of another amount, or without one that is here, says so', async () => {
    const [first, second, third] = [
      await paidTopUp(forum, mei, '30.00'),
      await paidTopUp(forum, mei, '20.00'),
      await paidTopUp(forum, mei, '9.00'),
    ]
    await disputeTold(forum.database, second, { cents: 2_000n, state: 'open' })
    await disputeTold(forum.database, third, { cents: 900n, state: 'open' })
    await days.goBack()
    await days.past(`update payment_dispute set opened_at = '${days.noon.toISOString()}' where provider_number = 'D${third}'`)
    days.day = addDays(days.day, 1)
    const rows = await stated(
      line('dispute', { number: first, providerNumber: `D${first}`, paymentNumber: `S${first}`, cents: 3_000n }),
      line('dispute', { number: second, providerNumber: `D${second}`, cents: 2_040n }),
      line('disputeReversal', { number: second, providerNumber: `D${second}`, cents: 2_040n }),
    )
    expect(told(rows).toSorted()).toEqual(
      [
        ['disputeNotHere', `D${first}`, null, '30.00'],
        ['disputeOtherAmount', `D${second}`, '20.00', '20.40'],
        ['reversalNotHere', `D${second}`, null, '20.40'],
        ['disputeNotThere', `D${third}`, '9.00', null],
      ].toSorted(),
    )
    const eventId = rows.find(({ kind }) => kind === 'disputeNotHere')?.eventId ?? ''
    await chief.call(bookEvent, { eventId, number: first, amount: '30.00', reason: 'Stripe shows it' }, newIdempotencyKey())
    expect((await chief.call(staffPayment, { number: first })).state).toBe('disputed')
  })

  test('with a refund that is not here lets staff book it, and so does its late notification', async () => {
    const [first, second] = [await paidTopUp(forum, mei, '30.00'), await paidTopUp(forum, mei, '20.00')]
    const rows = await stated(
      line('refund', { providerNumber: `T${first}`, paymentNumber: `S${first}` }),
      line('refund', { providerNumber: `T${second}`, paymentNumber: `S${second}` }),
    )
    expect(told(rows).map(([kind]) => kind)).toEqual(['refundNotHere', 'refundNotHere'])
    expect(await has()).toBe('50.00')
    const { rows: waiting } = await chief.call(eventList, { problem: 'statementOnly', kind: 'refund', state: 'suspended' })
    expect(waiting.map(({ number }) => number).toSorted()).toEqual([first, second].toSorted())
    const eventId = rows.find(({ number }) => number === `T${first}`)?.eventId ?? ''
    await chief.call(bookEvent, { eventId, number: first, amount: '10.00', reason: 'The console shows it' }, newIdempotencyKey())
    await refundTold(forum.database, second, { cents: 1_000n })
    expect([await has(), (await chief.call(eventList, { problem: 'statementOnly', state: 'suspended' })).rows]).toEqual(['30.00', []])
    await days.take()
    expect(told(await differing())).toEqual([])
  })

  test('with a refund that failed after its day has it asked for, and the member has the money again', async () => {
    const number = await paidTopUp(forum, mei, '30.00')
    const { refundNumber } = await chief.call(refundPayment, { number, amount: '30.00', reason: 'Asked for it' }, newIdempotencyKey())
    await workOff(forum.database)
    expect(await has()).toBe('0.00')
    await sql`delete from payment_sandbox_refund where number = ${refundNumber}`.execute(forum.database.app)
    await sql`update payment_sandbox set outcome = 'closed' where number = ${number}`.execute(forum.database.app)
    const rows = await stated(line('refundFailure', { number: refundNumber, providerNumber: `R${refundNumber}`, cents: 3_000n }))
    expect(told(rows)).toEqual([['refundFailedThere', refundNumber, '30.00', '30.00']])
    await workOff(forum.database)
    expect(await has()).toBe('30.00')
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

import { pino } from 'pino'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { addDays } from '#base/server/calendar.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { withSandbox, workOff } from '#payment/testing/factories.ts'
import { Days } from '#reconciliation/testing/factories.ts'
import { fetchStatements } from '#reconciliation/server/statement.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
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

/** The fees of the day, by account. */
async function booked(): Promise<Record<string, string>> {
  const { rows } = await sql<{ account: string; amount: string }>`
    select trim(name || ' ' || label) as account, amount from ledger.transaction as its join ledger.entry on transaction_id = its.id
      join ledger.account on account.id = account_id where source = ${`fee:sandbox:${days.day}`}`.execute(forum.database.app)
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
}

test('a statement is taken once, by several servers at once too, and its fees are booked to the cent', async () => {
  await days.paid(mei, '12.50')
  await days.paid(mei, '1.00')
  await Promise.all([days.take(), days.take(), days.take()])
  await days.take()
  // 0.6 percent: seven and a half cents, and 0.6 of one.
  expect(await days.statement()).toMatchObject({
    provider: 'sandbox',
    payments: 2,
    paid: '13.50',
    refunds: 0,
    fees: '0.09',
    differences: 0,
  })
  expect(await booked()).toEqual({ 'clearing sandbox': '9', fee: '-9' })
})

test('fees that were given back are booked the other way', async () => {
  const number = await days.paid(mei, '100.00')
  await days.take()
  await days.goBack()
  // Moves the first order to this day.
  const other = await days.paid(mei, '10.00')
  await days.gaveBack(
    (await chief.call(refundPayment, { number, amount: '100.00', reason: 'Asked for it' }, newIdempotencyKey())).refundNumber ?? '',
  )
  await days.take()
  expect(await days.statement()).toMatchObject({ paid: '10.00', refunds: 1, refunded: '100.00', fees: '-0.54', differences: 0 })
  expect(await booked()).toEqual({ 'clearing sandbox': '-54', fee: '54' })
  expect(other).not.toBe(number)
})

test('a day without payments has a statement too, and nothing to book', async () => {
  const number = await days.paid(mei, '5.00', { isTold: false })
  await sql`update payment_sandbox set outcome = 'waiting', paid_at = null where number = ${number}`.execute(forum.database.app)
  await days.take()
  expect(await days.statement()).toMatchObject({ payments: 0, paid: '0.00', refunds: 0, fees: '0.00', differences: 0 })
  expect(await booked()).toEqual({})
})

test('an invalid statement is refused and asked for again, and does not delay the other days', async () => {
  const number = await days.paid(mei, '5.00')
  const day = days.day
  await sql`update payment_sandbox set cents = -500 where number = ${number}`.execute(forum.database.app)
  await days.goBack()
  await days.paid(mei, '6.00')
  await expect(days.take()).rejects.toThrow('Statements that could not be taken')
  expect(await days.statement()).toMatchObject({ paid: '6.00' })
  await sql`update payment_sandbox set cents = 500 where number = ${number}`.execute(forum.database.app)
  await days.take()
  days.day = day
  expect(await days.statement()).toMatchObject({ paid: '5.00', fees: '0.03' })
  await days.goBack()
})

test('a server that dies on the way leaves nothing, and the next one takes all of it', async () => {
  await days.paid(mei, '20.00')
  await days.past(`
    create function dies() returns trigger language plpgsql as $$ begin raise exception 'The plug is pulled'; end $$;
    create trigger dies before insert on payment_statement_line for each row execute function dies()`)
  await expect(days.take()).rejects.toThrow('The plug is pulled')
  expect([await days.statement(), await booked()]).toEqual([undefined, {}])
  await days.past('drop function dies cascade')
  await days.take()
  expect(await days.statement()).toMatchObject({ paid: '20.00', fees: '0.12' })
  expect(await booked()).toEqual({ 'clearing sandbox': '12', fee: '-12' })
})

test('while the books are frozen statements wait', async () => {
  await days.paid(mei, '20.00')
  await chief.call(freezeBooks, { reason: 'A look' })
  await days.take()
  expect(await days.statement()).toBeUndefined()
  await chief.call(thawBooks, { reason: 'Done' })
  await days.take()
  expect(await days.statement()).toMatchObject({ paid: '20.00' })
})

test('a provider without keys is reported, and does not delay the statements of others', async () => {
  await days.paid(mei, '20.00')
  await days.past(`
    insert into payment_order (number, member_id, provider, method, cents, expires_at, created_at)
      values ('20261101000000000001', ${mei.id}, 'wechat', 'qr', 100, now(), now() - interval '3 days')`)
  const logLines: string[] = []
  await fetchStatements(forum.database, pino({}, { write: (line) => void logLines.push(line) }))
  expect(logLines.map((line) => JSON.parse(line).provider)).toEqual(['wechat'])
  expect(await days.statement()).toMatchObject({ paid: '20.00' })
})

describe('the days', () => {
  test('go from the first payment or a month ago to yesterday', async () => {
    const { day: first } = days
    await days.paid(mei, '1.00')
    await days.past(
      `update payment_order set created_at = now() - interval '100 days' where number = (select min(number) from payment_order where provider = 'sandbox')`,
    )
    await days.take()
    const { rows } = await sql<{ day: string }>`select day::text from payment_statement order by day`.execute(forum.database.app)
    const statementDays = rows.map(({ day }) => day)
    expect(statementDays).toHaveLength(31)
    expect(statementDays).toContain(first)
    expect(new Set(statementDays.map((day, place) => addDays(day, -place)))).toEqual(new Set([statementDays[0]]))
  })

  test('leave the books right', async () => {
    await workOff(forum.database)
    expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
  })
})

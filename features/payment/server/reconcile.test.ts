import pg from 'pg'
import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/book-checks.ts'
import { dayAt, later, startOf } from '#base/server/calendar.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#payment/reconcile-contract.ts'
import { notification, paidIn, tell, tops, withSandbox, workOff } from '#payment/server/example.ts'
import { takeStatements } from '#payment/server/statement.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

const zone = 'Asia/Shanghai'
const log = pino({ level: 'silent' })

let forum: Forum
let chief: Staffer
let mei: Person
let owner: pg.Client
/** Each test has a day of its own, before those of the others: what a statement says stays. */
let day = dayAt(Date.now(), zone)

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
  chief = await aStaffer(forum)
  mei = await forum.member()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
})
beforeEach(() => {
  day = later(day, -1)
})
afterAll(() => owner.end())

/** Changes what nobody may change, so that time has passed. */
const past = (text: string) => owner.query(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)
const take = () => takeStatements(forum.database, log)
const noon = () => new Date(startOf(day, zone).getTime() + 12 * 3_600_000)

/** A payment that the sandbox has of noon of the day, and that is credited where it was told. */
async function paidThen(amount: string, { isTold = true, at = noon() } = {}): Promise<string> {
  const { number } = (await tops(mei, amount)).body
  await past(`update payment_order set created_at = '${at.toISOString()}'::timestamptz - interval '1 minute' where number = '${number}'`)
  await sql`update payment_sandbox set outcome = 'paid', paid_at = ${at} where number = ${number}`.execute(forum.database.app)
  if (isTold) await tell(forum.app, await notification(forum.database, await paidIn(forum.database, number, { paidAt: at })))
  await workOff(forum.database)
  return number
}

const statement = async () => (await chief.call(contract.statementList, {})).rows.find((row) => row.day === day)
async function found(state?: 'open' | 'cleared' | 'settled') {
  const { rows } = await chief.call(contract.differenceList, { ...(state && { state }) })
  return rows.filter((row) => row.day === day)
}

describe('a statement', () => {
  test('is taken once, and its fees are booked to the cent', async () => {
    await paidThen('12.50')
    await paidThen('1.00')
    await Promise.all([take(), take()])
    await take()
    // Six thousandths: 7.5 cents and 0.6.
    expect(await statement()).toMatchObject({ provider: 'sandbox', payments: 2, paid: '13.50', refunds: 0, fees: '0.09', differences: 0 })
    expect(await breachesIn(forum.database.app, bookChecks, null)).toEqual([])
  })
})

test('a payment that was never told is a difference, is asked for, and is cleared once it is credited', async () => {
  const number = await paidThen('30.00', { isTold: false })
  await take()
  expect(await found()).toMatchObject([{ kind: 'notHere', number, paymentNumber: number, here: null, there: '30.00', state: 'open' }])
  await workOff(forum.database)
  await take()
  expect(await found('cleared')).toMatchObject([{ kind: 'notHere', number }])
})

import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { returnEvent } from '#payment/event-contract.ts'
import { notification, paidIn, paidTopUp, takes, tell, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

// A faulty or captured program could write such rows, and its job would refund them at the provider: the database refuses them.
let forum: Forum
let chief: Staffer
let mei: Person
let keys = 0
const key = () => ({ 'idempotency-key': `a-key-of-causes-${++keys}` })
const unfounded = { code: 'TL009' }

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, dailyApprovalThresholdYuan: 1_000 })
  chief = await aStaffer(forum)
  mei = await forum.member()
})

const within = (act: (tx: Db) => Promise<unknown>) => transact(forum.database, act)
const refunds = async () => (await forum.database.app.selectFrom('payment_refund').select('id').execute()).length
const number = () => String(++keys).padStart(20, '9')

/** A payment of another amount than its order, which waits for staff. */
async function suspended(): Promise<string> {
  const { number: order } = (await tops(mei, '5')).body
  await takes(forum.database, order)
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, order, { cents: 1n })))
  await workOff(forum.database)
  const last = forum.database.app.selectFrom('payment_event').select('id').where('state', '=', 'suspended').orderBy('id', 'desc').limit(1)
  return (await last.executeTakeFirstOrThrow()).id
}

test('a refund without its own transaction from the payer is not written', async () => {
  const paid = await paidTopUp(forum, mei, '30.00')
  const of = (cents: number, transaction: string | null) => (tx: Db) =>
    sql`insert into payment_refund (number, order_id, provider, cents, reason, transaction_id)
      select ${number()}, id, provider, ${cents}, 'Mine', ${transaction} from payment_order where number = ${paid}`.execute(tx)
  await expect(within(of(3_000, null))).rejects.toMatchObject(unfounded)
  const { transaction_id: credit } = await forum.database.app
    .selectFrom('payment_order')
    .select('transaction_id')
    .where('number', '=', paid)
    .executeTakeFirstOrThrow()
  await expect(within(of(3_000, credit))).rejects.toMatchObject(unfounded)
  await chief.call(refundPayment, { number: paid, amount: '10.00', mayOwe: false, reason: 'Asked for it' }, key())
  const before = await refunds()
  await workOff(forum.database)
  expect(await refunds()).toBe(before)
})

test('a payment that was never credited is returned by staff alone', async () => {
  const eventId = await suspended()
  const insert = (tx: Db) =>
    sql`insert into payment_refund (number, event_id, provider, cents, reason)
    select ${number()}, id, provider, (facts ->> 'cents')::bigint, 'Mine' from payment_event where id = ${eventId}`.execute(tx)
  const decide = (tx: Db) =>
    sql`update payment_event set state = 'returned', answer = 'Mine', handled_at = clock_timestamp(),
    handled_by = (select min(id) from staff) where id = ${eventId}`.execute(tx)
  await expect(within(insert)).rejects.toMatchObject(unfounded)
  const both = within(async (tx) => {
    await insert(tx)
    await decide(tx)
  })
  await expect(both).rejects.toMatchObject(unfounded)
  const { refundNumber } = await chief.call(returnEvent, { eventId, reason: 'It was too little' }, key())
  await workOff(forum.database)
  const row = await forum.database.app.selectFrom('payment_refund').select('state').where('number', '=', refundNumber).executeTakeFirst()
  expect(row?.state).toBe('done')
})

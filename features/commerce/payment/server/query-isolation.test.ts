import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { paidTopUp, takes, tops, withSandbox } from '#payment/testing/factories.ts'
import { queryDue } from '#payment/server/query.ts'
import { refundDue } from '#payment/server/refund.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const { database } = forum
await withSandbox(forum)

test('a payment that cannot be asked for keeps no other from being asked for', async () => {
  const mei = await forum.member()
  const [first, second] = [(await tops(mei, '10.00')).body.number, (await tops(mei, '12.50')).body.number]
  for (const number of [first, second]) await takes(database, number)
  // An unreadable time.
  await sql`update payment_sandbox set paid_at = 'infinity' where number = ${first}`.execute(database.app)
  await sql`update payment_order set query_at = now() - make_interval(hours => (number = ${first})::int)`.execute(database.app)
  await expect(queryDue(database)).rejects.toThrow('Payments that could not be asked for')
  const asked = [first, second].map((number) => `query:S${number}`)
  const events = await database.app.selectFrom('payment_event').select('event_id').where('event_id', 'in', asked).execute()
  expect(events).toEqual([{ event_id: `query:S${second}` }])
})

test('a refund that cannot be asked for keeps no other from being asked for', async () => {
  const mei = await forum.member()
  const chief = await aStaffer(forum)
  const number = await paidTopUp(forum, mei, '20.00')
  const refunds = [1, 2].map((key) => ({ 'idempotency-key': `a-key-for-refund-${key}` }))
  for (const key of refunds) await chief.call(refundPayment, { number, amount: '5.00', mayOwe: false, reason: 'Asked for it' }, key)
  const [first] = await database.app.selectFrom('payment_refund').select('number').orderBy('id').execute()
  // The provider refunded another amount than requested.
  await sql`insert into payment_sandbox_refund (number, paid_number, cents) values (${first?.number ?? ''}, ${number}, 400)`.execute(
    database.app,
  )
  await expect(refundDue(database)).rejects.toThrow('Refunds that could not be asked for')
  const states = await database.app.selectFrom('payment_refund').select('state').orderBy('id').execute()
  expect(states).toEqual([{ state: 'asked' }, { state: 'done' }])
})

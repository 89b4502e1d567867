import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { notification, paidIn, paidTopUp, tell, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { payment as paymentCall } from '#payment/contract.ts'
import { bookChecks as paymentChecks } from '#payment/server/book-checks.ts'
import { bookChecks as statementChecks } from '#reconciliation/server/book-checks.ts'
import { settleDispute } from '#payment/server/dispute.ts'
import { storeEvent } from '#payment/server/inbox.ts'
import { creditEvent } from '#payment/event-contract.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { toMinor, type EntryKind } from '#wallet/contract.ts'
import { post } from '#wallet/server/post.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import * as wallet from '#wallet/server/wallet.ts'

let forum: Forum
let owner: pg.Client
let mei: Person
let tom: Person
let chief: Staffer

/** The tables that the database's owner may tamper with, copied to restore them. */
const tables = [
  'ledger.transaction',
  'ledger.entry',
  'ledger.account',
  'payment_event',
  'payment_order',
  'payment_refund',
  'payment_dispute',
  'payment_statement',
  'payment_statement_line',
  'ledger.month_sum',
  'ledger.summed',
]

let keys = 0
const key = () => ({ 'idempotency-key': `a-key-of-payment-books-${++keys}` })

beforeAll(async () => {
  forum = await aForum()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
  chief = await aStaffer(forum)
  mei = await forum.member()
  tom = await forum.member()
  await begin()
  // Waits for the sums of months, which open transactions delay.
  const summed = () => forum.database.app.selectFrom('ledger.month_sum').select('month').limit(1).executeTakeFirst()
  while (!(await summed())) await checkLedger(forum.database, bookChecks, { isFull: false })
  for (const [place, table] of tables.entries()) await owner.query(`create temp table kept_${place} as table ${table}`)
})
afterAll(() => owner.end())

/** One of each: paid, credited by staff, refunded, failed, disputed and won, and fees. */
async function begin(): Promise<void> {
  const [first, second] = [await paidTopUp(forum, mei, '30.00'), await paidTopUp(forum, mei, '20.00')]
  await paidTopUp(forum, tom, '20.00')
  const other = (await tops(tom, '9.00')).body.number
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, other, { cents: 800n })))
  await workOff(forum.database)
  const event = await forum.database.app.selectFrom('payment_event').select('id').where('state', '=', 'suspended').executeTakeFirstOrThrow()
  await chief.call(creditEvent, { eventId: event.id, memberId: tom.id, reason: 'It is his' }, key())
  for (const amount of ['10.00', '5.00'])
    await chief.call(refundPayment, { number: first, amount, mayOwe: false, reason: 'Asked for it' }, key())
  await workOff(forum.database)
  await failRefund()
  const order = await forum.database.app
    .selectFrom('payment_order')
    .select(['id', 'member_id', 'provider', 'cents'])
    .where('number', '=', second)
    .executeTakeFirstOrThrow()
  const dispute = { number: second, cents: '500', currency: 'CNY', reason: 'fraudulent' }
  const settle = (providerNumber: string, state: 'open' | 'won' | 'lost') =>
    transact(forum.database, (tx) => settleDispute(tx, order, { ...dispute, providerNumber, state }))
  await settle('D1', 'open')
  await settle('D1', 'won')
  await settle('D2', 'lost')
  await takeFees()
}

/** The provider reports days later that the last refund failed. */
async function failRefund(): Promise<void> {
  await transact(forum.database, async (tx) => {
    const row = await tx.selectFrom('payment_refund').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const { id } = await postMove(tx, 'topUpRefundFailed', { source: `refund:${row.number}`, amount: 500n })
    const change = tx.updateTable('payment_refund').where('id', '=', row.id)
    await change.set({ state: 'asked', ended_at: null }).execute()
    await change.set({ state: 'failed', ended_at: new Date(), problem: 'It failed', undone_by: id }).execute()
  })
}

const day = '2026-11-20'

async function takeFees(): Promise<void> {
  await transact(forum.database, async (tx) => {
    const { id: transaction_id } = await fees(tx, `fee:sandbox:${day}`, 18n)
    const totals = { paid_count: 1, paid_cents: '3000', refunded_count: 0, refunded_cents: '0', fee_cents: '18' }
    const row = { provider: 'sandbox', day, ...totals, transaction_id }
    const { id } = await tx.insertInto('payment_statement').values(row).returning('id').executeTakeFirstOrThrow()
    const line = { place: 0, kind: 'payment' as const, number: null, provider_number: 'S1', cents: '3000', fee_cents: '18', at: new Date() }
    await tx
      .insertInto('payment_statement_line')
      .values({ statement_id: id, ...line })
      .execute()
  })
}

type Moving = { source: string; amount: bigint; member?: string; label?: string; reverses?: string; providerNumber?: string }

/** Posts a transaction between a member and a provider as the program could; a negative amount goes back. */
function postMove(
  tx: Db,
  kind: EntryKind,
  { source, amount, member = mei.id, label = 'sandbox', ...more }: Moving,
): Promise<wallet.Posted> {
  const lines = [
    { name: 'member', owner: member, currency: 'cny', amount: toMinor(amount), owes: true },
    { name: 'clearing', label, currency: 'cny', amount: toMinor(-amount) },
  ] as const
  return post(tx, { kind, source, by: { kind: 'forum' }, lines, ...more })
}

function fees(tx: Db, source: string, amount: bigint, label = 'sandbox'): Promise<wallet.Posted> {
  const lines = [
    { name: 'clearing', label, currency: 'cny', amount: toMinor(amount) },
    { name: 'fee', currency: 'cny', amount: toMinor(-amount) },
  ] as const
  return post(tx, { kind: 'paymentFee', source, by: { kind: 'forum' }, lines })
}

test('unchanged books pass the check', async () => {
  expect(await checkLedger(forum.database, bookChecks, { isFull: false })).toEqual([])
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

const alter = (text: string) => owner.query(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)

async function putBack(): Promise<void> {
  for (const [place, table] of tables.entries())
    await alter(`delete from ${table}; insert into ${table} overriding system value select * from kept_${place}`)
  await sql`select ledger.thaw('Put back', 1)`.execute(forum.database.app)
}

const first = `(select min(id) from payment_order where state = 'paid')`
const deletionOf = (kind: string) => `
  update ledger.account set balance = balance - amount from ledger.entry join ledger.transaction as its on its.id = transaction_id
    where account.id = account_id and its.kind = '${kind}' and account.balance is not null;
  delete from ledger.entry where kind = '${kind}'; delete from ledger.transaction where kind = '${kind}'`

test.each([
  ['a payment that is gone', `delete from payment_order where id = ${first}`],
  ['a payment of another amount', `update payment_order set cents = cents + 1 where id = ${first}`],
  ['a payment of another member', `update payment_order set member_id = (select max(member_id) from payment_order) where id = ${first}`],
  ['a payment with another number', `update payment_order set number = '20260101000000000000' where id = ${first}`],
  ['a payment of another provider', `update payment_order set provider = 'alipay' where id = ${first}`],
  [
    'a payment that was not paid after all',
    `update payment_order set state = 'closed', closed_at = now(), transaction_id = null, event_id = null, paid_at = null, taken_at = null where id = ${first}`,
  ],
  [
    'a payment that nobody paid',
    `update payment_order set state = 'paid', transaction_id = 999999, event_id = 999999, paid_at = now(), taken_at = now(), provider_number = 'x'
      where state = 'open'`,
  ],
  [
    'what a provider told of an amount',
    `update payment_event set facts = facts || '{"cents": "99999"}' where state = 'done' and kind = 'paid'`,
  ],
  ['what a provider told that is gone', `delete from payment_event where id = (select event_id from payment_order where id = ${first})`],
  [
    'a credit by staff to another',
    `update payment_event set credited_to = (select min(member_id) from payment_order) where state = 'credited'`,
  ],
  ['a credit by staff of another amount', `update payment_event set facts = facts || '{"cents": "801"}' where state = 'credited'`],
  [
    'a credit by staff that is none',
    `update payment_event set state = 'dismissed', transaction_id = null, credited_to = null where state = 'credited'`,
  ],
  ['a refund that is gone', `delete from payment_refund where state = 'done'`],
  ['a refund of another amount', `update payment_refund set cents = cents - 1 where state = 'done'`],
  [
    'a refund of another payment',
    `update payment_refund set order_id = (select max(order_id) from payment_dispute) + 1 where state = 'done'`,
  ],
  ['a refund that failed and did not', `update payment_refund set state = 'done', undone_by = null where state = 'failed'`],
  ['a refund that did not fail and did', `update payment_refund set state = 'failed', undone_by = 999999 where state = 'done'`],
  [
    'more refunds than was paid',
    `update payment_refund set cents = 99999; update payment_order set cents = 1 where id in (select order_id from payment_refund)`,
  ],
  [
    'a refund to a payer of what was never returned',
    `insert into payment_refund (number, event_id, provider, cents, reason)
    select '20260101000000000001', id, 'sandbox', 100, 'x' from payment_event where state = 'done' limit 1`,
  ],
  ['a dispute that is gone', `delete from payment_dispute where state = 'won'`],
  ['a dispute of another amount', `update payment_dispute set cents = cents + 1 where state = 'lost'`],
  ['a dispute that was lost and won', `update payment_dispute set state = 'lost', undone_by = null where state = 'won'`],
  ['a dispute that was won and lost', `update payment_dispute set state = 'won', undone_by = 999999 where state = 'lost'`],
  [
    'a dispute of another payment',
    `update payment_dispute set order_id = (select max(id) from payment_order where state = 'paid') where state = 'lost'`,
  ],
  ['a statement that is gone', `delete from payment_statement`],
  ['fees of a statement', `update payment_statement set fee_cents = 17`],
  ['fees of a line', `update payment_statement_line set fee_cents = 17`],
  ['fees that were never booked', deletionOf('paymentFee')],
  ['a refund that took nothing', deletionOf('topUpRefund')],
  ['a chargeback that took nothing', deletionOf('chargeback')],
  ['a credit that is gone', deletionOf('topUpByHand')],
  ['the account of a provider', `update ledger.account set label = 'other' || label where name = 'clearing'`],
])('%s is found by the next full check', async (_, tampering) => {
  await alter(tampering)
  const found = await checkLedger(forum.database, bookChecks, { isFull: true })
  // By a check of payments or statements, whatever else notices it.
  expect(found.filter(({ check }) => [...paymentChecks, ...statementChecks].some(({ name }) => name === check))).not.toEqual([])
  expect(await wallet.isFrozen(forum.database.app)).toBe(true)
  await putBack()
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

test('a payment deleted with all its events, with balances made to fit, is found', async () => {
  await alter(`
    update ledger.account set balance = balance - amount from ledger.entry
      where account.id = account_id and account.balance is not null and transaction_id = (select transaction_id from payment_order where id = ${first});
    delete from ledger.entry where transaction_id = (select transaction_id from payment_order where id = ${first});
    delete from ledger.transaction where id = (select transaction_id from payment_order where id = ${first});
    delete from payment_event where id = (select event_id from payment_order where id = ${first});
    delete from payment_order where id = ${first}`)
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).not.toEqual([])
  await putBack()
})

const unfounded = { code: 'TL009' }

test('the ledger takes nothing by a provider without its row, nor otherwise than the row says', async () => {
  const open = (await tops(mei, '7.00')).body.number
  const { app } = forum.database
  const paid = await app
    .selectFrom('payment_order')
    .selectAll()
    .where('state', '=', 'paid')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const refund = await app.selectFrom('payment_refund').selectAll().where('state', '=', 'done').executeTakeFirstOrThrow()
  const event = await app
    .selectFrom('payment_event')
    .selectAll()
    .where('state', '=', 'done')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const unpaid: [EntryKind, Moving][] = [
    ['topUp', { source: `payment:${open}`, amount: 700n }],
    ['topUp', { source: 'payment:20260101000000000000', amount: 700n }],
    ['topUp', { source: `payment:${paid.number}:again`, amount: 3_000n, providerNumber: paid.provider_number ?? '' }],
    ['topUpByHand', { source: `event:${event.id}`, amount: 3_000n }],
    ['topUpByHand', { source: 'event:999999', amount: 3_000n }],
    ['topUpRefund', { source: 'refund:20260101000000000000', amount: -700n }],
    ['topUpRefundFailed', { source: `refund:${refund.number}`, amount: 1_000n }],
    ['chargeback', { source: 'dispute:sandbox:D9', amount: -700n }],
    ['chargebackWon', { source: 'dispute:sandbox:D2', amount: 500n }],
    ['reversal', { source: `reversal:${paid.transaction_id}`, amount: -3_000n, reverses: paid.transaction_id ?? '' }],
  ]
  for (const [kind, moving] of unpaid)
    await expect(
      transact(forum.database, (tx) => postMove(tx, kind, moving)),
      kind,
    ).rejects.toMatchObject(unfounded)
  for (const source of ['fee:sandbox:2026-11-21', `fee:sandbox:${day}:again`])
    await expect(transact(forum.database, (tx) => fees(tx, source, 18n))).rejects.toMatchObject(unfounded)
})

test.each([
  ['another amount', { amount: 701n }],
  ['another member', { member: 'tom' }],
  ['another provider', { label: 'alipay' }],
  ['another number of the provider', { providerNumber: 'S-other' }],
])('the ledger takes no payment to %s than its row and its event say', async (_, { member, ...other }: Partial<Moving>) => {
  const { number } = (await tops(mei, '7.00')).body
  const event = await notification(forum.database, await paidIn(forum.database, number))
  await tell(forum.app, event)
  const credit = transact(forum.database, async (tx) => {
    const storedEvent = await tx.selectFrom('payment_event').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const providerNumber = `S${number}`
    const its = { source: `payment:${number}`, amount: 700n, providerNumber, ...other, ...(member && { member: tom.id }) }
    const { id: transaction_id } = await postMove(tx, 'topUp', its)
    const credited = {
      transaction_id,
      event_id: storedEvent.id,
      provider_number: providerNumber,
      paid_at: new Date(),
      taken_at: new Date(),
    }
    await tx.updateTable('payment_event').set({ state: 'done', handled_at: new Date() }).where('id', '=', storedEvent.id).execute()
    await tx
      .updateTable('payment_order')
      .set({ state: 'paid', ...credited })
      .where('number', '=', number)
      .execute()
  })
  await expect(credit).rejects.toMatchObject(unfounded)
  await workOff(forum.database)
})

test('an event that was worked off is not worked off again', async () => {
  const events = forum.database.app.updateTable('payment_event').where('state', '=', 'done')
  const again = events.set({ state: 'new', handled_at: null }).execute()
  await expect(again).rejects.toMatchObject({ code: 'TL007' })
})

test('a payment that was told of twice is credited by staff once, and then by itself never', async () => {
  const { number } = (await tops(tom, '6.00')).body
  const { app } = forum.database
  await sql`update member set deactivated_at = now(), deactivated_as = 'disabled' where id = ${tom.id}`.execute(app)
  const payment = await paidIn(forum.database, number)
  for (const eventId of ['one', 'two', 'three'])
    await transact(forum.database, (tx) =>
      storeEvent(tx, 'sandbox', { eventId: `${eventId}:${number}`, kind: 'paid', payment }, { headers: {}, body: Buffer.alloc(0) }),
    )
  const [one, two, three] = await app
    .selectFrom('payment_event')
    .select('id')
    .where('event_id', 'like', `%:${number}`)
    .orderBy('id')
    .execute()
  await app
    .updateTable('payment_event')
    .set({ state: 'done', handled_at: new Date() })
    .where('id', '=', three?.id ?? '')
    .execute()
  await workOff(forum.database)
  const credit = (eventId = '') => chief.tryCall(creditEvent, { eventId, memberId: mei.id, reason: 'It is hers' }, key())
  expect((await Promise.all([credit(one?.id), credit(two?.id)])).map(({ status }) => status).toSorted()).toEqual([200, 409])
  await sql`update member set deactivated_at = null, deactivated_as = null where id = ${tom.id}`.execute(app)
  await transact(forum.database, (tx) =>
    storeEvent(tx, 'sandbox', { eventId: `four:${number}`, kind: 'paid', payment }, { headers: {}, body: Buffer.alloc(0) }),
  )
  await workOff(forum.database)
  const { rows } = await sql<{
    sum: string
  }>`select sum(amount) as sum from ledger.entry join ledger.transaction as its on its.id = transaction_id
    where amount > 0 and its.provider_number = ${payment.providerNumber}`.execute(app)
  expect([rows[0]?.sum, (await tom.call(paymentCall, { number })).state]).toEqual(['600', 'closed'])
})

import { sql } from 'kysely'
import { auditLog } from '#audit/contract.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { disputeTold, notification, paidIn, paidTopUp, tell, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import * as told from '#payment/event-contract.ts'
import { paymentsWaiting } from '#reconciliation/contract.ts'
import * as desk from '#payment/staff-contract.ts'
import { readableBody } from '#payment/server/event-body.ts'
import { eventKinds } from '#payment/staff-views.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let hand: Staffer
let mei: Person
let tom: Person
/** Open, closed, paid, partly refunded, disputed, and paid by another member; in chronological order. */
let numbers: Record<'open' | 'closed' | 'paid' | 'refunded' | 'disputed' | 'toms', string>

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999, timeZone: 'Asia/Shanghai' })
  hand = await aStaffer(forum, ['payment.view', 'payment.refund'])
  ;[mei, tom] = [await forum.member(), await forum.member()]
  const open = (await tops(mei, '1')).body.number
  const closed = (await tops(mei, '2')).body.number
  await sql`update payment_order set state = 'closed', closed_at = now() where number = ${closed}`.execute(forum.database.app)
  const paid = await paidTopUp(forum, mei, '40')
  const refunded = await paidTopUp(forum, mei, '80')
  await hand.call(desk.refundPayment, { number: refunded, amount: '12.50', reason: 'Asked for it' }, newIdempotencyKey())
  const disputed = await paidTopUp(forum, mei, '160')
  await disputeTold(forum.database, disputed, { cents: 16_000n, state: 'open' })
  const toms = await paidTopUp(forum, tom, '320')
  await workOff(forum.database)
  numbers = { open, closed, paid, refunded, disputed, toms }
})

const found = async (filter: Record<string, unknown>) => (await hand.call(desk.paymentList, filter)).rows.map(({ number }) => number)
const totals = (filter: Record<string, unknown>) => hand.call(desk.paymentTotals, filter)

describe('payments', () => {
  test('are found by number, by that of their provider, member, provider, state and day, newest first', async () => {
    const { open, closed, paid, refunded, disputed, toms } = numbers
    const all = [toms, disputed, refunded, paid, closed, open]
    expect(await found({})).toEqual(all)
    expect(await found({ order: 'asc' })).toEqual(all.toReversed())
    expect([await found({ number: paid }), await found({ number: paid.slice(0, 8) }), await found({ number: '1' })]).toEqual([
      [paid],
      all,
      [],
    ])
    expect(await found({ providerNumber: `S${paid}` })).toEqual([paid])
    expect(await found({ member: tom.id })).toEqual([toms])
    expect([await found({ provider: 'sandbox' }), await found({ provider: 'alipay' })]).toEqual([all, []])
    for (const state of desk.paymentStates) expect(await found({ state })).toEqual(state === 'paid' ? [toms, paid] : [numbers[state]])
  })

  test('sum up all payments that a filter finds', async () => {
    expect(await totals({})).toEqual({ count: 6, paid: '600.00', refunded: '12.50', disputed: '160.00' })
    expect(await totals({ member: mei.id })).toEqual({ count: 5, paid: '280.00', refunded: '12.50', disputed: '160.00' })
    expect(await totals({ state: 'open' })).toEqual({ count: 1, paid: '0.00', refunded: '0.00', disputed: '0.00' })
    expect(await totals({ until: '1999-01-01' })).toEqual({ count: 0, paid: '0.00', refunded: '0.00', disputed: '0.00' })
  })
})

describe('a payment', () => {
  test('shows its events, refunds and disputes', async () => {
    const its = await hand.call(desk.staffPayment, { number: numbers.refunded })
    expect(its).toMatchObject({
      amount: '80.00',
      refunded: '12.50',
      refundable: '67.50',
      state: 'refunded',
      isOwn: false,
      isWaiting: false,
    })
    expect(its.member).toEqual({ id: mei.id, name: mei.account })
    expect(its.balance).toBe('107.50')
    expect([its.events.length, its.refunds, its.disputes]).toEqual([1, [expect.objectContaining({ amount: '12.50', state: 'done' })], []])
    const other = await hand.call(desk.staffPayment, { number: numbers.disputed })
    expect([other.refundable, other.state, other.disputes]).toEqual([
      '0.00',
      'disputed',
      [expect.objectContaining({ amount: '160.00', state: 'open', paymentNumber: numbers.disputed })],
    ])
    expect((await hand.tryCall(desk.staffPayment, { number: '1'.repeat(20) })).status).toBe(404)
  })
})

describe('refunds, disputes and events', () => {
  test('are listed and summed', async () => {
    const refunds = await hand.call(desk.refundList, { state: 'done', provider: 'sandbox', member: mei.id, number: numbers.refunded })
    expect(refunds.rows).toEqual([expect.objectContaining({ paymentNumber: numbers.refunded, amount: '12.50' })])
    expect(await hand.call(desk.refundTotals, {})).toEqual({ count: 1, asked: '0.00', done: '12.50', failed: '0.00' })
    expect((await hand.call(desk.disputeList, { state: 'open', member: mei.id, provider: 'sandbox' })).rows).toHaveLength(1)
    const events = await hand.call(desk.eventList, { number: numbers.disputed, state: 'done', provider: 'sandbox' })
    expect(events.rows.map(({ kind }) => kind)).toEqual(['dispute', 'paid'])
  })

  test('an event shows its body, without the signature', async () => {
    const payment = await paidIn(forum.database, numbers.paid, { number: '2'.repeat(20), providerNumber: 'S-other' })
    await tell(forum.app, await notification(forum.database, payment))
    await workOff(forum.database)
    const { rows } = await hand.call(desk.eventList, { state: 'suspended', problem: 'unknownOrder' })
    const its = await hand.call(told.staffEvent, { eventId: rows[0]?.id ?? '' })
    expect(its).toMatchObject({
      isKnown: false,
      amount: '40.00',
      ordered: null,
      member: null,
      canCredit: true,
      canReturn: true,
      isWaiting: false,
    })
    expect(JSON.parse(its.body)).toMatchObject({ payment: { providerNumber: 'S-other' } })
    expect(await hand.call(paymentsWaiting, {})).toEqual({ events: 1, disputes: 1, refunds: 0, differences: 0 })
  })
})

/** Another forum, for payments that the lists of this one do not have. */
async function anotherForum(): Promise<{ forum: Forum; hand: Staffer }> {
  const forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
  return { forum, hand: await aStaffer(forum, ['payment.view']) }
}

describe('a provider', () => {
  test('is asked for a payment, and its answer goes through the inbox', async () => {
    const { forum, hand } = await anotherForum()
    const number = (await tops(await forum.member(), '5')).body.number
    expect(await hand.call(desk.askProvider, { number })).toEqual({ state: 'open' })
    await sql`update payment_sandbox set outcome = 'paid', paid_at = now() where number = ${number}`.execute(forum.database.app)
    expect(await hand.call(desk.askProvider, { number })).toEqual({ state: 'paid' })
    await workOff(forum.database)
    expect((await hand.call(desk.staffPayment, { number })).state).toBe('paid')
  })

  test('is shown with its activity of the last day, and its keys are tested', async () => {
    const { providers } = await hand.call(told.providerStates, {})
    expect(providers.map(({ name, isOn, isSetUp }) => [name, isOn, isSetUp])).toEqual([
      ['sandbox', true, true],
      ['alipay', false, false],
      ['wechat', false, false],
      ['stripe', false, false],
    ])
    expect(providers[0]).toMatchObject({ notifyUrl: expect.stringContaining('/hook/payment/sandbox'), endings: [] })
    const keeper = await aStaffer(forum, ['payment.keys'])
    expect(await keeper.call(told.testProvider, { provider: 'sandbox' })).toEqual({ problem: null, detail: null, endings: [] })
    expect(await keeper.call(told.testProvider, { provider: 'stripe' })).toEqual({ problem: 'notSet', detail: null, endings: [] })
  })
})

describe('rights', () => {
  const number = '1'.repeat(20)
  const days = { rows: 0 }
  const [reason, eventId] = ['Asked for it', '1']
  const takes: readonly (readonly [right: string, Endpoint, Record<string, unknown>])[] = [
    ['payment.view', desk.paymentList, {}],
    ['payment.view', desk.paymentTotals, {}],
    ['payment.view', desk.notePaymentExport, days],
    ['payment.view', desk.staffPayment, { number }],
    ['payment.view', desk.askProvider, { number }],
    ['payment.view', desk.refundList, {}],
    ['payment.view', desk.refundTotals, {}],
    ['payment.view', desk.noteRefundExport, days],
    ['payment.view', desk.disputeList, {}],
    ['payment.view', desk.eventList, {}],
    ['payment.view', told.staffEvent, { eventId }],
    ['payment.view', paymentsWaiting, {}],
    ['payment.view', told.providerStates, {}],
    ['payment.refund', desk.refundPayment, { number, amount: '1.00', reason }],
    ['payment.refund', told.creditEvent, { eventId, memberId: '1', reason }],
    ['payment.refund', told.returnEvent, { eventId, reason }],
    ['payment.refund', told.dismissEvent, { eventId, reason }],
    ['payment.keys', told.testProvider, { provider: 'sandbox' }],
  ]

  test('every call of staff takes its own, and no other will do', async () => {
    const all = ['payment.view', 'payment.refund', 'payment.approve', 'payment.reconcile', 'payment.keys']
    const [visitor, stranger] = [mei, await aStaffer(forum, ['wallet.view', 'membership.view', 'member.view'])]
    for (const [right, endpoint, input] of takes) {
      const without = await aStaffer(
        forum,
        all.filter((one) => one !== right),
      )
      for (const who of [stranger, without])
        expect([endpoint.path, (await who.tryCall(endpoint, input, newIdempotencyKey())).status]).toEqual([endpoint.path, 403])
      expect([endpoint.path, (await visitor.tryCall(endpoint, input, newIdempotencyKey())).status]).toEqual([endpoint.path, 401])
      const holder = await aStaffer(forum, [right])
      expect([200, 404, 409]).toContain((await holder.tryCall(endpoint, input, newIdempotencyKey())).status)
    }
  })

  test('an action that moves money or tests keys asks for the password again', async () => {
    await sql`update staff_session set proved_at = now() - interval '11 minutes'`.execute(forum.database.app)
    for (const [right, endpoint, input] of takes.filter(([one]) => one !== 'payment.view')) {
      const holder = await aStaffer(forum, [right])
      await sql`update staff_session set proved_at = now() - interval '11 minutes'`.execute(forum.database.app)
      expect([endpoint.path, (await holder.tryCall(endpoint, input, newIdempotencyKey())).status]).toEqual([endpoint.path, 428])
    }
  })
})

test('queries to a provider and downloads by staff are logged', async () => {
  const [viewer, chief] = [await aStaffer(forum, ['payment.view']), await aStaffer(forum)]
  await viewer.call(desk.askProvider, { number: numbers.open })
  await viewer.call(desk.notePaymentExport, { rows: 3, asked: 'state=paid' })
  await viewer.call(desk.noteRefundExport, { rows: 2 })
  const { rows } = await chief.call(auditLog, { account: viewer.account })
  expect(rows.map(({ action, about }) => [action, about])).toEqual([
    ['payment.refundExport', null],
    ['payment.export', null],
    ['payment.ask', `payment ${numbers.open}`],
  ])
})

test('a body is shown without its signature, and with the decrypted data in place of the encrypted', () => {
  const facts = { number: '1', cents: '500' }
  const form = readableBody(Buffer.from('out_trade_no=1&total_amount=5.00&sign=abc%3D&sign_type=RSA2'), facts)
  expect(form).toBe('out_trade_no=1\ntotal_amount=5.00')
  const resource = { ciphertext: 'zq', nonce: 'zqn', associated_data: 'zqa', algorithm: 'AEAD_AES_256_GCM' }
  const sealed = readableBody(Buffer.from(JSON.stringify({ id: 'e', resource })), facts)
  expect([sealed, JSON.parse(sealed)]).toEqual([expect.not.stringContaining('zq'), { id: 'e', resource: facts }])
  const intent = readableBody(Buffer.from('{"data":{"object":{"id":"pi_1","client_secret":"pi_1_secret"}}}'), facts)
  expect(JSON.parse(intent)).toEqual({ data: { object: { id: 'pi_1' } } })
  expect(readableBody(Buffer.from('x'.repeat(30_000)), facts)).toHaveLength(20_000)
})

test('filters of refunds and events find them by order number', async () => {
  const page = (filter: RawInput<typeof desk.eventList>) =>
    hand.call(desk.eventList, filter).then(({ rows }) => rows.map(({ number }) => number))
  const every = await page({ size: 200 })
  for (const prefix of [numbers.paid, numbers.paid.slice(0, 12), '2', '99'])
    expect(await page({ number: prefix, size: 200 })).toEqual(every.filter((number) => number?.startsWith(prefix)))
  for (const kind of eventKinds) expect((await hand.call(desk.eventList, { kind })).rows.every((row) => row.kind === kind)).toBe(true)
  const refund = (await hand.call(desk.refundList, {})).rows[0]
  for (const number of [String(refund?.number), String(refund?.number).slice(0, 9), numbers.refunded])
    expect((await hand.call(desk.refundList, { number })).rows).toHaveLength(1)
  expect((await hand.call(desk.refundList, { number: '1' })).rows).toEqual([])
  expect((await hand.call(desk.refundTotals, { member: tom.id })).count).toBe(0)
})

test('payments of merged accounts belong to the remaining member', async () => {
  const { forum, hand } = await anotherForum()
  const [from, into] = [await forum.member(), await forum.member()]
  const [before, after] = [await paidTopUp(forum, from, '3'), await paidTopUp(forum, into, '4')]
  await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled', merged_into = ${into.id} where id = ${from.id}`.execute(
    forum.database.app,
  )
  const { rows } = await hand.call(desk.paymentList, { member: into.id })
  expect(rows.map(({ number }) => number)).toEqual([after, before])
  expect(await hand.call(desk.paymentTotals, { member: into.id })).toMatchObject({ count: 2, paid: '7.00' })
})

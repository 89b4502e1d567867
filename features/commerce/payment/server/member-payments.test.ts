import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import * as contract from '#payment/contract.ts'
import { letAsk, notification, paidIn, paidTopUp, tell, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import { queryDue } from '#payment/server/query.ts'
import { settleDispute } from '#payment/server/dispute.ts'
import { refundPayment } from '#payment/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { balance } from '#wallet/log-contract.ts'

let forum: Forum
let url: string
let chief: Staffer
let mei: Person
const open: EventListener[] = []
const reason = 'Asked for it'
const key = () => ({ 'idempotency-key': crypto.randomUUID() })

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
  await forum.database.invalidations.listen(() => undefined)
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  mei = await forum.member()
})
afterEach(async () => {
  for (const one of open.splice(0)) one.close()
  await change({ paymentProviders: ['sandbox'] })
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function listen(as?: Person): Promise<EventListener> {
  const headers: Record<string, string> = as?.pair ? { authorization: `Bearer ${as.pair.accessToken},${as.pair.refreshToken}` } : {}
  const listener = await eventListener((how) => fetch(`${url}/api/user/control/payment/news`, how), headers)
  open.push(listener)
  return listener
}

const latest = (listener: EventListener) => (JSON.parse(listener.events().at(-1)?.data ?? '{}') as { ended?: string[] }).ended
const paymentOf = (number: string, who = mei) => who.call(contract.payment, { number })
const begun = async (amount: string) => (await tops(mei, amount)).body.number

test('a waiting member hears with the commit that a payment was paid, cancelled or closed, and no one else does', async () => {
  const tom = await forum.member()
  const [one, two, other] = [await listen(mei), await listen(mei), await listen(tom)]
  for (const listener of open) await expect.poll(() => latest(listener)).toEqual([])
  const paid = await begun('5')
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, paid)))
  await workOff(forum.database)
  for (const listener of [one, two]) await expect.poll(() => latest(listener)).toEqual([paid])
  const cancelled = await begun('6')
  await mei.call(contract.cancelPayment, { number: cancelled })
  await expect.poll(() => latest(one)).toEqual([cancelled, paid])
  const over = await begun('7')
  await letAsk(forum.database, over, true)
  await expect.poll(() => latest(two)).toEqual([over, cancelled, paid])
  // A cancelled payment that is paid later is announced again.
  await tell(forum.app, await notification(forum.database, await paidIn(forum.database, over)))
  await workOff(forum.database)
  await expect.poll(() => latest(one)).toEqual([over, cancelled, paid])
  expect((await paymentOf(over)).state).toBe('paid')
  await expect.poll(() => one.events().length).toBe(5)
  expect(other.events()).toHaveLength(1)
  expect((await listen()).status).toBe(401)
})

test('payments are listed newest first, a page at a time, with those of merged accounts', async () => {
  const numbers = [await begun('1')]
  await letAsk(forum.database, numbers[0] ?? '', true)
  await sql`insert into payment_order (number, member_id, provider, method, cents, state, closed_at, expires_at)
    select '20260101' || lpad((member_id + place)::text, 12, '0'), member_id, provider, method, 100 * place, 'closed', now(), now()
    from payment_order, generate_series(2, 45) as place where number = ${numbers[0]}`.execute(forum.database.app)
  const old = await forum.member()
  const before = await paidTopUp(forum, old, '9.90')
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: mei.account, reason })
  const seen: contract.PaymentView[] = []
  for (let next: string | null | undefined; next !== null;) {
    const page = await mei.call(contract.paymentList, next ? { before: next } : {})
    expect(page.rows.length).toBeLessThanOrEqual(20)
    seen.push(...page.rows)
    next = page.next
  }
  expect(seen.map(({ amount }) => amount)).toEqual(['9.90', ...Array.from({ length: 45 }, (_, at) => `${45 - at}.00`)])
  expect(seen[0]).toMatchObject({ number: before, state: 'paid' })
  const tom = await forum.member()
  expect(await tom.call(contract.paymentList, { before })).toEqual({ rows: [], next: null })
  expect((await tom.tryCall(contract.payment, { number: before })).status).toBe(404)
  expect((await forum.visitor().tryCall(contract.paymentList, {})).status).toBe(401)
})

test('a payment shows its refunds, and the entries of the balance link to it', async () => {
  const number = await paidTopUp(forum, mei, '30')
  await chief.call(refundPayment, { number, amount: '10', reason }, key())
  expect((await paymentOf(number)).refunds).toMatchObject([{ amount: '10.00', state: 'asked', endedAt: null }])
  await workOff(forum.database)
  const { id } = await forum.database.app.selectFrom('payment_order').select('id').where('number', '=', number).executeTakeFirstOrThrow()
  const dispute = (state: 'open' | 'won') =>
    transact(forum.database, (tx) =>
      settleDispute(
        tx,
        { id, member_id: mei.id, provider: 'sandbox' },
        {
          number,
          providerNumber: 'D1:2',
          cents: '500',
          state,
          reason,
        },
      ),
    )
  await dispute('open')
  expect(await paymentOf(number)).toMatchObject({
    state: 'paid',
    refunds: [{ amount: '10.00', state: 'done', endedAt: expect.any(String) }],
    disputes: [{ amount: '5.00', state: 'open', endedAt: null }],
  })
  await dispute('won')
  expect((await paymentOf(number)).disputes).toMatchObject([{ state: 'won' }])
  const { log } = await mei.call(balance, {})
  expect(log.rows.map(({ kind, paymentNumber }) => [kind, paymentNumber])).toEqual([
    ['chargebackWon', number],
    ['chargeback', number],
    ['topUpRefund', number],
    ['topUp', number],
  ])
})

test('a payment whose provider was switched off says so, has no link, and can be cancelled', async () => {
  const number = await begun('8')
  expect(await paymentOf(number)).toMatchObject({ isOff: false, start: { go: 'page' } })
  await change({ paymentProviders: ['stripe'] })
  expect(await paymentOf(number)).toMatchObject({ state: 'open', isOff: true, start: null })
  expect((await mei.call(contract.paymentForm, {})).open).toMatchObject([{ number, isOff: true }])
  await mei.call(contract.cancelPayment, { number })
  expect(await paymentOf(number)).toMatchObject({ state: 'closed', isOff: false })
  await queryDue(forum.database)
})

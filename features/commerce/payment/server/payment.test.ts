import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import * as contract from '#payment/contract.ts'
import { sandboxCode } from '#payment/server/sandbox-code.ts'
import { atMachine, letAsk, notification, paidIn, tops, withSandbox, workOff } from '#payment/testing/factories.ts'
import type { Payment } from '#payment/server/providers/provider.ts'
import { queryDue } from '#payment/server/query.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { aStaffer } from '#staff/testing/factories.ts'

let forum: Forum
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, { maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
})
beforeEach(async () => {
  mei = atMachine(await forum.member())
})

const has = async (who = mei) => (await who.call(balance, {})).account.balance
const stateOf = async (number: string) => (await mei.call(contract.payment, { number })).state
const send = ({ headers, body }: { headers: Record<string, unknown>; body: Buffer }) =>
  forum.app.inject({
    method: 'POST',
    url: '/hook/payment/sandbox',
    headers: { 'content-type': 'application/json', ...headers } as never,
    payload: body,
  })

async function begun(amount = '12.50'): Promise<string> {
  const { status, body } = await tops(mei, amount)
  expect([status, body.state, body.start?.go], JSON.stringify(body)).toEqual([200, 'open', 'page'])
  return body.number
}

/** Sends a notification that differs from the order, and returns the result. */
async function notify(number: string, other: Partial<Payment> = {}): Promise<{ status: number; problem: string | null }> {
  const { statusCode } = await send(await notification(forum.database, await paidIn(forum.database, number, other)))
  await workOff(forum.database)
  const row = await forum.database.app.selectFrom('payment_event').select('problem').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { status: statusCode, problem: row?.problem ?? null }
}

test('a payment is credited once its provider confirms it, and not when the payer returns', async () => {
  const number = await begun()
  expect([await has(), await stateOf(number)]).toEqual(['0.00', 'open'])
  await mei.call(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() })
  await workOff(forum.database)
  expect([await has(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  const { log } = await mei.call(balance, {})
  expect(log.rows).toMatchObject([{ kind: 'topUp', amount: '12.50', paymentNumber: number }])
})

describe('a notification of a provider', () => {
  test('a thousand times credits once, and each is answered', async () => {
    const number = await begun()
    const call = await notification(forum.database, await paidIn(forum.database, number))
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(call)))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(new Set(['200 success']))
    await Promise.all([workOff(forum.database), workOff(forum.database)])
    expect(await has()).toBe('12.50')
  })

  test('is refused if it is forged, changed, or signed too long ago', async () => {
    const number = await begun()
    const payment = await paidIn(forum.database, number)
    const { headers, body } = await notification(forum.database, payment)
    const old = await notification(forum.database, payment, Date.now() - 6 * 60_000)
    const changed = Buffer.from(body.toString().replace('1250', '9250'))
    for (const call of [
      { headers: {}, body },
      { headers: { 'x-sandbox-signature': 'f'.repeat(64) }, body },
      { headers, body: changed },
      old,
      { headers, body: Buffer.from('{') },
    ])
      expect((await send(call)).statusCode).toBe(400)
    await workOff(forum.database)
    expect([await has(), await stateOf(number)]).toEqual(['0.00', 'open'])
    expect((await forum.app.inject({ method: 'POST', url: '/hook/payment/nobody', payload: '' })).statusCode).toBe(404)
  })

  test.each([
    ['another amount', { cents: 1_249n }, 'otherAmount'],
    ['another currency', { currency: 'USD' }, 'otherCurrency'],
    ['another seller', { seller: 'somebody' }, 'otherSeller'],
    ['another app', { app: 'other' }, 'otherApp'],
    ['an order that there is none of', { number: '20261127000000000000' }, 'unknownOrder'],
  ])('of %s credits nothing, and waits for staff', async (_, other, problem) => {
    const number = await begun()
    expect(await notify(number, other)).toEqual({ status: 200, problem })
    expect([await has(), await stateOf(number)]).toEqual(['0.00', 'open'])
  })

  test('of a second payment for one order waits for staff', async () => {
    const number = await begun()
    expect((await notify(number)).problem).toBeNull()
    const second = await paidIn(forum.database, number, { providerNumber: 'S2' })
    const { headers, body } = await notification(forum.database, second)
    // With an event number of its own, as a second payment has.
    const renamed = Buffer.from(body.toString().replace(`paid:${number}`, `again:${number}`))
    expect((await send({ headers, body: renamed })).statusCode).toBe(400)
    expect(await has()).toBe('12.50')
  })

  test('while the books are frozen waits, and is credited after the thaw', async () => {
    const number = await begun()
    const chief = await aStaffer(forum)
    await chief.call(freezeBooks, { reason: 'A look' })
    expect((await notify(number)).problem).toBeNull()
    expect([await has(), await stateOf(number)]).toEqual(['0.00', 'open'])
    await chief.call(thawBooks, { reason: 'Done' })
    await workOff(forum.database)
    expect([await has(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })

  test('of a payment whose order was closed before is credited all the same', async () => {
    const number = await begun()
    await mei.call(contract.cancelPayment, { number })
    expect(await stateOf(number)).toBe('closed')
    expect((await notify(number)).problem).toBeNull()
    expect([await has(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })

  test('of a member who left waits for staff', async () => {
    const number = await begun()
    await sql`update member set deactivated_at = now(), deactivated_as = 'disabled' where id = ${mei.id}`.execute(forum.database.app)
    expect((await notify(number)).problem).toBe('memberGone')
  })
})

describe('a payment without a notification', () => {
  test('is asked for', async () => {
    const number = await begun()
    await mei.call(contract.paySandbox, { number, outcome: 'late', code: sandboxCode() })
    await workOff(forum.database)
    expect(await stateOf(number)).toBe('open')
    await letAsk(forum.database, number)
    expect([await has(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })

  test('is asked for at once if its member cancels after paying', async () => {
    const number = await begun()
    await mei.call(contract.paySandbox, { number, outcome: 'late', code: sandboxCode() })
    expect(await mei.isRefused(contract.cancelPayment, { number }, contract.PaidAlready)).toBe(true)
    await queryDue(forum.database)
    await workOff(forum.database)
    expect([await has(), await stateOf(number)]).toEqual(['12.50', 'paid'])
  })

  test('ends when its time is over, and cannot be paid then', async () => {
    const number = await begun()
    await letAsk(forum.database, number)
    expect(await stateOf(number)).toBe('open')
    await letAsk(forum.database, number, true)
    expect(await stateOf(number)).toBe('closed')
    expect((await mei.tryCall(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() })).status).toBe(409)
  })
})

describe('a form', () => {
  test.each(['0', '-1', '0.001', '1e3', '1,000', '１，２', '+1', '1 1', '0x10', 'NaN', 'Infinity', '', '9999999999999', '1.1.1', '三'])(
    'takes %j for no amount',
    async (amount) => {
      const { status, error } = await tops(mei, amount)
      expect([status, Object.keys(error ?? {})]).toEqual([422, ['amount']])
    },
  )

  test('keeps the limits of the site, per payment and per day, and counts open payments', async () => {
    await withSandbox(forum, { minTopUpCents: 500, maxTopUpCents: 10_000, maxTopUpCentsPerDay: 15_000 })
    for (const amount of ['4.99', '100.01']) expect((await tops(mei, amount)).error).toHaveProperty('amount')
    await begun('100')
    expect((await tops(mei, '50.01')).error).toHaveProperty('amount')
    const number = await begun('50')
    await mei.call(contract.cancelPayment, { number })
    await begun('50')
    await withSandbox(forum, { minTopUpCents: 100, maxTopUpCents: 500_000, maxTopUpCentsPerDay: 99_999_999 })
  })

  test('offers the amounts that one may pay at once, and the ways of the device', async () => {
    await withSandbox(forum, { topUpAmounts: ['1', '10', '30', '500'], minTopUpCents: 500, maxTopUpCents: 10_000 })
    const offered = (device: { isPhone: boolean }) => mei.call(contract.paymentForm, device)
    expect(await offered({ isPhone: false })).toMatchObject({ amounts: ['10', '30'], ways: [{ method: 'page' }, { method: 'qr' }] })
    expect((await offered({ isPhone: true })).ways).toEqual([{ provider: 'sandbox', method: 'page' }])
    const { number, start } = (await tops(mei, '10', { method: 'qr' })).body
    expect(start).toEqual({ go: 'qr', to: expect.stringMatching(new RegExp(`^http://.+/payment/sandbox\\?number=${number}$`)) })
    await withSandbox(forum, { minTopUpCents: 100, maxTopUpCents: 500_000 })
  })

  test('is missing on a site without a balance', async () => {
    await withSandbox(forum, { allowCash: false })
    expect((await mei.tryCall(contract.paymentForm, {})).status).toBe(404)
    expect((await tops(mei, '5')).status).toBe(422)
    await withSandbox(forum)
  })

  test('leads nowhere but on this site', async () => {
    for (const returnTo of ['https://e.example', '//e.example', '/\\e', '/.//e.example', 'javascript:alert(1)', 'index', '/login'])
      expect((await tops(mei, '5', { returnTo })).status).toBe(422)
    expect((await tops(mei, '5', { returnTo: '/membershipCard?membershipCardId=1' })).body.returnTo).toBe(
      '/membershipCard?membershipCardId=1',
    )
  })

  test('of a merged member is credited to their new account, which has its receipt', async () => {
    const tom = await forum.member()
    const { number } = (await tops(tom, '12.50')).body
    const chief = await aStaffer(forum)
    await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: mei.account, reason: 'One person' })
    expect((await notify(number)).problem).toBeNull()
    const { log } = await mei.call(balance, {})
    expect([await has(), log.rows[0]?.paymentNumber, await stateOf(number)]).toEqual(['12.50', number, 'paid'])
  })

  test('shows no payments of another member', async () => {
    const number = await begun()
    const tom = await forum.member()
    expect((await tom.tryCall(contract.payment, { number })).status).toBe(404)
    expect((await tom.tryCall(contract.cancelPayment, { number })).status).toBe(404)
    expect((await tom.tryCall(contract.paySandbox, { number, outcome: 'paid', code: sandboxCode() })).status).toBe(404)
    expect((await forum.visitor().tryCall(contract.paymentForm, {})).status).toBe(401)
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

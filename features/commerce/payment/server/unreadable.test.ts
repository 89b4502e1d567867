import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { NotSuspended } from '#payment/contract.ts'
import { readEventAgain, staffEvent } from '#payment/event-contract.ts'
import { paymentsWaiting } from '#reconciliation/contract.ts'
import { eventList } from '#payment/staff-contract.ts'
import { health } from '#payment/server/payment.ts'
import { setStandIns } from '#payment/server/providers.ts'
import { AlipayStandIn } from '#payment/testing/alipay.ts'
import { eventOf, key, signatureOf, stripeStandIn, webhookSecret, type StripeStandIn } from '#payment/testing/stripe.ts'
import { aWechat, type Wechat } from '#payment/testing/wechat.ts'
import { sendTo, turnOn } from '#payment/testing/wechat-forum.ts'
import { notification, paidIn, paidTopUp, tell, withSandbox, workOff } from '#payment/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let stripe: StripeStandIn
let alipay: AlipayStandIn
let wechat: Wechat

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  ;[stripe, alipay, wechat] = [await stripeStandIn(), await new AlipayStandIn().open(), await aWechat()]
  const { appId: alipayAppId, sellerId: alipaySellerId, publicKey: alipayPublicKey } = alipay.keys
  await transact(forum.database, async (tx) => {
    await turnOn(tx, wechat)
    await setting.changeSealed(tx, 'alipayKey', alipay.keys.key, 'test')
    await setting.changeSealed(tx, 'stripeKey', key, 'test')
    await setting.changeSealed(tx, 'stripeWebhookSecret', webhookSecret, 'test')
  })
  await withSandbox(forum, { alipayAppId, alipaySellerId, alipayPublicKey, maxTopUpCentsPerDay: 99_999_999 })
  setStandIns({ stripe: stripe.address, alipay: alipay.url, wechat: wechat.address })
  ;[chief, mei] = [await aStaffer(forum), await forum.member()]
})
afterAll(async () => {
  setStandIns({})
  await Promise.all([stripe.close(), alipay.close(), wechat.close()])
})

const suspended = async () => (await chief.call(paymentsWaiting, {})).events
const kept = async () => (await chief.call(eventList, { problem: 'unreadable' })).rows
const sendStripe = async (payload: string) =>
  (
    await forum.app.inject({
      method: 'POST',
      url: '/hook/payment/stripe',
      headers: { 'content-type': 'application/json', 'stripe-signature': signatureOf(payload) },
      payload,
    })
  ).statusCode
const sendAlipay = async (form: string) =>
  (
    await forum.app.inject({
      method: 'POST',
      url: '/hook/payment/alipay',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      payload: form,
    })
  ).body

const completed = 'checkout.session.completed'
const session = {
  id: 'cs_1',
  payment_status: 'paid',
  amount_total: 100,
  currency: 'cny',
  created: 1,
  payment_intent: 'pi_1',
  client_reference_id: '20261128000000000001',
}

test.each([
  ['that is cut off', '{'],
  ['of another shape', '[]'],
  ['that is empty', 'null'],
  ['without its fields', '{}'],
  ['without its object', eventOf(completed, null)],
  ['with a NUL in a field', eventOf(completed, { ...session, payment_intent: 'pi_\0' })],
  ['with half a letter in a field', eventOf(completed, { ...session, payment_intent: 'pi_\ud800' })],
  ['with a number longer than an index takes', eventOf(completed, { ...session, payment_intent: 'p'.repeat(9_000) })],
  ['with a NUL in its own number', eventOf(completed, session, { id: 'evt_\0' })],
  ['of a time that no calendar has', eventOf(completed, session, { created: 8_640_000_000_001 })],
  ['of a new kind of notification', JSON.stringify({ object: 'v2.core.event', id: 'evt_thin', type: 'v1.billing' })],
])('a rightly signed message of Stripe %s is kept as it came, once, and counted', async (_, payload) => {
  const before = await suspended()
  for (let time = 0; time < 3; time++) expect(await sendStripe(payload)).toBe(200)
  await workOff(forum.database)
  expect(await suspended()).toBe(before + 1)
  const [event] = await kept()
  expect(event).toMatchObject({ provider: 'stripe', kind: 'other', state: 'suspended', problem: 'unreadable', number: null })
  const { body, canBook, canCredit } = await chief.call(staffEvent, { eventId: event?.id ?? '' })
  expect([body.length > 0, canBook, canCredit]).toEqual([true, false, false])
})

/** A signed message as an earlier version kept it, which could not read it. */
async function keptBefore(payload: string, signature = signatureOf(payload)): Promise<string> {
  const { id } = await forum.database.app
    .insertInto('payment_event')
    .values({
      provider: 'stripe',
      event_id: `unreadable:${payload.slice(0, 40)}`,
      headers: JSON.stringify({ 'stripe-signature': signature }),
      body: Buffer.from(payload),
      kind: 'other',
      facts: JSON.stringify({ number: null }),
      state: 'suspended',
      problem: 'unreadable',
      handled_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a message that this version can read goes the ordinary way once it is read again, and once in all', async () => {
  const number = '20261128000000000009'
  const payload = eventOf(completed, { ...session, client_reference_id: number, created: Math.floor(Date.now() / 1000) })
  const eventId = await keptBefore(payload)
  const viewer = await aStaffer(forum, ['payment.view'])
  expect((await viewer.tryCall(readEventAgain, { eventId })).status).toBe(403)
  expect((await chief.call(staffEvent, { eventId })).canReadAgain).toBe(true)
  const both = await Promise.all([1, 2].map(() => chief.tryCall(readEventAgain, { eventId })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, NotSuspended.status])
  expect(await sendStripe(payload)).toBe(200)
  await workOff(forum.database)
  const { rows } = await chief.call(eventList, { number })
  expect(rows.map(({ kind, amount, problem }) => [kind, amount, problem])).toEqual([['paid', '1.00', 'unknownOrder']])
  const { state, problem, handledBy, canReadAgain } = await chief.call(staffEvent, { eventId })
  expect([state, problem, handledBy, canReadAgain]).toEqual(['done', null, chief.account, false])
  const [entry] = (await chief.call(auditLog, { about: `paymentEvent ${eventId}` })).rows
  expect(entry).toMatchObject({ action: 'payment.readAgain', after: { outcome: 'read' } })
})

test('a message that this version cannot read either, or whose signature no longer fits a key, still waits', async () => {
  const unfit = eventOf(completed, { ...session, client_reference_id: '20261128000000000010' })
  for (const [eventId, outcome] of [
    [await keptBefore('{"a":'), 'unreadable'],
    [await keptBefore(eventOf(completed, { ...session, payment_intent: 'pi_\0' })), 'unreadable'],
    [await keptBefore(unfit, signatureOf(unfit, { secret: 'whsec_somebodyElses0000' })), 'notVerified'],
  ] as const) {
    expect(await chief.call(readEventAgain, { eventId })).toEqual({ outcome })
    expect(await chief.call(staffEvent, { eventId })).toMatchObject({ state: 'suspended', problem: 'unreadable', canReadAgain: true })
  }
})

test('a forged message is kept nowhere', async () => {
  const before = await suspended()
  const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf('{', { secret: 'whsec_somebodyElses0000' }) }
  const { statusCode } = await forum.app.inject({ method: 'POST', url: '/hook/payment/stripe', headers, payload: '{' })
  expect([statusCode, await suspended()]).toEqual([400, before])
})

test('a rightly signed message of Alipay with a time, an amount or a number that is none is kept', async () => {
  const before = await suspended()
  const number = '20261128000000000002'
  for (const [name, value] of [
    ['notify_time', 'yesterday'],
    ['total_amount', '1e3'],
    ['notify_id', 'not one'],
    ['trade_no', 'n\0'],
  ] as const)
    expect(await sendAlipay(alipay.notification(number, { [name]: value })), name).toBe('success')
  expect(await suspended()).toBe(before + 4)
})

test('a rightly signed message of WeChat Pay in another algorithm is kept; one that our key does not open is kept and comes again', async () => {
  const before = await suspended()
  const { headers, body } = wechat.notification({ out_trade_no: '1' })
  const renamed = Buffer.from(body.toString().replace('AEAD_AES_256_GCM', 'SM4_GCM'))
  expect(await sendTo(forum, { headers: { ...headers }, body: renamed })).toEqual([401, 'FAIL'])
  expect(await sendTo(forum, wechat.signedAsIs(renamed))).toEqual([200, 'SUCCESS'])
  expect(await suspended()).toBe(before + 1)
  const sealed = wechat.notification({ out_trade_no: '1' }, { v3Key: 'f'.repeat(32), id: 'sealed-by-another' })
  for (let time = 0; time < 2; time++) expect(await sendTo(forum, sealed)).toEqual([401, 'FAIL'])
  expect(await suspended()).toBe(before + 2)
})

test('a message that cannot be read holds up no other', async () => {
  const secret = await secretOf(forum.database.app, 'payment sandbox')
  const body = Buffer.from('{"id":"x","at":"today"}')
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  expect(await tell(forum.app, { headers: { 'x-sandbox-signature': signature }, body })).toBe(200)
  const number = await paidTopUp(forum, mei, '30.00')
  expect((await health(forum.database.app)).find(({ name }) => name === 'sandbox')).toMatchObject({ suspended: 1, unreadable: 1 })
  const late = await notification(forum.database, await paidIn(forum.database, number))
  expect(await tell(forum.app, late)).toBe(200)
})

test('an address for notifications is no page of the site, for any method', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
    const { statusCode, headers, body } = await forum.app.inject({ method, url: '/hook/payment/stripe', headers: { accept: 'text/html' } })
    expect([statusCode, headers.allow, body.includes('<')]).toEqual([405, 'POST', false])
  }
  for (const url of ['/hook/nothing', '/hook/payment', '/hook/other/stripe'])
    expect((await forum.app.inject({ url })).statusCode, url).toBe(404)
})

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#payment/contract.ts'
import { letAsk, tops, workOff } from '#payment/testing/factories.ts'
import { aWechat, type Message, type Wechat } from '#payment/testing/wechat.ts'
import { sendTo, withWechat } from '#payment/testing/wechat-forum.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

let forum: Forum
let mei: Person
let desk: Wechat

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
})
beforeEach(async () => {
  mei = await forum.member()
  desk = await aWechat()
  await withWechat(forum, desk)
  return desk.close
})
const success = [200, 'SUCCESS']
const refused = [401, 'FAIL']
const has = async () => (await mei.call(balance, {})).account.balance
const stateOf = async (number: string) => (await mei.call(contract.payment, { number })).state

async function begun(method: contract.PaymentMethod = 'qr', amount = '12.50') {
  const { status, body } = await tops(mei, amount, { provider: 'wechat', method })
  expect([status, body.state], JSON.stringify(body)).toEqual([200, 'open'])
  return { number: body.number, start: body.start ?? { go: 'none', to: '' } }
}

/** Sends a notification of WeChat Pay, and returns the response, the balance and the problem. */
async function notify(message: Message): Promise<{ answer: unknown; has: string; problem: string | null }> {
  const answer = await sendTo(forum, message)
  await workOff(forum.database)
  const row = await forum.database.app.selectFrom('payment_event').select('problem').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return { answer, has: await has(), problem: row?.problem ?? null }
}

describe('a payment', () => {
  test('by a QR code for WeChat is credited once WeChat Pay confirms it', async () => {
    const { number, start } = await begun()
    expect(start).toEqual({ go: 'qr', to: `weixin://wxpay/bizpayurl?pr=${number}` })
    expect(desk.world.orders.get(number)).toMatchObject({ total: 1_250, trade_state: 'NOTPAY' })
    expect(await notify(desk.notification(desk.pay(number)))).toEqual({ answer: success, has: '12.50', problem: null })
    const row = await forum.database.app.selectFrom('payment_order').selectAll().where('number', '=', number).executeTakeFirstOrThrow()
    expect([row.provider_number, row.taken_at]).toEqual([`42000${number}`, new Date(desk.world.orders.get(number)?.success_time ?? '')])
  })

  test('on a phone goes to WeChat, which leads back here', async () => {
    const { number, start } = await begun('phone')
    const back = new URL(start.to).searchParams.get('redirect_url')
    expect([start.go, new URL(start.to).host, new URL(back ?? '').pathname]).toEqual([
      'page',
      'wx.tenpay.com',
      `/paymentCompleted/wechat/topUp/${number}`,
    ])
    expect((await notify(desk.notification(desk.pay(number)))).has).toBe('12.50')
  })

  test('inside WeChat asks for the payer, and is signed for its browser', async () => {
    const { number, start } = await begun('inApp')
    const authorizeUrl = new URL(start.to)
    expect([authorizeUrl.pathname, authorizeUrl.searchParams.get('scope'), authorizeUrl.hash]).toEqual([
      '/connect/oauth2/authorize',
      'snsapi_base',
      '#wechat_redirect',
    ])
    expect(new URL(authorizeUrl.searchParams.get('redirect_uri') ?? '').pathname).toBe('/payment/wechat')
    expect(desk.world.orders.size).toBe(0)
    const input = { number, code: desk.codeOf('o-mei'), state: authorizeUrl.searchParams.get('state') ?? '' }
    const payParams = await mei.call(contract.continueInWeChat, input)
    expect(payParams).toMatchObject({ appId: desk.keys.appId, package: `prepay_id=wx${number}`, signType: 'RSA' })
    const lines = `${payParams.appId}\n${payParams.timeStamp}\n${payParams.nonceStr}\n${payParams.package}\n`
    expect(desk.isMerchants(lines, payParams.paySign)).toBe(true)
    expect(desk.world.orders.get(number)).toMatchObject({ openid: 'o-mei', total: 1_250 })
    expect((await notify(desk.notification(desk.pay(number)))).has).toBe('12.50')
    expect(await mei.isRefused(contract.continueInWeChat, { ...input, code: desk.codeOf('o-mei') }, contract.NotOpen)).toBe(true)
  })

  test('inside WeChat goes on for its member alone, with a code that is new and was asked for by it', async () => {
    const { number, start } = await begun('inApp')
    const state = new URL(start.to).searchParams.get('state') ?? ''
    const other = new URL((await begun('inApp')).start.to).searchParams.get('state') ?? ''
    const code = desk.codeOf('o-mei')
    const tom = await forum.member()
    expect((await tom.tryCall(contract.continueInWeChat, { number, code, state })).status).toBe(404)
    expect((await forum.visitor().tryCall(contract.continueInWeChat, { number, code, state })).status).toBe(401)
    for (const wrong of [{ state: other }, { state: 'x' }, { code: 'never-given' }])
      expect(await mei.isRefused(contract.continueInWeChat, { number, code, state, ...wrong }, contract.PayerUnknown)).toBe(true)
    await mei.call(contract.continueInWeChat, { number, code, state })
    expect(await mei.isRefused(contract.continueInWeChat, { number, code, state }, contract.PayerUnknown)).toBe(true)
    const { number: scanned } = await begun()
    expect((await mei.tryCall(contract.continueInWeChat, { number: scanned, code, state })).status).toBe(404)
  })

  test('inside WeChat is offered only if its account has a secret', async () => {
    const offered = async () => (await mei.call(contract.paymentForm, { isPhone: true, isInWeChat: true })).ways
    expect(await offered()).toEqual([{ provider: 'wechat', method: 'inApp' }])
    await withWechat(forum, desk, { appSecret: '' })
    expect(await offered()).toEqual([])
    expect((await tops(mei, '5', { provider: 'wechat', method: 'inApp' })).error).toHaveProperty('way')
    expect((await mei.call(contract.paymentForm, {})).ways).toEqual([{ provider: 'wechat', method: 'qr' }])
  })

  test('that was never told of is found when WeChat Pay is asked, also after it was refunded there', async () => {
    const { number } = await begun()
    desk.pay(number)
    await letAsk(forum.database, number)
    expect([await has(), await stateOf(number)]).toEqual(['12.50', 'paid'])
    const { number: refunded } = await begun()
    desk.pay(refunded)
    Object.assign(desk.world.orders.get(refunded) ?? {}, { trade_state: 'REFUND' })
    await letAsk(forum.database, refunded)
    expect([await has(), await stateOf(refunded)]).toEqual(['25.00', 'paid'])
  })

  test('ends with its time, and cannot be paid then', async () => {
    const { number } = await begun()
    await letAsk(forum.database, number)
    expect(await stateOf(number)).toBe('open')
    await letAsk(forum.database, number, true)
    expect([await stateOf(number), desk.world.orders.get(number)?.trade_state]).toEqual(['closed', 'CLOSED'])
    const inside = await begun('inApp')
    await letAsk(forum.database, inside.number, true)
    expect(await stateOf(inside.number)).toBe('closed')
  })

  test('is cancelled with WeChat Pay, unless it was paid a moment before', async () => {
    const { number } = await begun()
    await mei.call(contract.cancelPayment, { number })
    expect([await stateOf(number), desk.world.orders.get(number)?.trade_state]).toEqual(['closed', 'CLOSED'])
    const { number: late } = await begun()
    desk.pay(late)
    expect(await mei.isRefused(contract.cancelPayment, { number: late }, contract.PaidAlready)).toBe(true)
    await letAsk(forum.database, late)
    expect(await has()).toBe('12.50')
  })
})

describe('a notification', () => {
  test('is refused if it is forged, changed, too old, or encrypted with another key', async () => {
    const { number } = await begun()
    const facts = desk.pay(number)
    const { headers, body } = desk.notification(facts)
    const { impostor } = desk.today
    const changed = Buffer.from(body)
    changed[changed.length - 5] = (changed.at(-5) ?? 0) ^ 1
    const probe = { ...headers, 'wechatpay-signature': `WECHATPAY/SIGNTEST/${headers['wechatpay-signature']}` }
    const sealedByAnother = desk.notification(facts, { v3Key: 'f'.repeat(32) })
    for (const message of [
      { headers: {}, body },
      { headers: probe, body },
      { headers, body: changed },
      { headers, body: Buffer.from('{') },
      { headers, body: Buffer.alloc(0) },
      { headers: { ...headers, 'wechatpay-nonce': 'another' }, body },
      desk.notification(facts, { by: impostor }),
      desk.notification(facts, { by: { ...impostor, serial: headers['wechatpay-serial'] ?? '' } }),
      desk.notification(facts, { at: Date.now() - 6 * 60_000 }),
      desk.notification(facts, { at: Date.now() + 6 * 60_000 }),
      sealedByAnother,
    ])
      expect(await sendTo(forum, message)).toEqual(refused)
    await workOff(forum.database)
    expect([await has(), await stateOf(number)]).toEqual(['0.00', 'open'])
  })

  test('is refused while our APIv3 key is wrong, and accepted when it is corrected', async () => {
    const { number } = await begun()
    const message = desk.notification(desk.pay(number))
    await withWechat(forum, desk, { v3Key: 'f'.repeat(32) })
    expect(await sendTo(forum, message)).toEqual(refused)
    await withWechat(forum, desk)
    expect((await notify(message)).has).toBe('12.50')
  })

  test('credits once, however often it arrives, also as another event', async () => {
    const { number } = await begun()
    const message = desk.notification(desk.pay(number))
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendTo(forum, message)))
    expect(new Set(answers.map(String))).toEqual(new Set([String(success)]))
    await Promise.all([workOff(forum.database), workOff(forum.database)])
    expect(await notify(desk.notification(desk.facts(number)))).toEqual({ answer: success, has: '12.50', problem: null })
    const second = desk.notification({ ...desk.facts(number), transaction_id: '42000999' })
    expect(await notify(second)).toEqual({ answer: success, has: '12.50', problem: 'paidTwice' })
  })

  test.each([
    ['another amount', { amount: { total: 1_249, currency: 'CNY' } }, 'otherAmount'],
    ['another currency', { amount: { total: 1_250, currency: 'USD' } }, 'otherCurrency'],
    ['another merchant', { mchid: '1900000110' }, 'otherSeller'],
    ['another app', { appid: 'wx8888888888888889' }, 'otherApp'],
    ['an order that there is none of', { out_trade_no: '20261127000000000000' }, 'unknownOrder'],
  ])('of %s credits nothing, and waits for staff', async (_, other, problem) => {
    const { number } = await begun()
    expect(await notify(desk.notification({ ...desk.pay(number), ...other }))).toEqual({ answer: success, has: '0.00', problem })
    expect(await stateOf(number)).toBe('open')
  })

  test('that names no whole amount credits nothing, and is kept for staff', async () => {
    const { number } = await begun()
    for (const total of [12.5, '1250', null, 2 ** 60]) {
      const unclear = desk.notification({ ...desk.pay(number), amount: { total, currency: 'CNY' } })
      expect(await notify(unclear)).toEqual({ answer: success, has: '0.00', problem: 'unreadable' })
    }
  })

  test('that names no currency is in yuan', async () => {
    const { number } = await begun()
    const { answer, has: now } = await notify(desk.notification({ ...desk.pay(number), amount: { total: 1_250 } }))
    expect([answer, now]).toEqual([success, '12.50'])
  })

  test('of a payment that came after its order was closed is credited', async () => {
    const { number } = await begun()
    await mei.call(contract.cancelPayment, { number })
    expect(await notify(desk.notification(desk.pay(number)))).toEqual({ answer: success, has: '12.50', problem: null })
  })

  test('of something else changes nothing', async () => {
    const { number } = await begun()
    const facts = { ...desk.pay(number), trade_state: 'NOTPAY' }
    expect(await notify(desk.notification(facts))).toEqual({ answer: success, has: '0.00', problem: null })
    expect(await notify(desk.notification({ complaint_id: '1' }, { type: 'COMPLAINT.CREATE' }))).toMatchObject({
      answer: success,
      has: '0.00',
    })
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})

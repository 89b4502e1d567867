import { createPublicKey } from 'node:crypto'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { alipay, type AlipayKeys } from '#payment/server/providers/alipay.ts'
import { AlipayStandIn, aPair } from '#payment/testing/alipay.ts'

const placed = { session: null, at: new Date() }

const there = await new AlipayStandIn().open()
afterAll(there.close)
const us = (keys: Partial<AlipayKeys> = {}, desk = there.url) => alipay({ ...there.keys, ...keys }, desk)
const own = there.signsBy

afterEach(() => {
  there.tamper = (answer) => answer
  there.signsBy = own
})

const order = {
  cents: 1_250n,
  method: 'qr' as const,
  title: '茶馆',
  expiresAt: new Date(Date.now() + 3_600_000),
  notifyUrl: 'https://tea.example/hook/payment/alipay',
  returnUrl: 'https://tea.example/paymentCompleted',
  ip: '127.0.0.1',
}
const refund = (number: string, tradeNo: string) => {
  const paid = { number, providerNumber: tradeNo, cents: 1_250n }
  return { number: '20261127000000000009', cents: 100n, paid, reason: 'Asked for it', notifyUrl: order.notifyUrl }
}
let numbers = 0

async function paidOrder(): Promise<{ number: string; tradeNo: string }> {
  const number = `2026112700000001${String(++numbers).padStart(4, '0')}`
  await us().start({ ...order, number })
  return there.pay(number)
}

/** All queries to Alipay. */
function asking({ number, tradeNo }: { number: string; tradeNo: string }, by = us()): Record<string, () => Promise<unknown>> {
  return {
    start: () => by.start({ ...order, number: '20261127000000009999' }),
    query: () => by.query(number, placed),
    close: () => by.close(number, placed),
    refund: () => by.refund(refund(number, tradeNo)),
    queryRefund: () => by.queryRefund(refund(number, tradeNo)),
    statement: () => by.statement('2026-11-26'),
    tryKeys: () => by.testKeys(),
  }
}

async function noneIsBelieved(what: Record<string, () => Promise<unknown>>): Promise<void> {
  for (const [name, ask] of Object.entries(what)) await expect(ask(), name).rejects.toThrow(RequestFailed)
}

describe('an answer of Alipay is accepted only', () => {
  test('with its own signature', async () => {
    const trade = await paidOrder()
    there.signsBy = aPair().privateKey
    await noneIsBelieved(asking(trade))
    expect([...(there.trades.get(trade.number)?.refunds.values() ?? [])]).toHaveLength(1)
  })

  test.each([
    ['is no JSON', () => '<html>系统繁忙</html>'],
    ['is empty', () => ''],
    ['is other JSON', () => '[null]'],
    ['names another call', (answer: string) => answer.replace('_response', '_told')],
    ['says something else than was signed', (answer: string) => answer.replace('"code":"', '"code":"1')],
    ['is not signed', (answer: string) => answer.replace(/,"sign":"[^"]*"/, '')],
    ['is signed by nothing', (answer: string) => answer.replace(/"sign":"[^"]*"/, '"sign":""')],
    ['is signed by no text', (answer: string) => answer.replace(/"sign":"[^"]*"/, '"sign":{}')],
    ['is cut off', (answer: string) => answer.slice(0, -10)],
    ['is endless', (answer: string) => answer.padEnd(2_000_000)],
  ])('if it is readable, and not if it %s', async (_, meddle) => {
    const trade = await paidOrder()
    there.tamper = meddle
    await noneIsBelieved(asking(trade))
  })

  test('for its signed part: unsigned additions are ignored', async () => {
    const [paid, { number }] = [await paidOrder(), await paidOrder()]
    Object.assign(there.trades.get(number) ?? {}, { status: 'WAIT_BUYER_PAY' })
    there.tamper = (answer) =>
      answer.replace(
        /}$/,
        `,"alipay_trade_query_response":{"code":"10000","trade_status":"TRADE_SUCCESS","out_trade_no":"${number}","trade_no":"${paid.tradeNo}","total_amount":"12.50"}}`,
      )
    expect(await us().query(number, placed)).toEqual({ state: 'open' })
  })

  test('if it is about the order that was asked for', async () => {
    const [paid, { number }] = [await paidOrder(), await paidOrder()]
    let lastAnswer = ''
    there.tamper = (answer) => (lastAnswer = answer)
    expect(await us().query(paid.number, placed)).toMatchObject({ state: 'paid' })
    there.tamper = () => lastAnswer
    await expect(us().query(number, placed)).rejects.toThrow('another order')
    there.tamper = (answer) => (lastAnswer = answer)
    expect(await us().refund(refund(paid.number, paid.tradeNo))).toMatchObject({ state: 'done' })
    there.tamper = () => lastAnswer
    await expect(us().queryRefund({ ...refund(paid.number, paid.tradeNo), number: '1' })).rejects.toThrow('another refund')
  })
})

describe('a machine that', () => {
  test('hangs up gives no answer', async () => {
    const trade = await paidOrder()
    there.tamper = (_, response) => {
      response.destroy()
      return null
    }
    await noneIsBelieved(asking(trade))
  })

  test('is not there gives none, nor one that fails or leads elsewhere', async () => {
    const trade = await paidOrder()
    const closedStandIn = await new AlipayStandIn().open()
    const { url } = closedStandIn
    await closedStandIn.close()
    await noneIsBelieved(asking(trade, us({}, url)))
    for (const status of [302, 500, 502]) {
      there.tamper = (_, response) => {
        response.writeHead(status, { location: there.url.href }).end('{}')
        return null
      }
      await noneIsBelieved(asking(trade))
    }
  })

  test('says nothing is not waited for longer than ten seconds', async () => {
    const trade = await paidOrder()
    onTestFinished(() => void vi.useRealTimers())
    const hears = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      there.tamper = () => {
        resolve()
        return null
      }
      return promise
    }
    for (const ask of Object.values(asking(trade))) {
      const arrival = hears()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const refused = ask().catch((error: unknown) => error)
      await arrival
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await refused).toBeInstanceOf(RequestFailed)
      vi.useRealTimers()
    }
  })
})

describe('keys are tried', () => {
  const key = (type: 'pkcs1' | 'pkcs8', format: 'pem' | 'der') => {
    const its = there.app.privateKey.export({ type, format } as never) as string | Buffer
    return typeof its === 'string' ? its : its.toString('base64')
  }
  const publicKey = createPublicKey({ key: Buffer.from(there.keys.publicKey, 'base64'), format: 'der', type: 'spki' })
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

  test('and fit, in any form they were copied in', async () => {
    const forms = [key('pkcs8', 'pem'), key('pkcs8', 'der'), key('pkcs1', 'pem'), key('pkcs1', 'der')]
    for (const form of [...forms, forms[0]?.replaceAll('\n', ' '), forms[2]?.replaceAll('\n', '\r\n  '), forms[0]?.replaceAll('\n', '\\n')])
      expect(await us({ key: form }).testKeys(), form).toEqual([])
    const publics = [publicPem, publicPem.replaceAll('\n', ''), publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()]
    for (const form of publics) expect(await us({ publicKey: form }).testKeys(), form).toEqual([])
  })

  const otherPublicKey = aPair().publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const otherKey = aPair().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  test.each<[string, Partial<AlipayKeys>, string]>([
    ['no key', { key: 'tea' }, 'The private key of the app cannot be read'],
    ['a public key for the private one', { key: publicPem }, 'The private key of the app cannot be read'],
    ['half a key', { key: key('pkcs8', 'pem').slice(0, 900) }, 'The private key of the app cannot be read'],
    ['the key of another app', { key: otherKey }, 'the private key is not the one of this app'],
    ['no public key', { publicKey: '-----BEGIN PUBLIC KEY-----' }, 'The public key of Alipay cannot be read'],
    ['the public key of the app', { publicKey: otherPublicKey }, 'another key than the public key of Alipay'],
    ['an app that there is none of', { appId: '2021000000000000' }, 'isv.invalid-app-id'],
  ])('%s is reported', async (_, keys, problem) => {
    await expect(us(keys).testKeys()).rejects.toThrow(problem)
  })
})

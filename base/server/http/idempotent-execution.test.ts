import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { TooBusy } from '#base/server/call-deadline.ts'
import { freshDatabase } from '#base/testing/database.ts'
import { headersOf, openPurses, tables, type PaymentHooks } from '#base/testing/ledger-model.ts'
import { runs } from '#base/testing/extent.ts'
import { addressesOf } from '#base/server/database/roles.ts'

const { ownerUrl, close } = await freshDatabase()
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
await owner.query(tables)
const programs: ChildProcess[] = []
const hooks: PaymentHooks = {}
const one = await openPurses(addressesOf(ownerUrl), hooks)
afterAll(async () => {
  for (const program of programs) program.kill('SIGKILL')
  await one.close()
  await owner.end()
  await close()
})

let purse = 0
beforeEach(async () => {
  for (const at of ['asked', 'taken', 'paid'] as const) delete hooks[at]
  await owner.query('insert into purse values ($1, 100), ($2, 100)', [String((purse += 2)), String(purse + 1)])
})

type Ask = { key?: string; who?: string; path?: string; body?: unknown; headers?: Record<string, string>; payload?: string }

const newKey = () => randomUUID()
const coins = async (id = purse) => (await owner.query('select coins from purse where id = $1', [id])).rows[0].coins as number
const calls = async () => Number((await owner.query('select count(*) from bank_call where purse = $1', [purse])).rows[0].count)
const lapse = () => owner.query(`update idempotency_key set leased_until = now() - interval '1 second' where leased_until is not null`)

async function pays({ key, who = String(purse), path = 'pay', body = { coins: 10 }, headers = {}, payload }: Ask) {
  const answer = await one.inject({
    method: 'POST',
    url: `/api/purse/${path}`,
    headers: { ...headersOf(who, key), ...headers },
    payload: payload ?? JSON.stringify(body),
  })
  return { status: answer.statusCode, body: answer.body, headers: answer.headers }
}

async function elsewhere(dies = ''): Promise<(ask: Ask) => Promise<{ status: number; body: string }>> {
  const program = spawn(process.execPath, [join(import.meta.dirname, '../../testing/ledger-model-program.ts')], {
    env: { ...process.env, ADDRESSES: JSON.stringify(addressesOf(ownerUrl)), DIES: dies },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  const [port] = await once(program.stdout, 'data')
  return async ({ key, who = String(purse), path = 'pay', body = { coins: 10 } }) => {
    const url = `http://127.0.0.1:${String(port).trim()}/api/purse/${path}`
    const answer = await fetch(url, { method: 'POST', headers: headersOf(who, key), body: JSON.stringify(body) }).catch(() => null)
    return { status: answer?.status ?? 0, body: (await answer?.text()) ?? '' }
  }
}

test('a call that must not happen twice is refused without a key', async () => {
  expect(await pays({})).toMatchObject({ status: 400, body: expect.stringContaining('Idempotency-Key') })
  expect([await coins(), await calls()]).toEqual([100, 0])
})

test('fifty at once with one key pay once, ask the bank once, and get the same answer', async () => {
  const key = newKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => pays({ key })))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 {"left":90}']))
  expect([await coins(), await calls()]).toEqual([90, 1])
})

test('fifty with one key are one transaction', async () => {
  const key = newKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => pays({ key, path: 'spend' })))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 {"left":90}']))
  expect(await coins()).toBe(90)
})

test('at two servers too: a request during the work is told so, and later gets the same answer', async () => {
  const key = newKey()
  const other = await elsewhere()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? other({ key }) : pays({ key }))))
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect([(await other({ key })).body, (await pays({ key })).body]).toEqual(['{"left":90}', '{"left":90}'])
  expect([await coins(), await calls()]).toEqual([90, 1])
})

test('a request at another server while the bank is slow gets a time to come again', async () => {
  const key = newKey()
  const other = await elsewhere()
  let seen: { status: number } | null = null
  hooks.asked = async () => void (seen = await other({ key }))
  expect(await pays({ key })).toMatchObject({ status: 200 })
  expect(seen).toMatchObject({ status: 409 })
  expect(await other({ key })).toEqual({ status: 200, body: '{"left":90}' })
  expect([await coins(), await calls()]).toEqual([90, 1])
})

test.each([
  ['when the bank was asked', 'asked', 2],
  ['before the transaction ended', 'taken', 2],
  ['before the answer was sent', 'paid', 1],
] as const)('a process killed %s leaves nothing half done, and the next try gives one result', async (_, dies, expectedCalls) => {
  const key = newKey()
  const dying = await elsewhere(dies)
  expect(await dying({ key })).toEqual({ status: 0, body: '' })
  const { status, headers } = await pays({ key })
  expect([status, headers['retry-after'], await coins()]).toEqual(dies === 'paid' ? [200, undefined, 90] : [409, '5', 100])
  await lapse()
  const answers = await Promise.all(Array.from({ length: 10 }, () => pays({ key })))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 {"left":90}']))
  expect([await coins(), await calls()]).toEqual([90, expectedCalls])
})

test('a claim that took too long and was taken over does nothing any more', async () => {
  const key = newKey()
  const other = await elsewhere()
  hooks.asked = async () => {
    await lapse()
    expect(await other({ key })).toEqual({ status: 200, body: '{"left":90}' })
  }
  expect(await pays({ key })).toMatchObject({ status: 200, body: '{"left":90}' })
  expect(await coins()).toBe(90)
})

test('a claim of work that takes long is renewed, so that no other takes it over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const key = newKey()
  const lapsed = `select from idempotency_key where key = $1 and leased_until < now()`
  hooks.asked = async () => {
    await lapse()
    vi.advanceTimersByTime(20_000)
    await expect.poll(async () => (await owner.query(lapsed, [key])).rowCount).toBe(0)
  }
  expect(await pays({ key })).toMatchObject({ status: 200, body: '{"left":90}' })
  expect([await calls(), vi.getTimerCount()]).toEqual([1, 0])
})

test('an answer is repeated when rights and limits are used up, to the same sender only', async () => {
  const [key, small] = [newKey(), { coins: 1 }]
  const first = await pays({ key, body: small })
  for (const _ of Array(19)) expect((await pays({ key: newKey(), body: small })).status).toBe(200)
  expect((await pays({ key: newKey(), body: small })).status).toBe(429)
  expect(await pays({ key, body: small })).toMatchObject({ status: 200, body: first.body })
  expect((await pays({ key: newKey(), who: `${purse} barred` })).status).toBe(429)
  expect(await pays({ key, who: `${purse} barred`, body: small })).toMatchObject({ status: 200, body: first.body })
  expect((await pays({ key, who: `${purse + 1} barred`, body: small })).status).toBe(403)
  expect((await pays({ key, who: '', body: small })).status).toBe(401)
  expect(await coins()).toBe(80)
})

test('forbidden calls take nothing from the limit of allowed ones', async () => {
  const small = { coins: 1 }
  for (const _ of Array(25)) expect((await pays({ key: newKey(), who: `${purse} barred`, body: small })).status).toBe(403)
  expect((await pays({ key: newKey(), body: small })).status).toBe(200)
})

test('a transaction repeats its answer, too', async () => {
  const [key, small] = [newKey(), { coins: 1 }]
  const first = await pays({ key, path: 'spend', body: small })
  for (const _ of Array(19)) await pays({ path: 'spend', body: small })
  expect((await pays({ path: 'spend', body: small })).status).toBe(429)
  expect(await pays({ key, path: 'spend', who: `${purse} barred`, body: small })).toMatchObject({ status: 200, body: first.body })
})

test.each([
  ['of several transactions', 'pay', 1],
  ['of one', 'spendWithKey', 0],
])(
  'a refusal %s stays one under its key, in the language of its sender, and another key is another call',
  async (_, path, expectedCalls) => {
    const key = newKey()
    const much = { coins: 500 }
    const refused = await pays({ key, path, body: much })
    expect(refused).toMatchObject({ status: 422, body: expect.stringContaining('"coins"') })
    await owner.query('update purse set coins = 1000 where id = $1', [purse])
    expect(await pays({ key, path, body: much })).toMatchObject({ status: 422, body: refused.body })
    expect((await pays({ key, path, body: much, headers: { 'accept-language': 'zh-CN' } })).body).toMatch(/[一-龥]/)
    expect((await pays({ key, path, body: { coins: 1 } })).body).not.toBe(refused.body)
    expect([await coins(), await calls()]).toEqual([1000, expectedCalls])
    expect(await pays({ key: newKey(), path, body: much })).toMatchObject({ status: 200, body: '{"left":500}' })
  },
)

test('two servers with opposite answers at the same moment both give the first', async () => {
  const other = await elsewhere()
  for (let round = 0; round < 10; round++) {
    await owner.query('update purse set coins = 100 where id = $1', [purse])
    const ask = { key: newKey(), path: 'spendWithKey', body: { coins: 500 } }
    const answers = Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? other(ask) : pays(ask))))
    await owner.query('update purse set coins = coins + 1000 where id = $1', [purse])
    const statuses = new Set([...(await answers), await pays(ask), await other(ask)].map(({ status }) => status))
    expect(statuses.size).toBe(1)
    expect(await coins()).toBe(statuses.has(200) ? 600 : 1100)
  }
})

test('a bug is no answer: the next try does it', async () => {
  const key = newKey()
  hooks.asked = () => Promise.reject(new Error('The bank is closed'))
  expect((await pays({ key })).status).toBe(500)
  delete hooks.asked
  expect(await pays({ key })).toMatchObject({ status: 200, body: '{"left":90}' })
})

test('a wait that ends after the bank was asked is left to the person, because another try asks the bank again', async () => {
  hooks.asked = () => Promise.reject(new TooBusy('All connections were in use'))
  const { status, headers } = await pays({ key: newKey() })
  expect([status, headers['retry-after']]).toEqual([503, '5'])
})

test('one key with another body is refused, and with another member it is another action', async () => {
  const key = newKey()
  expect((await pays({ key })).status).toBe(200)
  expect((await pays({ key, body: { coins: 11 } })).status).toBe(422)
  expect((await pays({ key, path: 'spend' })).status).toBe(422)
  expect(await pays({ key, who: String(purse + 1) })).toMatchObject({ status: 200, body: '{"left":90}' })
  expect([await coins(), await coins(purse + 1)]).toEqual([90, 90])
})

test('a form and JSON with the same meaning are the same request, in any order', async () => {
  const key = newKey()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const requests = [
    { payload: '{"coins":10,"note":"for tea","to":["7","8"]}' },
    { payload: '{ "to": ["7", "8"], "note": "for\\u0020tea", "coins": 1e1 }' },
    { payload: 'to=7&to=8&coins=10&note=for+tea', headers: form },
    { payload: 'note=for%20tea&to=%5B%227%22%2C%228%22%5D&coins=10', headers: form },
  ]
  for (const its of requests) expect(await pays({ key, ...its })).toMatchObject({ status: 200, body: '{"left":90}' })
  expect((await pays({ key, payload: '{"coins":10,"note":"for tea","to":["8","7"]}' })).status).toBe(422)
  expect(await coins()).toBe(90)
})

test('a visitor keeps an unguessable key through a new cookie', async () => {
  const ask = { who: '', path: 'payByCard', body: { coins: 10, purse: String(purse) } }
  for (const key of [newKey(), newKey().replaceAll('-', '')]) {
    const first = await pays({ ...ask, key })
    expect(await pays({ ...ask, key })).toMatchObject({ status: 200, body: first.body })
  }
  expect(await coins()).toBe(80)
})

test.each(['card-payment-number-0001', '00000000000000000000000000000017', '20261122-0000-0000-0000-000000000001'])(
  'with %s, which others may send too, each cookie is a visitor of its own',
  async (key) => {
    const ask = { key, who: '', path: 'payByCard', body: { coins: 10, purse: String(purse) } }
    const cookie = headersOf('')
    const answers = [await pays({ ...ask, headers: cookie }), await pays({ ...ask, headers: cookie }), await pays(ask)]
    expect(answers.map(({ body }) => body)).toEqual(['{"left":90}', '{"left":90}', '{"left":80}'])
  },
)

test('keys sent in any number, by any sender, at once or later, each pay once', async () => {
  const sends = fc.array(fc.record({ which: fc.nat(4), mine: fc.boolean(), path: fc.constantFrom('pay', 'spend') }), { maxLength: 18 })
  await fc.assert(
    fc.asyncProperty(sends, fc.boolean(), async (all, atOnce) => {
      purse += 2
      await owner.query('insert into purse values ($1, 100), ($2, 100)', [String(purse), String(purse + 1)])
      const round = newKey().slice(0, 8)
      const send = ({ which, mine, path }: (typeof all)[number]) =>
        pays({ key: `${round}-key-${which}-${path}`, path, who: String(mine ? purse : purse + 1), body: { coins: which + 1 } })
      const answers = atOnce ? await Promise.all(all.map(send)) : []
      if (!atOnce) for (const its of all) answers.push(await send(its))
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
      for (const mine of [true, false]) {
        const paid = new Map(all.filter((its) => its.mine === mine).map(({ which, path }) => [`${which} ${path}`, which + 1]))
        expect(await coins(mine ? purse : purse + 1)).toBe(100 - [...paid.values()].reduce((sum, its) => sum + its, 0))
      }
    }),
    { numRuns: runs(25) },
  )
})

import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallOptions } from '#base/contract.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page
let context: BrowserContext

beforeAll(async () => {
  site = await componentPage('./call-page.ts')
  const browser = await openBrowser()
  context = await browser.newContext()
  page = await context.newPage()
  await page.goto(site.origin)
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = () => ({ body: { brewed: true } })
  await context.clearCookies()
  await context.addCookies([{ name: 'cms_token', value: 'leaf.cup', url: site.origin }])
  await page.evaluate(() => {
    localStorage.clear()
    window.harness.log.length = 0
    window.harness.set({ language: 'en_US', here: '/thread?topicId=42', proves: true })
  })
})

const read = (path: string, input: object = {}, options: CallOptions = {}) =>
  page.evaluate(([path, input, options]) => window.harness.read(path, input, options), [path, input, options] as const)
const write = (path: string, input: object = {}, options: CallOptions = {}) =>
  page.evaluate(([path, input, options]) => window.harness.write(path, input, options), [path, input, options] as const)
const log = () => page.evaluate(() => window.harness.log)
const holds = (pair: object) => page.evaluate((text) => localStorage.setItem('bbsToken', text), JSON.stringify(pair))

function onlyCall(): ReceivedRequest {
  expect(site.calls).toHaveLength(1)
  const [request] = site.calls
  if (!request) throw new Error('Nothing was asked')
  return request
}

describe('a call that takes a fresh proof', () => {
  test('waits for the proof, and is sent again unchanged', async () => {
    let isShown = false
    site.answer = () => {
      const answer = isShown ? { body: { brewed: true } } : { status: 428, body: { message: 'Show it' } }
      isShown = true
      return answer
    }
    expect(await write('/unlink', { identityId: '7' }, { idempotencyKey: 'one-key' })).toEqual({ answer: { brewed: true } })
    expect(site.calls.map(({ path, headers }) => [path, headers['idempotency-key']])).toEqual([
      ['/unlink', 'one-key'],
      ['/unlink', 'one-key'],
    ])
    expect(await log()).toEqual([['asks who is there']])
  })

  test('is not sent if the member declines, without a message', async () => {
    await page.evaluate(() => window.harness.set({ proves: false }))
    site.answer = () => ({ status: 428, body: { message: 'Show it' } })
    expect(await write('/unlink')).toMatchObject({ failed: { status: 428, message: '' } })
    expect(site.calls).toHaveLength(1)
    expect(await log()).toEqual([['asks who is there']])
  })
})

describe('a request', () => {
  test('a read of a visitor has the kind and the language, and no more', async () => {
    expect(await read('/index')).toEqual({ answer: { brewed: true } })
    const { method, path, headers } = onlyCall()
    expect([method, path]).toEqual(['GET', '/index'])
    expect(headers).toMatchObject({ 'x-requested-with': 'XMLHttpRequest', 'accept-language': 'en-US' })
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('idempotency-key')
  })

  test('Chinese is asked for as zh-CN', async () => {
    await page.evaluate(() => window.harness.set({ language: 'zh_CN' }))
    await read('/index')
    expect(site.calls[0]?.headers['accept-language']).toBe('zh-CN')
  })

  test('the stored pair is sent as one bearer, joined by a comma', async () => {
    await holds({ accessToken: 'aaa', refreshToken: 'rrr' })
    await read('/index')
    expect(site.calls[0]?.headers.authorization).toBe('Bearer aaa,rrr')
  })

  test.each(['', 'no json', '{}', '{"accessToken":"a"}', '{"accessToken":1,"refreshToken":2}', 'null', '[]'])(
    'a store that holds %s is none',
    async (text) => {
      await page.evaluate((text) => localStorage.setItem('bbsToken', text), text)
      expect(await read('/index')).toEqual({ answer: { brewed: true } })
      expect(site.calls[0]?.headers).not.toHaveProperty('authorization')
    },
  )

  test('the cookie cms_token is sent back as a header, of reads and writes alike', async () => {
    await context.addCookies([
      { name: 'other_cms_token', value: 'not this', url: site.origin },
      { name: 'cms_token', value: 'cup.saucer', url: site.origin },
    ])
    await read('/index')
    await write('/comment/add')
    expect(site.calls.map(({ headers }) => headers['bbs-xsrf-token'])).toEqual(['cup.saucer', 'cup.saucer'])
  })

  test('a write that is quicker than the token asks for it first, and goes with it', async () => {
    await context.clearCookies()
    site.answer = ({ path }) => (path === '/baseInfo' ? { headers: { 'set-cookie': 'cms_token=first.cup; Path=/' } } : {})
    await Promise.all([write('/account/login'), write('/account/login')])
    expect(site.calls.map(({ method, path, headers }) => [method, path, headers['bbs-xsrf-token']])).toEqual([
      ['GET', '/baseInfo', undefined],
      ['POST', '/account/login', 'first.cup'],
      ['POST', '/account/login', 'first.cup'],
    ])
  })

  test('a write waits for the token that is on its way, and no second one is requested', async () => {
    await context.clearCookies()
    const { promise, resolve } = Promise.withResolvers<Answer>()
    site.answer = ({ path }) => (path === '/baseInfo' ? promise : {})
    const calls = [read('/baseInfo'), write('/captcha'), write('/account/register')]
    // The page has begun the calls once it answers what it was asked after them.
    await page.evaluate(() => undefined)
    resolve({ headers: { 'set-cookie': 'cms_token=first.cup; Path=/' } })
    await Promise.all(calls)
    expect(site.calls.map(({ path }) => path)).toEqual(['/baseInfo', expect.anything(), expect.anything()])
    expect(site.calls.map(({ headers }) => headers['bbs-xsrf-token'])).toEqual([undefined, 'first.cup', 'first.cup'])
  })

  test('a read carries its fields and the time; a shared one leaves the time out', async () => {
    const before = Date.now()
    await read('/thread', { topicId: '42', page: 2, tags: ['a', 'b'] })
    await read('/thread', { topicId: '42' }, { shared: true })
    const [one, other] = site.calls.map(({ query }) => query)
    expect(Number(one?.get('_t'))).toBeGreaterThanOrEqual(before)
    expect([one?.get('page'), one?.getAll('tags')]).toEqual(['2', ['a', 'b']])
    expect(other?.toString()).toBe('topicId=42')
  })

  test('a write is a form: lists repeated, objects as JSON, missing fields left out', async () => {
    const body = { type: 'doc', content: [{ type: 'text', text: '茶 & 饼' }] }
    await write('/comment/add', {
      body,
      topicId: '42',
      tags: ['1', '2'],
      rows: [{ a: 1 }],
      isOpen: false,
      count: 0,
      empty: '',
      gone: null,
      none: undefined,
    })
    const { headers, body: sent, query } = onlyCall()
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded')
    expect(query.has('_t')).toBe(false)
    expect([...new URLSearchParams(sent)]).toEqual([
      ['body', JSON.stringify(body)],
      ['topicId', '42'],
      ['tags', '1'],
      ['tags', '2'],
      ['rows', '{"a":1}'],
      ['isOpen', 'false'],
      ['count', '0'],
      ['empty', ''],
    ])
  })

  test('an action carries its own key', async () => {
    await write('/comment/add', {}, { idempotencyKey: 'once-and-only-once' })
    expect(site.calls[0]?.headers['idempotency-key']).toBe('once-and-only-once')
  })

  test('a file goes with its fields before it, telling how far it is', async () => {
    await holds({ accessToken: 'aaa', refreshToken: 'rrr' })
    const { answer, parts } = await page.evaluate(() => window.harness.upload('/file/picture', { width: 3, tags: ['a', 'b'] }, 2_000))
    expect(answer).toEqual({ brewed: true })
    const { headers, body } = onlyCall()
    expect(headers).toMatchObject({ authorization: 'Bearer aaa,rrr', 'x-requested-with': 'XMLHttpRequest' })
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect([...body.matchAll(/name="(\w+)"/g)].map(([, name]) => name)).toEqual(['width', 'tags', 'tags', 'file'])
    expect(parts.at(-1)).toBe(1)
    expect(parts.every((part, index) => part >= (parts[index - 1] ?? 0))).toBe(true)
  })
})

describe('an answer', () => {
  const url = '/topic/edit'
  const may = ['may view', true]
  const rows: [string, Answer, { path?: string; method?: 'read' | 'write'; told: unknown[][]; failed: object }][] = [
    ['400', { status: 400 }, { told: [['says', '400 /topic/edit', 'persistent']], failed: { status: 400 } }],
    [
      '400 with a form',
      { status: 400, body: { error: { title: 'No' } } },
      { told: [], failed: { name: 'FieldErrors', fields: { title: 'No' } } },
    ],
    ['422', { status: 422, body: { error: { title: 'No', __proto__x: 'x' } } }, { told: [], failed: { name: 'FieldErrors', status: 422 } }],
    [
      '422 of a read',
      { status: 422, body: { error: { page: 'No page' } } },
      { method: 'read', told: [['says', 'No page', 'passing']], failed: { name: 'CallFailed', status: 422 } },
    ],
    [
      '422 without errors',
      { status: 422, body: { error: { title: 7 } } },
      { told: [['says', 'other 422', 'passing']], failed: { name: 'CallFailed' } },
    ],
    ['403', { status: 403 }, { told: [['says', '403 /topic/edit', 'passing']], failed: { status: 403 } }],
    ['403 of a thread', { status: 403 }, { path: '/thread', method: 'read', told: [may, ['may view', false]], failed: { status: 403 } }],
    ['403 below a thread', { status: 403 }, { path: '/mine/thread/all', told: [may, ['may view', false]], failed: { status: 403 } }],
    ['404 of a thread', { status: 404 }, { path: '/thread', told: [may, ['says', '404 /thread', 'passing']], failed: { status: 404 } }],
    ['404', { status: 404 }, { told: [['says', '404 /topic/edit', 'passing']], failed: { status: 404 } }],
    [
      '500',
      { status: 500, body: { error: { secret: 'stack' } } },
      { told: [['says', '500 /topic/edit', 'passing']], failed: { name: 'CallFailed', status: 500 } },
    ],
    [
      '503',
      { status: 503, body: '<b>Back at noon</b>' },
      { told: [['notices', 'noticeTitle', '<b>Back at noon</b>']], failed: { status: 503 } },
    ],
    ['418', { status: 418 }, { told: [['says', 'other 418', 'passing']], failed: { status: 418 } }],
    ['429', { status: 429, body: { error: { comment: 'Too fast' } } }, { told: [], failed: { name: 'FieldErrors' } }],
    ['200 that is no JSON', { body: '<html>A proxy</html>' }, { told: [['says', 'other 200', 'passing']], failed: { status: 200 } }],
  ]

  test.each(rows)('%s', async (_, answer, { path = url, method = 'write', told: expected, failed }) => {
    site.answer = () => answer
    const outcome = await (method === 'read' ? read(path) : write(path))
    expect(outcome.failed).toMatchObject(failed)
    expect(await log()).toEqual(expected)
    expect(site.calls).toHaveLength(1)
  })

  test.each(rows)('%s is not told of a silent call', async (_, answer, { path = url }) => {
    site.answer = () => answer
    expect(await read(path, {}, { silent: true })).toHaveProperty('failed')
    expect((await log()).filter(([kind]) => kind !== 'may view')).toEqual([])
  })

  test('a silent read gets the refusals by field', async () => {
    site.answer = () => ({ status: 422, body: { error: { coupon: 'No such code' } } })
    expect(await read(url)).toMatchObject({ failed: { name: 'CallFailed', message: 'No such code' } })
    expect(await read(url, {}, { silent: true })).toMatchObject({ failed: { name: 'FieldErrors', fields: { coupon: 'No such code' } } })
  })

  test('508 clears the stored data, and the session', async () => {
    await holds({ accessToken: 'a', refreshToken: 'r' })
    await page.evaluate(() => localStorage.setItem('draft', 'x'))
    site.answer = () => ({ status: 508 })
    expect(await read(url)).toMatchObject({ failed: { status: 508 } })
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
    expect(await log()).toEqual([['signed out']])
  })

  test('an unreachable server is reported, and may be tried again', async () => {
    await context.setOffline(true)
    expect(await write(url)).toMatchObject({ failed: { name: 'CallFailed', status: 0 } })
    await context.setOffline(false)
    expect(await log()).toEqual([['says', 'offline', 'passing']])
    expect(await write(url)).toEqual({ answer: { brewed: true } })
  })

  test('an aborted call fails in silence', async () => {
    site.answer = () => new Promise(() => undefined)
    expect(await page.evaluate(() => window.harness.callOff('/index'))).toMatchObject({ failed: { name: 'AbortError' } })
    expect(await log()).toEqual([])
  })

  test('a call longer than 20 seconds is late: a read, a write and a file', async () => {
    let free: () => void = () => undefined
    site.answer = () => new Promise((answer) => (free = () => answer({})))
    await page.evaluate(`
      window.waits = []
      const shortened = (ms) => (ms >= 10_000 ? window.waits.push(ms) : ms)
      const [late, wait] = [AbortSignal.timeout, window.setTimeout]
      AbortSignal.timeout = (ms) => late.call(AbortSignal, shortened(ms))
      window.setTimeout = (action, ms, ...rest) => wait(action, shortened(ms), ...rest)`)
    const outcomes = await Promise.all([read('/index'), write(url), page.evaluate(() => window.harness.upload('/file/picture', {}, 1))])
    free()
    for (const { failed } of outcomes) expect(failed).toMatchObject({ name: 'CallFailed', status: 0, message: 'late' })
    expect(new Set(await page.evaluate<number[]>('window.waits'))).toEqual(new Set([20_000]))
    expect(await log()).toEqual([1, 2, 3].map(() => ['says', 'late', 'passing']))
    await page.reload()
  })
})

describe('a call that a busy server has not begun', () => {
  const busy: Answer = { status: 503, body: 'Busy', headers: { 'retry-after': '1' } }
  const answers = (...list: Answer[]) => {
    site.answer = () => list.shift() ?? {}
  }
  const repeatable: [string, () => ReturnType<typeof read>][] = [
    ['a read', () => read('/index')],
    ['a write with a key', () => write('/comment/add', {}, { idempotencyKey: 'one-key' })],
  ]

  // Waits are noted, and take no time.
  beforeEach(() =>
    page.evaluate(`
      window.waits = []
      const wait = window.setTimeout
      const noted = (ms) => (window.waits.push(Math.floor(ms / 1_000)), 0)
      window.setTimeout = (action, ms, ...rest) => wait(action, ms >= 1_000 && ms < 10_000 ? noted(ms) : ms, ...rest)`),
  )
  afterEach(() => page.reload())

  test.each(repeatable)('%s: is sent again by itself, after longer each time, without a message', async (_, send) => {
    answers(busy, busy, { body: { brewed: true } })
    expect(await send()).toEqual({ answer: { brewed: true } })
    expect(await log()).toEqual([])
    expect(site.calls).toHaveLength(3)
    expect(new Set(site.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(await page.evaluate('window.waits')).toEqual([1, 2])
  })

  test.each(repeatable)('%s: is reported, once, if the third try is refused too', async (_, send) => {
    answers(busy, busy, busy)
    expect(await send()).toMatchObject({ failed: { status: 503 } })
    expect(await log()).toEqual([['notices', 'noticeTitle', 'Busy']])
    expect(site.calls).toHaveLength(3)
  })

  test('is sent once if it is a write without a key', async () => {
    answers(busy)
    expect(await write('/comment/add')).toMatchObject({ failed: { status: 503 } })
    expect(site.calls).toHaveLength(1)
  })

  test('is sent once if its caller repeats it', async () => {
    answers(busy)
    const failed = await read('/index', {}, { sendsOnce: true, silent: true })
    expect(failed).toMatchObject({ failed: { status: 503 } })
    expect(site.calls).toHaveLength(1)
  })

  test('is sent once if the server asks for a longer wait', async () => {
    answers({ ...busy, headers: { 'retry-after': '5' } })
    expect(await read('/index')).toMatchObject({ failed: { status: 503 } })
    expect(site.calls).toHaveLength(1)
  })

  test('is sent again with its key if it is a file', async () => {
    answers(busy)
    expect(await page.evaluate(() => window.harness.upload('/file/picture', {}, 1))).toMatchObject({ answer: {} })
    expect(site.calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['a-key-of-a-file', 'a-key-of-a-file'])
  })
})

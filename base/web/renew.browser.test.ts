import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallOptions } from '#base/contract.ts'
import type { Outcome } from '#base/testing/call-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { until } from '#base/testing/waits.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page
let context: BrowserContext
/** The calls that failed for want of a new pair, as far as the browser has heard. */
let refusals = 0

const old = { accessToken: 'a1', refreshToken: 'r1' }
const fresh = { accessToken: 'a2', refreshToken: 'r2', systemUser: { userId: '7' } }
const none = { accessToken: null, refreshToken: null, systemUser: null }
const toLogin = '/login?jumpUrl=L3RocmVhZD90b3BpY0lkPTQy'

beforeAll(async () => {
  site = await componentPage('./call-page.ts')
  const browser = await openBrowser()
  context = await browser.newContext()
  context.on('requestfinished', async (request) => {
    if ((await request.response())?.status() === 401) refusals++
  })
  page = await context.newPage()
  await page.goto(site.origin)
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  refusals = 0
  refreshGives({ body: fresh })
  await page.evaluate((pair) => {
    localStorage.setItem('bbsToken', JSON.stringify(pair))
    window.harness.log.length = 0
    window.harness.set({ here: '/thread?topicId=42' })
  }, old)
})

const read = (path: string, input: object = {}, options: CallOptions = {}, on = page): Promise<Outcome> =>
  on.evaluate(([path, input, options]) => window.harness.read(path, input, options), [path, input, options] as const)
const write = (path: string, input: object = {}, options: CallOptions = {}, on = page): Promise<Outcome> =>
  on.evaluate(([path, input, options]) => window.harness.write(path, input, options), [path, input, options] as const)
const log = (on = page) => on.evaluate(() => window.harness.log)
const stored = (): Promise<unknown> => page.evaluate(() => JSON.parse(localStorage.getItem('bbsToken') ?? 'null'))

/** A server that accepts only the fresh pair, and answers a refresh once so many calls have failed. */
function refreshGives(refreshed: Answer, { afterRefusals = 0 } = {}): void {
  site.answer = async ({ path, headers }) => {
    if (path === '/refreshToken') {
      await until(() => refusals >= afterRefusals)
      return refreshed
    }
    return String(headers.authorization).startsWith('Bearer a2,') ? { body: { for: path } } : { status: 401 }
  }
}

const paths = () => site.calls.map(({ path }) => path)
const refreshes = () => site.calls.filter(({ path }) => path === '/refreshToken')

function onlyRefresh(): ReceivedRequest {
  expect(refreshes()).toHaveLength(1)
  const [request] = refreshes()
  if (!request) throw new Error('Nothing was asked')
  return request
}

describe('a new pair comes', () => {
  test('one refresh serves all failed calls, and each is sent again with the new pair', async () => {
    refreshGives({ body: fresh }, { afterRefusals: 5 })
    const outcomes = await Promise.all([read('/one'), read('/two'), write('/three'), write('/four'), read('/five', {}, { silent: true })])
    expect(outcomes).toEqual(['/one', '/two', '/three', '/four', '/five'].map((path) => ({ answer: { for: path } })))
    expect(refreshes()).toHaveLength(1)
    expect(site.calls).toHaveLength(11)
    expect(await stored()).toEqual({ accessToken: 'a2', refreshToken: 'r2' })
    expect(await log()).toEqual([['renewed', { userId: '7' }]])
  })

  test('the refresh is an empty form with the pair in its header', async () => {
    await read('/one')
    const { method, body, headers } = onlyRefresh()
    expect([method, body, headers.authorization]).toEqual(['POST', '', 'Bearer a1,r1'])
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded')
    expect(headers['x-requested-with']).toBe('XMLHttpRequest')
  })

  test('a write is sent again with the same key and the same bytes', async () => {
    await write('/comment/add', { body: { text: '茶' }, at: 1 }, { idempotencyKey: 'the-key-of-this-form' })
    const [first, again] = site.calls.filter(({ path }) => path === '/comment/add')
    expect(again?.body).toBe(first?.body)
    expect(again?.body).not.toBe('')
    expect([first, again].map((request) => request?.headers['idempotency-key'])).toEqual(['the-key-of-this-form', 'the-key-of-this-form'])
    expect([first, again].map((request) => request?.headers.authorization)).toEqual(['Bearer a1,r1', 'Bearer a2,r2'])
  })

  test('a file is sent again too', async () => {
    const { answer } = await page.evaluate(() => window.harness.upload('/file/picture', {}, 20))
    expect(answer).toEqual({ for: '/file/picture' })
    expect(paths()).toEqual(['/file/picture', '/refreshToken', '/file/picture'])
  })

  test('an answer that comes late to the old pair asks for no second refresh', async () => {
    const fast = site.answer
    const quick = read('/quick')
    site.answer = async (request: ReceivedRequest) => {
      if (request.path === '/refreshToken') await until(() => paths().includes('/slow'))
      if (request.path === '/slow' && request.headers.authorization === 'Bearer a1,r1') await quick
      return fast(request)
    }
    expect(await Promise.all([read('/slow'), quick])).toEqual([{ answer: { for: '/slow' } }, { answer: { for: '/quick' } }])
    expect(refreshes()).toHaveLength(1)
  })

  test('later failures are reported as ever', async () => {
    const usual = site.answer
    site.answer = (request) => (String(request.headers.authorization).startsWith('Bearer a2') ? { status: 500 } : usual(request))
    expect(await read('/one')).toMatchObject({ failed: { status: 500 } })
  })
})

describe('no pair comes back', () => {
  beforeEach(() => refreshGives({ body: none }))

  test.each([
    ['a read', () => read('/favourite/list'), 'replace'],
    ['a write', () => write('/favourite/add'), 'push'],
    ['a silent read', () => read('/favourite/list', {}, { silent: true }), 'replace'],
  ] as const)('%s leads to the login and back', async (_, call, how) => {
    expect(await call()).toMatchObject({ failed: { name: 'CallFailed', status: 401 } })
    expect(await log()).toEqual([['signed out'], ['goes', toLogin, how]])
    expect(await stored()).toBeNull()
  })

  test('the count of unread messages signs out, and leaves the reader on the page', async () => {
    expect(await read('/user/control/unreadMessageCount')).toMatchObject({ failed: { status: 401 } })
    expect(await log()).toEqual([['signed out']])
    expect(await stored()).toBeNull()
  })

  test('many calls lead there once, the count of unread messages among them', async () => {
    refreshGives({ body: none }, { afterRefusals: 4 })
    const outcomes = await Promise.all([read('/user/control/unreadMessageCount'), write('/a'), read('/b'), write('/c')])
    expect(outcomes.map(({ failed }) => failed?.status)).toEqual([401, 401, 401, 401])
    expect(refreshes()).toHaveLength(1)
    expect((await log()).filter(([kind]) => kind === 'goes')).toHaveLength(1)
  })

  test('a visitor without a pair is led there without asking', async () => {
    await page.evaluate(() => localStorage.clear())
    await write('/favourite/add')
    expect(paths()).toEqual(['/favourite/add'])
    expect(await log()).toEqual([['signed out'], ['goes', toLogin, 'push']])
  })

  test.each(['/login', '/login?jumpUrl=L2luZGV4', '/login/'])('at %s the reader stays', async (here) => {
    await page.evaluate((here) => window.harness.set({ here }), here)
    await read('/one')
    expect(await log()).toEqual([['signed out']])
  })

  test('a new pair that is not taken either leads there', async () => {
    refreshGives({ body: { ...fresh, accessToken: 'a3' } })
    expect(await write('/one')).toMatchObject({ failed: { status: 401 } })
    expect(paths()).toEqual(['/one', '/refreshToken', '/one'])
    expect((await log()).at(-1)).toEqual(['goes', toLogin, 'push'])
  })
})

describe('the refresh itself fails', () => {
  test.each([401, 403, 404, 422, 500])('with %i: the pair is dropped, it is said once, and the login comes', async (status) => {
    refreshGives({ status }, { afterRefusals: 3 })
    const outcomes = await Promise.all([read('/one'), write('/two'), read('/user/control/unreadMessageCount')])
    expect(outcomes.map(({ failed }) => failed)).toEqual([1, 2, 3].map(() => ({ name: 'CallFailed', status, message: 'refreshFailed' })))
    expect(await log()).toEqual([['signed out'], ['goes', '/login', 'push'], ['says', 'refreshFailed', 'passing']])
    expect(await stored()).toBeNull()
    expect(refreshes()).toHaveLength(1)
  })

  test('with 401, for a background call: it signs out, and leaves the reader on the page', async () => {
    refreshGives({ status: 401 })
    expect(await read('/draft/list', {}, { silent: true, background: true })).toMatchObject({ failed: { status: 401 } })
    expect(await log()).toEqual([['signed out']])
    expect(await stored()).toBeNull()
  })

  test('with 401, for a background call and a silent read: the read leads to the login, and says why', async () => {
    refreshGives({ status: 401 }, { afterRefusals: 2 })
    await Promise.all([read('/draft/list', {}, { silent: true, background: true }), read('/one', {}, { silent: true })])
    expect(await log()).toEqual([['signed out'], ['goes', '/login', 'push'], ['says', 'refreshFailed', 'passing']])
  })

  test.each([429, 502, 503, 504])('with %i: the site is away, and the pair is kept', async (status) => {
    refreshGives({ status, body: 'Back soon' })
    expect(await read('/one')).toMatchObject({ failed: { status } })
    expect(await stored()).toEqual(old)
    expect((await log()).filter(([kind]) => kind === 'goes')).toEqual([])
  })

  test('without an answer: the pair is kept, and the call may be tried again', async () => {
    await page.route('**/refreshToken', (route) => route.abort('internetdisconnected'))
    expect(await write('/one')).toMatchObject({ failed: { status: 0, message: 'offline' } })
    await page.unroute('**/refreshToken')
    expect(await stored()).toEqual(old)
    expect(await write('/one')).toEqual({ answer: { for: '/one' } })
  })
})

describe('a page that asks for a refresh itself', () => {
  test('gets the logged-in member', async () => {
    expect(await write('/refreshToken', {}, { silent: true })).toEqual({ answer: fresh })
    expect(await stored()).toEqual({ accessToken: 'a2', refreshToken: 'r2' })
  })

  test('shares the one that is under way', async () => {
    const [, shared] = await Promise.all([read('/one'), write('/refreshToken')])
    expect(shared).toEqual({ answer: fresh })
    expect(refreshes().length).toBeLessThanOrEqual(2)
  })

  test('makes no request once another call has learnt that the session is over', async () => {
    await page.evaluate(() => localStorage.removeItem('bbsToken'))
    expect(await write('/refreshToken')).toMatchObject({ answer: none })
    expect(paths()).toEqual([])
    expect(await log()).toEqual([])
  })

  test('gets no member after a logout during the request, and keeps no pair', async () => {
    site.answer = async () => {
      await page.evaluate(() => localStorage.removeItem('bbsToken'))
      return { body: fresh }
    }
    expect(await write('/refreshToken')).toMatchObject({ answer: none })
    expect([await stored(), await log()]).toEqual([null, []])
  })

  test('leaves the pair of a member who logged in meanwhile', async () => {
    const others = { accessToken: 'b1', refreshToken: 's1' }
    site.answer = async ({ headers }) => {
      if (String(headers.authorization).startsWith('Bearer b1,')) return { body: { ...none, systemUser: { userId: '8' } } }
      await page.evaluate((pair) => localStorage.setItem('bbsToken', JSON.stringify(pair)), others)
      return { body: fresh }
    }
    await write('/refreshToken')
    expect(await stored()).toEqual(others)
  })

  test('is sent to the login when it is refused', async () => {
    refreshGives({ status: 401 })
    expect(await write('/refreshToken')).toMatchObject({ failed: { status: 401 } })
    expect(await log()).toEqual([['signed out'], ['goes', '/login', 'push'], ['says', 'refreshFailed', 'passing']])
  })
})

describe('two tabs', () => {
  test('calls failed in both at once are served by one refresh', async () => {
    const other = await context.newPage()
    await other.goto(site.origin)
    refreshGives({ body: fresh }, { afterRefusals: 6 })
    const calls = [page, other].flatMap((tab) => [read('/one', {}, {}, tab), write('/two', {}, {}, tab), read('/three', {}, {}, tab)])
    expect((await Promise.all(calls)).map(({ failed }) => failed)).toEqual(calls.map(() => undefined))
    expect(refreshes()).toHaveLength(1)
    await other.close()
  })

  test('a pair that another tab stored meanwhile is used', async () => {
    site.answer = async (request) => {
      if (String(request.headers.authorization).startsWith('Bearer a2')) return { body: { for: request.path } }
      await page.evaluate((pair) => localStorage.setItem('bbsToken', JSON.stringify(pair)), fresh)
      return { status: 401 }
    }
    expect(await read('/one')).toEqual({ answer: { for: '/one' } })
    expect(paths()).toEqual(['/one', '/one'])
  })

  test('a logout in another tab meanwhile leads to the login', async () => {
    site.answer = async () => {
      await page.evaluate(() => localStorage.removeItem('bbsToken'))
      return { status: 401 }
    }
    expect(await read('/one')).toMatchObject({ failed: { status: 401 } })
    expect(paths()).toEqual(['/one'])
  })
})

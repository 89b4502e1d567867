import { Readable } from 'node:stream'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { until } from '#base/testing/waits.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page

const stream = 'retry: 3000\n\n:\n\nid: 8\ndata: {"floors":8}\n\nid: 9\ndata: {"floors":9}\n\n'

beforeAll(async () => {
  site = await componentPage('./call-page.ts')
  const browser = await openBrowser()
  page = await browser.newPage()
  await page.goto(site.origin)
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  await page.evaluate(() => {
    localStorage.clear()
    window.harness.log.length = 0
  })
})

const hear = () => page.evaluate(() => window.harness.hear('/news', '7'))
const log = () => page.evaluate(() => window.harness.log)

test('a stream is read to its end, from after the last event, like any other call', async () => {
  site.answer = () => ({ body: stream })
  expect((await hear()).news).toEqual([
    ['8', { floors: 8 }],
    ['9', { floors: 9 }],
  ])
  const [request] = site.calls
  const headers = { 'last-event-id': '7', accept: 'text/event-stream', 'x-requested-with': 'XMLHttpRequest', 'accept-language': 'en-US' }
  expect(request?.headers).toMatchObject(headers)
  expect(request?.headers['authorization']).toBeUndefined()
  expect(request?.query.has('_t')).toBe(false)
})

const names = () => site.calls.map(({ headers }) => headers['teahouse-stream'])

test('a stream bears the name of its tab, which a reload keeps and a second tab does not share', async () => {
  site.answer = () => ({ body: stream })
  await hear()
  await hear()
  await page.reload()
  await hear()
  const [other] = await Promise.all([page.context().waitForEvent('page'), page.evaluate(() => void window.open(location.href))])
  await other.waitForFunction(() => 'harness' in window)
  await other.evaluate(() => window.harness.hear('/news', '7'))
  await other.close()
  const [name, ...later] = names()
  expect(name).toMatch(/^[0-9a-f]{32}-0$/)
  expect(later.slice(0, 2)).toEqual([name, name])
  expect(later[2]).toMatch(/^[0-9a-f]{32}-0$/)
  expect(later[2]).not.toBe(name)
})

test('streams of one endpoint that are open at once have names of their own, and one that is left leaves its name to the next', async () => {
  site.answer = () => ({ body: new Readable({ read: () => undefined }) })
  await page.evaluate(() => window.harness.open('/news?of=1'))
  await page.evaluate(() => window.harness.open('/news?of=2'))
  await page.evaluate(() => window.harness.leaveFirst())
  await page.evaluate(() => window.harness.open('/news?of=3'))
  await page.evaluate(() => window.harness.open('/other'))
  await until(() => site.calls.length === 4)
  expect(names().map((name) => String(name).split('-')[1])).toEqual(['0', '1', '0', '0'])
  expect(new Set(names().map((name) => String(name).split('-')[0])).size).toBe(1)
  await page.reload()
})

test('the time that a server asks a client to wait is told', async () => {
  site.answer = () => ({ body: `${stream}retry: 60000\n\n` })
  expect(await hear()).toMatchObject({ waits: [3_000, 60_000], news: [{}, {}] })
})

test('a member is known by the pair, which is renewed when it has run out', async () => {
  await page.evaluate(() => localStorage.setItem('bbsToken', '{"accessToken":"a1","refreshToken":"r1"}'))
  site.answer = ({ path, headers }) => {
    if (path === '/refreshToken') return { body: { accessToken: 'a2', refreshToken: 'r2', systemUser: null } }
    return headers.authorization === 'Bearer a2,r2' ? { body: stream } : { status: 401 }
  }
  expect((await hear()).news).toHaveLength(2)
  expect(site.calls.map(({ path }) => path)).toEqual(['/news', '/refreshToken', '/news'])
})

test('an expired session reads on: only the stream fails', async () => {
  await page.evaluate(() => localStorage.setItem('bbsToken', '{"accessToken":"a1","refreshToken":"r1"}'))
  const none = { accessToken: null, refreshToken: null, systemUser: null }
  site.answer = ({ path }) => (path === '/refreshToken' ? { body: none } : { status: 401 })
  expect((await hear()).failed).toMatchObject({ status: 401 })
  expect((await log()).filter(([what]) => what === 'goes' || what === 'says')).toEqual([])
})

test.each([404, 429, 503])('a stream that is refused with %i fails in silence', async (status) => {
  site.answer = () => ({ status, body: '' })
  expect((await hear()).failed).toMatchObject({ status })
  expect(await log()).toEqual([])
})

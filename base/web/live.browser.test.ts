import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
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

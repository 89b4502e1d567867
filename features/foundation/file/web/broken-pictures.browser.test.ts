import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let page: Page
let open: () => Promise<Page>

beforeAll(async () => {
  site = await componentPage('../../features/foundation/file/testing/broken-pictures-page.ts')
  const browser = await openBrowser()
  const context = await browser.newContext()
  open = () => emptyPage(context, site)
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

// Waits are noted, and take no time.
beforeEach(async () => {
  page = await open()
  await page.goto(site.origin)
  await page.evaluate(`
    window.waits = []
    const wait = window.setTimeout
    window.setTimeout = (action, ms, ...rest) => wait(action, (ms && window.waits.push(Math.floor(ms / 1_000)), 0), ...rest)`)
})

type Picture = { src: string; srcset?: string; source?: string }

/** Shows a picture that is answered with these statuses first. The result is the addresses that were requested. */
async function show(picture: Picture, ...statuses: number[]): Promise<string[]> {
  const requests: string[] = []
  await page.route('**/file/**', (route) => {
    requests.push(route.request().url().slice(site.origin.length))
    const status = statuses.shift()
    return status === undefined ? route.continue() : route.fulfill({ status, headers: { 'cache-control': 'no-store' } })
  })
  await page.evaluate(({ src, srcset = '', source }) => {
    const [around, image] = [document.createElement('picture'), new Image()]
    if (source) around.append(Object.assign(document.createElement('source'), { type: 'image/svg+xml', srcset: source }))
    around.append(image)
    document.body.append(around)
    Object.assign(image, { sizes: '100vw', srcset, src })
  }, picture)
  return requests
}

const isShown = () => page.locator('img').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
const untilFailed = () =>
  page.evaluate(async () => {
    const [image] = document.images
    if (!image?.complete) await new Promise((failed) => image?.addEventListener('error', failed))
    await new Promise((due) => setTimeout(due))
  })
const waits = () => page.evaluate<number[]>('window.waits')

test.each<[string, Picture, string]>([
  ['a picture', { src: '/file/tea' }, '/file/tea'],
  ['one of several sizes', { src: '/file/tea', srcset: '/file/tea?w=1920 1920w' }, '/file/tea?w=1920'],
  ['one of several formats', { src: '/file/tea', source: '/file/tea?as=avif' }, '/file/tea?as=avif'],
])('%s that a busy server turned away is asked for again, until it is there', async (_, picture, address) => {
  const requests = await show(picture, 503, 503)
  await expect.poll(isShown).toBe(true)
  expect(requests).toEqual([address, address, address])
  expect(await waits()).toEqual([2, 6])
})

test('a picture that never comes is asked for a few times, after longer each time', async () => {
  const requests = await show({ src: '/file/tea' }, ...Array(9).fill(503))
  await expect.poll(() => requests.length).toBe(4)
  await untilFailed()
  expect(await waits()).toEqual([2, 6, 18])
  expect(requests).toHaveLength(4)
})

test.each([404, 503])('a picture whose status %s the browser does not report is requested once more', async (status) => {
  await page.evaluate(() => void (performance.getEntriesByName = () => []))
  const requests = await show({ src: '/file/tea' }, ...Array(9).fill(status))
  await expect.poll(waits).toEqual([2, 6])
  await untilFailed()
  expect(requests).toHaveLength(2)
})

test('a picture that is missing is asked for once', async () => {
  const requests = await show({ src: '/file/tea' }, 404, 404)
  await expect.poll(waits).toEqual([2])
  await untilFailed()
  expect(requests).toEqual(['/file/tea'])
})

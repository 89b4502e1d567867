import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

afterEach(() => page.context().close())

/** A post with a picture of this size, which is sent once `sends` has resolved. */
async function open(size: string, viewport: 'desktop' | 'phone', sends = Promise.resolve()): Promise<void> {
  const [width, height] = size.split('x')
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#7a9"/></svg>`
  page = await browser.newPage({ viewport: viewport === 'phone' ? { width: 390, height: 844 } : { width: 1280, height: 900 } })
  await page.route('**/file/f_*', async (route) => {
    await sends
    await route.fulfill({ contentType: 'image/svg+xml', body })
  })
  await page.goto(`${site.origin}/?drawn=${size}`, { waitUntil: 'domcontentloaded' })
  await picture().waitFor({ state: 'attached' })
}

const picture = () => page.locator('.prose .picture img')
const box = async () => (await picture().boundingBox()) ?? { width: 0, height: 0 }
const isLoaded = () => picture().evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
const after = (link: string) => page.locator(link).evaluate((one) => getComputedStyle(one, '::after').content)

test('a picture has its place before it comes, and moves nothing when it does', async () => {
  const sending = Promise.withResolvers<void>()
  await open('900x600', 'phone', sending.promise)
  const below = page.locator('.prose .file')
  const before = await below.boundingBox()
  expect((await box()).height).toBeGreaterThan(200)
  sending.resolve()
  await expect.poll(isLoaded).toBe(true)
  expect(await below.boundingBox()).toEqual(before)
})

test('a phone loads a picture in its own width, as AVIF if there is one', async () => {
  await open('900x600', 'phone')
  await expect.poll(isLoaded).toBe(true)
  expect(await picture().evaluate((image: HTMLImageElement) => new URL(image.currentSrc).search)).toBe('?w=480&as=avif')
})

test('a tall picture is as wide as it is drawn, on a page and on paper, without an address under it', async () => {
  await open('600x1400', 'desktop')
  await page.locator('.prose .picture a img').waitFor()
  await expect.poll(async () => (await box()).height).toBeGreaterThan(500)
  expect((await box()).width / (await box()).height).toBeCloseTo(600 / 1400, 2)
  await page.emulateMedia({ media: 'print' })
  expect((await box()).width / (await box()).height).toBeCloseTo(600 / 1400, 2)
  expect(await after('.prose .picture a')).toBe('none')
  expect(await after('.prose .file a')).toBe('none')
  expect(await after('.prose p a[href^="https://"]')).toContain('https://example.org/tea')
})

test('a picture like a strip shows its beginning, in full width, and is whole once a reader asks for it, and on paper', async () => {
  await open('600x3000', 'desktop')
  await expect.poll(async () => (await box()).width).toBe(600)
  expect((await box()).height).toBeLessThan(600)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(async () => (await box()).height / (await box()).width).toBeCloseTo(5, 1)
  await page.emulateMedia({ media: null })
  await page.getByRole('button', { name: 'Show the whole picture' }).click()
  await expect.poll(async () => (await box()).height).toBe(3000)
})

import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let desktop: BrowserContext
let phone: BrowserContext
let faults: string[]

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  const browser = await openBrowser()
  desktop = await browser.newContext({ reducedMotion: 'reduce' })
  phone = await browser.newContext({ hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(() => {
  faults = []
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

async function open(query = '', width = 1280): Promise<Page> {
  const page = await emptyPage(width < 600 ? phone : desktop, site)
  await page.setViewportSize({ width, height: 800 })
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`${site.origin}/?pictures&${query}`)
  await page.locator('.picture a').first().waitFor()
  return page
}

const viewer = (page: Page) => page.getByRole('dialog', { name: /^(Pictures|图片浏览)$/ })
const link = (page: Page, at: number) => page.locator('.picture a').nth(at)
const isFocused = (page: Page, at: number) => link(page, at).evaluate((it) => it === document.activeElement)
const currentSlide = (page: Page) => viewer(page).locator('.yarl__slide_current')

test('a picture opens by a click, and the post’s others follow it by buttons and keys', async () => {
  const page = await open()
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await page.getByRole('textbox', { name: 'Body' }).waitFor()
  expect(scripts.filter((url) => url.includes('picture-viewer'))).toEqual([])
  await link(page, 0).click()
  await currentSlide(page).getByText('A cup').waitFor()
  expect(await currentSlide(page).getByRole('img').getAttribute('alt')).toBe('A cup')
  await currentSlide(page).getByText('1 / 3').waitFor()
  await viewer(page).getByRole('button', { name: 'Next picture' }).click()
  await currentSlide(page).getByText('2 / 3').waitFor()
  await page.keyboard.press('ArrowRight')
  await currentSlide(page).getByText('A pot').waitFor()
  expect(await viewer(page).getByRole('button', { name: 'Next picture' }).isDisabled()).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await currentSlide(page).getByText('2 / 3').waitFor()
  expect(await accessibilityViolations(page, { within: '[role="dialog"]' })).toEqual([])
})

test('Enter opens it, Esc closes it, the page keeps its position, and so does the history', async () => {
  const page = await open()
  await page.evaluate(() => history.replaceState({ mine: true }, ''))
  const length = await page.evaluate(() => history.length)
  await link(page, 1).focus()
  await page.keyboard.press('Enter')
  await viewer(page).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => viewer(page).count()).toBe(0)
  await expect.poll(() => isFocused(page, 1)).toBe(true)
  expect(await page.evaluate(() => [location.search, history.state])).toEqual(['?pictures&', { mine: true }])
  expect(await page.evaluate(() => history.length)).toBe(length + 1)
})

test('the browser’s back closes it and leaves the page as it is', async () => {
  const page = await open()
  await page.getByRole('textbox', { name: 'Body' }).fill('half a thought')
  const [address, before] = [page.url(), site.calls.length]
  await link(page, 2).click()
  await viewer(page).waitFor()
  await page.goBack()
  await expect.poll(() => viewer(page).count()).toBe(0)
  expect([page.url(), await page.getByRole('textbox', { name: 'Body' }).innerText()]).toEqual([address, 'half a thought'])
  await expect.poll(() => isFocused(page, 2)).toBe(true)
  expect(site.calls.length).toBe(before)
})

test('a picture is drawn nearer by button, by wheel, and by two clicks', async () => {
  const page = await open()
  const wide = () =>
    currentSlide(page)
      .getByRole('img')
      .evaluate((image) => image.getBoundingClientRect().width)
  await link(page, 0).click()
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click()
  const first = await wide()
  await expect.poll(wide).toBeGreaterThan(800)
  await viewer(page).getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(wide).toBeLessThanOrEqual(Math.max(first, 1280))
})

test('a picture opens alone in another tab', async () => {
  const page = await open()
  const other = page.context().waitForEvent('page')
  await link(page, 0).click({ modifiers: ['Control'] })
  const tab = await other
  await expect.poll(() => tab.url()).toContain('/file/f_0')
  expect(await viewer(page).count()).toBe(0)
})

test('a picture fills the screen on a phone, is zoomed by two fingers, and its cross is easily hit', async () => {
  const page = await open('lang=zh', 390)
  await link(page, 0).tap()
  const image = currentSlide(page).getByRole('img')
  await image.waitFor()
  const wide = () => image.evaluate((it) => it.getBoundingClientRect().width)
  await expect.poll(wide).toBeCloseTo(390, 0)
  const line = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    line.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [195 - apart, 195 + apart].map((x, id) => ({ x, y: 400, id })),
    })
  await touch('touchStart', 30)
  for (const apart of [50, 70, 90, 110]) await touch('touchMove', apart)
  await touch('touchEnd', 0)
  await expect.poll(wide).toBeGreaterThan(390)
  const { width = 0, height = 0 } = (await viewer(page).getByRole('button', { name: '关闭' }).boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(40)
  await viewer(page).getByRole('button', { name: '关闭' }).tap()
  await expect.poll(() => viewer(page).count()).toBe(0)
})

test('a viewer that cannot be fetched says so', async () => {
  const page = await open()
  await page.route('**/assets/picture-viewer-*', (route) => route.abort())
  await link(page, 0).click()
  await page.getByText('The picture couldn’t be opened.').waitFor()
  faults = faults.filter((fault) => !fault.includes('ERR_FAILED'))
})

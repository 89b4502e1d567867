import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { cheapViolations } from '#base/testing/accessibility-checks.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await componentPage('./sheet-page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

afterEach(() => page.context().close())

async function open(path = '/thread', height = 844): Promise<void> {
  page = await browser.newPage({ viewport: { width: 390, height }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  await page.goto(`${site.origin}/list`)
  await page.goto(site.origin + path)
}

const sheet = () => page.getByRole('dialog', { name: 'Your comment' })
const text = () => sheet().getByLabel('Text')
const begin = () => page.getByRole('button', { name: 'Write' }).tap()
const heightOf = async () => (await sheet().boundingBox())?.height ?? 0

test.each([844, 510])('a sheet takes all of a phone %i high, is put away with one tap, and keeps its text', async (height) => {
  await open('/thread', height)
  await begin()
  await text().fill('A first note')
  expect(await sheet().boundingBox()).toEqual({ x: 0, y: 0, width: 390, height })
  expect(await cheapViolations(page)).toEqual([])
  await sheet().getByRole('button', { name: 'Close and keep as draft' }).tap()
  await expect.poll(() => sheet().isVisible()).toBe(false)
  await begin()
  expect(await text().inputValue()).toBe('A first note')
  await page.keyboard.press('Escape')
  await expect.poll(() => sheet().isVisible()).toBe(false)
})

test('going back puts a sheet away and leaves the page as it is; a sheet that was sent leaves no step behind', async () => {
  await open()
  await begin()
  await text().fill('A first note')
  await page.goBack()
  await expect.poll(() => sheet().isVisible()).toBe(false)
  expect(new URL(page.url()).pathname).toBe('/thread')
  await begin()
  expect(await text().inputValue()).toBe('A first note')
  await sheet().getByRole('button', { name: 'Post' }).tap()
  await expect.poll(() => page.locator('output').textContent()).toBe('1')
  await expect.poll(() => page.evaluate(() => history.state?.isOver ?? false)).toBe(false)
  await page.goBack()
  await page.getByRole('heading', { name: 'The list' }).waitFor()
})

test('the handle of a sheet of half the height makes it whole and half again, and a tap on the page above puts it away', async () => {
  await open('/thread?half')
  await begin()
  await text().fill('A first note')
  expect(await heightOf()).toBeLessThan(500)
  expect(await cheapViolations(page)).toEqual([])
  const handle = sheet().getByRole('button', { name: 'Full height' })
  const from = await handle.boundingBox()
  await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) + 12)
  await page.mouse.down()
  await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) - 120, { steps: 4 })
  await page.mouse.up()
  await expect.poll(heightOf).toBe(844)
  await sheet().getByRole('button', { name: 'Half height' }).press('Enter')
  await expect.poll(heightOf).toBeLessThan(500)
  await page.mouse.click(195, 80)
  await expect.poll(() => sheet().isVisible()).toBe(false)
  await begin()
  expect(await text().inputValue()).toBe('A first note')
})

test('a form with a page of its own is a sheet with the button on top, and putting it away leads back', async () => {
  await open()
  await page.getByRole('link', { name: 'A new one' }).tap()
  const its = page.getByRole('dialog', { name: 'A new thread' })
  const post = await its.getByRole('button', { name: 'Post' }).boundingBox()
  expect((post?.y ?? 100) + (post?.height ?? 0)).toBeLessThan(60)
  await its.getByRole('button', { name: 'Close and keep as draft' }).tap()
  await page.getByRole('heading', { name: 'A thread' }).waitFor()
  // From outside there is no page to go back to.
  await page.context().close()
  await open('/new')
  await page.getByRole('dialog', { name: 'A new thread' }).getByRole('button', { name: 'Close and keep as draft' }).tap()
  await page.waitForURL('**/list')
})

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await componentPage('./name-page.tsx')
  site.answer = answer
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

afterEach(() => page.context().close())

function answer({ path }: ReceivedRequest): Answer {
  if (path === '/follow/member') return { body: { counts: null, canBeFollowed: false, isFollowed: null, way: null } }
  const user = { id: '7', name: 'Mei', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
  const counts = { topics: 3, comments: 12, replies: 4, questions: 0, answers: 0, adopted: 0 }
  return { body: { user, level: { rank: 2, name: { zh: '茶客', en: 'Guest' } }, joinedAt: '2026-01-01T00:00:00.000Z', counts } }
}

async function open(as: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }): Promise<void> {
  page = await browser.newPage(as)
  await page.goto(`${site.origin}/thread`)
  await name().waitFor()
}

const name = () => page.locator('article').getByRole('link', { name: 'Mei' })
const card = () => page.getByRole('dialog', { name: 'About Mei' })
const counted = () => card().getByRole('link', { name: /comment/ })

test('a mouse resting on a name shows the member’s card, and Escape closes it', async () => {
  await open()
  await name().hover()
  await counted().waitFor()
  expect(await accessibilityViolations(page, { within: '[role="dialog"]' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => card().count()).toBe(0)
})

test('the keyboard shows the card of a name and continues into it', async () => {
  await open()
  await page.getByRole('button', { name: 'Before' }).focus()
  await page.keyboard.press('Tab')
  await counted().waitFor()
  await page.keyboard.press('Tab')
  expect(await card().evaluate((box) => box.contains(document.activeElement))).toBe(true)
})

test('a finger that holds a name sees the card, and one that taps goes to the page', async () => {
  await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const place = await name().boundingBox()
  const touch = await page.context().newCDPSession(page)
  const points = [{ x: (place?.x ?? 0) + 8, y: (place?.y ?? 0) + 8 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points })
  await counted().waitFor()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  expect(new URL(page.url()).pathname).toBe('/thread')
  await name().tap()
  await page.waitForURL('**/user/control/home?userId=7')
})

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let picture: Locator

beforeAll(async () => {
  site = await componentPage('../../features/foundation/user/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext({ hasTouch: true })
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  page = await emptyPage(context, site)
  await page.goto(site.origin)
  picture = page.locator('form img').first()
  await picture.waitFor()
})

/** The zoom: the width of the picture in widths of the stage. */
async function nearness(): Promise<number> {
  return picture.evaluate((image: HTMLElement) => Number.parseFloat(image.style.width) / 100)
}

type Turn = { deltaY: number; deltaMode?: number; ctrlKey?: boolean }

/** Sends all events before the next frame. */
async function turn(...turns: Turn[]): Promise<void> {
  await picture.evaluate((image, all) => {
    for (const one of all) image.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...one }))
  }, turns)
}

test('a fine wheel comes as near by many small turns before one frame as a coarse one by one', async () => {
  await turn(...Array.from({ length: 40 }, () => ({ deltaY: -5 })))
  await expect.poll(nearness).toBeCloseTo(Math.exp(200 / 400), 2)
  await turn({ deltaY: 100 }, { deltaY: 100 })
  await expect.poll(nearness).toBeCloseTo(1, 2)
})

test('a wheel that counts lines, and a pinch on a trackpad, zoom as far as they turn', async () => {
  await turn({ deltaY: -3, deltaMode: 1 })
  await expect.poll(nearness).toBeCloseTo(Math.exp(99 / 400), 2)
  await turn({ deltaY: 3, deltaMode: 1 })
  await turn(...Array.from({ length: 10 }, () => ({ deltaY: -5, ctrlKey: true })))
  await expect.poll(nearness).toBeCloseTo(Math.exp(50 / 100), 2)
})

test('two fingers that part come nearer as far as both of them went', async () => {
  const { x, y, width } = (await picture.locator('..').boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const at = (apart: number) => [-apart, apart].map((by, id) => ({ x: x + width / 2 + by, y: y + width / 2, id }))
  const devtools = await context.newCDPSession(page)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(40) })
  for (const apart of [50, 60, 80]) await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(apart) })
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect.poll(nearness).toBeCloseTo(2, 1)
})

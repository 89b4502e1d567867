import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Keys } from '#base/testing/keys-page.ts'
import { aSite } from '#base/testing/page.ts'
import { leave, openBrowser } from '../../tools/browser.ts'

let page: Page

beforeAll(async () => {
  const site = await aSite('./keys-page.ts')
  const browser = await openBrowser()
  page = await browser.newPage()
  await page.goto(site.origin)
  await page.locator('#text').waitFor()
  return async () => {
    await leave(browser)
    await site.close()
  }
})

beforeEach(() => page.evaluate(() => void (window.keys.done.length = 0)))

const done = (): Promise<Keys['done']> => page.evaluate(() => window.keys.done)

async function press(...keys: string[]): Promise<string[]> {
  for (const key of keys) await page.keyboard.press(key)
  return done()
}

const rest = () => page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())

test('a key does what it is offered for, two after each other do what they do together', async () => {
  await rest()
  expect(await press('j', 'g', 'h', 'h', 'Shift+?')).toEqual(['j', 'g h', 'h', '?'])
  expect(await press('x', 'g', 'x', 'h')).toEqual(['j', 'g h', 'h', '?', 'h'])
})

test('with the keys of the browser and the system it does nothing', async () => {
  await rest()
  expect(await press('Control+j', 'Alt+j', 'Meta+e')).toEqual([])
})

test.each(['input', '#text'])('whoever writes in %s writes', async (place) => {
  await page.locator(place).focus()
  expect(await press('j', 'e', 'Shift+?')).toEqual([])
})

test('whoever composes is not disturbed, by either of the ways in which browsers say so', async () => {
  await page.evaluate(() => {
    for (const how of [{ isComposing: true }, { keyCode: 229 }])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, ...how }))
  })
  expect(await done()).toEqual([])
})

test('while a dialog asks, and where they are switched off, keys do nothing', async () => {
  await rest()
  await page.evaluate(() => window.keys.dialog.showModal())
  expect(await press('j')).toEqual([])
  await page.evaluate(() => window.keys.dialog.close())
  await page.evaluate(() => window.keys.switch(false))
  expect(await press('j')).toEqual([])
  await page.evaluate(() => window.keys.switch(true))
  expect(await press('j')).toEqual(['j'])
})

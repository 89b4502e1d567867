import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Keys } from '#base/testing/keys-page.ts'
import { componentPage } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

declare global {
  interface Window {
    goOn: () => void
  }
}

let page: Page

beforeAll(async () => {
  const site = await componentPage('./keys-page.ts')
  const browser = await openBrowser()
  page = await browser.newPage()
  await page.goto(site.origin)
  await page.locator('#text').waitFor()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(() => page.evaluate(() => void (window.keys.runs.length = 0)))

const runs = (): Promise<Keys['runs']> => page.evaluate(() => window.keys.runs)

async function press(...keys: string[]): Promise<string[]> {
  for (const key of keys) await page.keyboard.press(key)
  return runs()
}

const rest = () => page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())

test('a key runs its own command, and two in sequence run theirs', async () => {
  await rest()
  expect(await press('j', 'g', 'h', 'h', 'Shift+?')).toEqual(['j', 'g h', 'h', '?'])
  expect(await press('x', 'g', 'x', 'h')).toEqual(['j', 'g h', 'h', '?', 'h'])
})

test('with the keys of the browser and the system it does nothing', async () => {
  await rest()
  expect(await press('Control+j', 'Alt+j', 'Meta+e')).toEqual([])
})

test.each(['input', '#text'])('keys typed in %s are text', async (place) => {
  await page.locator(place).focus()
  expect(await press('j', 'e', 'Shift+?')).toEqual([])
})

test('keys of a composition run no command, in either form that browsers report', async () => {
  await page.evaluate(() => {
    for (const how of [{ isComposing: true }, { keyCode: 229 }])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, ...how }))
  })
  expect(await runs()).toEqual([])
})

describe('while the page works, keys', () => {
  async function pressedMeanwhile(...pressed: string[]): Promise<void> {
    await rest()
    await page.evaluate(() => void (window.goOn = window.keys.keep()))
    expect(await press(...pressed)).toEqual([])
    await page.evaluate(() => window.goOn())
  }

  test('wait, and are run in order once it is ready', async () => {
    await pressedMeanwhile('j', 'h', 'e')
    await expect.poll(runs).toEqual(['j', 'h', 'e'])
    expect(await press('j')).toEqual(['j', 'h', 'e', 'j'])
  })

  test('that follow one which leads into a text are text', async () => {
    await page.evaluate(() => void (window.keys.field.value = ''))
    await pressedMeanwhile('j', 'w', 'h', 'e', 'j')
    await expect.poll(() => page.evaluate(() => window.keys.field.value)).toBe('hej')
    expect(await runs()).toEqual(['j'])
  })

  test('that follow one which opens a dialog are no commands', async () => {
    await pressedMeanwhile('q', 'j', 'h')
    await expect.poll(() => page.evaluate(() => window.keys.dialog.open)).toBe(true)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn)))))
    await page.evaluate(() => window.keys.dialog.close())
    await rest()
    expect(await press('e')).toEqual(['e'])
  })

  test('that decide at once decide nothing that was not seen, and say so', async () => {
    await pressedMeanwhile('a', 'j')
    await expect.poll(runs).toEqual(['not a', 'j'])
    expect(await press('a')).toEqual(['not a', 'j', 'a'])
  })
})

test('keys do nothing during a dialog, and when they are switched off', async () => {
  await rest()
  await page.evaluate(() => window.keys.dialog.showModal())
  expect(await press('j')).toEqual([])
  await page.evaluate(() => window.keys.dialog.close())
  await page.evaluate(() => window.keys.switch(false))
  expect(await press('j')).toEqual([])
  await page.evaluate(() => window.keys.switch(true))
  expect(await press('j')).toEqual(['j'])
})

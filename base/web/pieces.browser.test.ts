import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page
const complaints: string[] = []
const isMeant = /status of 503|'TrustedHTML' assignment/

beforeAll(async () => {
  site = await componentPage('./gallery.tsx')
  const browser = await openBrowser()
  const context = await browser.newContext({ timezoneId: 'Asia/Shanghai' })
  page = await context.newPage()
  await page.clock.install()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && !isMeant.test(message.text()) && complaints.push(message.text()))
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

afterEach(() => {
  if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = () => ({})
  await page.goto(site.origin)
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const result = () => page.locator('#result').textContent()
const hasFocus = (role: 'button' | 'menuitem' | 'textbox', name: string) =>
  page.getByRole(role, { name }).evaluate((element) => element === document.activeElement)

describe('the loading overlay', () => {
  const bar = () => page.getByRole('progressbar')

  test('is shown while a call runs, and 300 ms longer', async () => {
    let free: () => void = () => undefined
    site.answer = () => new Promise((answer) => (free = () => answer({})))
    await press('Call')
    await bar().waitFor({ state: 'attached' })
    // Less than the limit of a call, and more than passes on a busy machine before it is there.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 15_000)
    free()
    await expect.poll(result).toBe('answered')
    await page.clock.runFor(290)
    expect(await bar().count()).toBe(1)
    await page.clock.runFor(10)
    await bar().waitFor({ state: 'detached' })
    await page.clock.resume()
  })

  test('goes on when another call begins meanwhile', async () => {
    let free: () => void = () => undefined
    await press('Call')
    await expect.poll(result).toBe('answered')
    site.answer = () => new Promise((answer) => (free = () => answer({})))
    await press('Call')
    await expect.poll(() => site.calls.length).toBe(2)
    await page.clock.runFor(1_000)
    expect(await bar().count()).toBe(1)
    free()
    await bar().waitFor({ state: 'detached' })
  })

  test('is not there for a silent call', async () => {
    let free: () => void = () => undefined
    site.answer = () => new Promise((answer) => (free = () => answer({})))
    await press('Call in silence')
    await expect.poll(() => site.calls.length).toBe(1)
    await page.clock.runFor(1_000)
    expect(await bar().count()).toBe(0)
    free()
  })
})

describe('a message', () => {
  test('goes by itself, unless it is persistent; a shown one is not repeated', async () => {
    // At once, because the first message goes after five seconds.
    await page.getByRole('button', { name: /^Say( for long)?$/ }).evaluateAll((buttons: HTMLElement[]) => {
      for (const button of buttons) for (let times = 0; times < 2; times++) button.click()
    })
    const status = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Close' }) })
    await expect.poll(() => status.locator('p').allTextContents()).toEqual(['The pot is warm', 'Invalid request (400)'])
    await page.clock.fastForward(5_000)
    await page.getByText('The pot is warm').waitFor({ state: 'detached' })
    await status.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Invalid request (400)').waitFor({ state: 'detached' })
  })

  test('stays while the mouse is over it', async () => {
    await press('Say')
    await page.getByText('The pot is warm').hover()
    await page.clock.fastForward(6_000)
    expect(await page.getByText('The pot is warm').count()).toBe(1)
    await page.mouse.move(0, 0)
    await page.clock.fastForward(5_000)
    await page.getByText('The pot is warm').waitFor({ state: 'detached' })
  })
})

test("the site's notice is a dialog with plain text, shown once", async () => {
  site.answer = () => ({ status: 503, body: '<b>Back at noon</b>' })
  await press('Call')
  const notice = page.getByRole('dialog', { name: 'Notice' })
  await notice.waitFor()
  expect(await notice.locator('p').textContent()).toBe('<b>Back at noon</b>')
  await notice.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'hidden' })
  await press('Call')
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  expect(await notice.count()).toBe(0)
})

describe('a question', () => {
  test.each([
    ['the action', () => press('Pour away'), 'true'],
    ['cancelling', () => press('Cancel'), 'false'],
    ['Esc', () => page.keyboard.press('Escape'), 'false'],
    ['the cross', () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(), 'false'],
  ] as const)('is answered by %s, and focus goes back', async (_, answer, expected) => {
    await press('Ask')
    expect(await hasFocus('button', 'Cancel')).toBe(true)
    await answer()
    await expect.poll(result).toBe(expected)
    expect(await hasFocus('button', 'Ask')).toBe(true)
  })

  test('asks for one line that will do', async () => {
    await press('Prompt')
    const name = page.getByRole('textbox', { name: 'Name' })
    expect(await hasFocus('textbox', 'Name')).toBe(true)
    await name.fill('Pot 1')
    await press('Name it')
    await page.getByText('Illegal input').waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('pot')
    expect(await page.getByText('Illegal input').count()).toBe(0)
    await name.press('Enter')
    await expect.poll(result).toBe('pot')
    expect(await hasFocus('button', 'Prompt')).toBe(true)
  })
})

describe('a menu', () => {
  test('is walked by arrow keys, and chosen from by Enter', async () => {
    await page.getByRole('button', { name: 'More' }).press('Enter')
    await expect.poll(() => hasFocus('menuitem', 'Edit')).toBe(true)
    await page.keyboard.press('ArrowUp')
    expect(await hasFocus('menuitem', 'Delete')).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await hasFocus('menuitem', 'To the form')).toBe(true)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect.poll(result).toBe('edited')
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await hasFocus('button', 'More')).toBe(true)
  })

  test('is closed by Esc and by a click elsewhere, and stays in the window', async () => {
    await press('More')
    await expect.poll(() => hasFocus('menuitem', 'Edit')).toBe(true)
    const box = await page.getByRole('menu').boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 1280 && box.y > 0).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('menu').count()).toBe(0)
    await press('More')
    await page.mouse.click(2, 2)
    expect(await page.getByRole('menu').count()).toBe(0)
  })
})

describe('HTML on the page', () => {
  test('our own HTML is there under the policy, and stays the same while the page is drawn again', async () => {
    expect(await page.locator('#post h2').textContent()).toBe('How to brew 龙井')
    const same = await page.evaluate(async () => {
      const before = document.querySelector('#post pre')
      ;[...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith('Draw again'))?.click()
      await new Promise(requestAnimationFrame)
      return before === document.querySelector('#post pre')
    })
    expect(await page.getByRole('button', { name: 'Draw again 1' }).count()).toBe(1)
    expect(same).toBe(true)
  })

  test('no other code may put HTML there', async () => {
    const fault = await page.evaluate(() => {
      try {
        document.body['innerHTML' as 'textContent'] = '<b>x</b>'
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'odd'
      }
    })
    expect(fault).toBe('TypeError')
  })

  test('a time is its date first, then how long ago, and exact in the reader’s zone', async () => {
    const first = await page.goto(site.origin, { waitUntil: 'domcontentloaded' }).then(() => page.locator('time').textContent())
    expect(first).toBe('2026-03-01')
    await expect.poll(() => page.locator('time').textContent()).toBe('3 hours ago')
    expect(await page.locator('time').getAttribute('title')).toBe('Mar 1, 2026, 5:00:00 PM')
  })
})

describe('the focus after a navigation', () => {
  const arrived = () => page.locator('#arrived')

  test('goes to the new page once the old one is gone, however late', async () => {
    await press('Leave')
    await arrived().and(page.locator(':focus')).waitFor()
  })

  test('stays where a person has put it meanwhile', async () => {
    await press('Leave')
    await page.getByLabel('Go to').focus()
    await arrived().waitFor()
    await page.clock.runFor(5_000)
    expect(await page.getByLabel('Go to').evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe('pages', () => {
  test('are real links that keep the rest of the query', async () => {
    await page.goto(`${site.origin}/?tagId=3&page=6&commentId=9`)
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await links.first().waitFor()
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      [5, 1, 4, 5, 6, 7, 8, 20, 7].map((number) => (number === 1 ? '/?tagId=3' : `/?tagId=3&page=${number}`)),
    )
    expect(await page.getByText('400 in total').count()).toBe(1)
  })

  test('are chosen by number, within their range', async () => {
    await page.goto(`${site.origin}/?tagId=3`)
    await page.getByLabel('Go to').fill('12')
    await page.getByLabel('Go to').press('Enter')
    await expect.poll(() => page.url()).toBe(`${site.origin}/?tagId=3&page=12`)
  })
})

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  test.each(['/', '/form', '/?lang=zh', '/form?lang=zh'])('axe finds nothing on %s', async (path) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(site.origin + path)
    if (path.startsWith('/form')) await page.getByRole('button', { name: 'Pour tea' }).click()
    else await page.getByRole('button', { name: 'Say for long' }).click()
    expect(await accessibilityViolations(page)).toEqual([])
  })
})

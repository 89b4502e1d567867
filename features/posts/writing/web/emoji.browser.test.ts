import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
  desktop = await browser.newContext()
  phone = await browser.newContext({ hasTouch: true, isMobile: true })
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
  await page.goto(`${site.origin}/?${query}`)
  await textOf(page).waitFor()
  return page
}

const textOf = (page: Page) => page.getByRole('textbox', { name: /Body|正文/ })
const button = (page: Page) => page.getByRole('button', { name: /^(Emoji|表情)$/ })
const panel = (page: Page) => page.getByRole('dialog', { name: /^(Emoji|表情)$/ })
const search = (page: Page) => panel(page).getByRole('searchbox')
const results = (page: Page) => panel(page).getByRole('gridcell')

/** The number of emoji in each row under a heading. */
function rowsUnder(page: Page, heading: string): Promise<number[]> {
  return panel(page).evaluate((element, name) => {
    const headings = [...element.querySelectorAll<HTMLElement>('[frimousse-category-header]')].filter(({ textContent }) => textContent)
    const at = headings.findIndex(({ textContent }) => textContent === name)
    const [from, to] = [headings[at], headings[at + 1]].map((one) => one?.parentElement?.offsetTop ?? Infinity)
    const rows = [...element.querySelectorAll<HTMLElement>('[role="row"]')]
    return rows.filter((row) => row.offsetTop >= (from ?? 0) && row.offsetTop < (to ?? 0)).map((row) => row.children.length)
  }, heading)
}

describe('emoji', () => {
  test('come from our own origin when they are opened first, nine to a line', async () => {
    const page = await open()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await textOf(page).focus()
    expect(urls).toEqual([])
    await button(page).click()
    await results(page).first().waitFor()
    expect(urls.every((url) => url.startsWith(site.origin))).toBe(true)
    expect(await rowsUnder(page, 'Frequently used')).toEqual([9])
    expect(new Set(await rowsUnder(page, 'Smileys'))).toEqual(new Set([9]))
    expect(await accessibilityViolations(page, { within: '[popover]' })).toEqual([])
  })

  test.each([
    ['', 'Rich text', '热茶'],
    ['', 'Markdown', 'teacup'],
    ['plain', 'Rich text', 'teacup'],
    ['lang=zh&plain', 'Markdown', 'teacup'],
  ])('with %j as %s: the emoji found for "%s" goes to where the cursor was', async (query, view, word) => {
    const page = await open(query)
    if (view === 'Markdown') await page.getByRole('button', { name: view }).click()
    await textOf(page).focus()
    await page.keyboard.type('ab')
    await page.keyboard.press('ArrowLeft')
    await button(page).click()
    await search(page).fill(word)
    await expect.poll(() => results(page).first().textContent()).toBe('🍵')
    await search(page).press('Enter')
    await expect.poll(() => panel(page).count()).toBe(0)
    await page.keyboard.type('!')
    const written = () => (view === 'Markdown' ? textOf(page).inputValue() : textOf(page).innerText())
    await expect.poll(written).toBe('a🍵!b')
  })

  test('are walked through by the arrows, and Escape leaves', async () => {
    const page = await open()
    await textOf(page).focus()
    await page.keyboard.type('a')
    await button(page).focus()
    await page.keyboard.press('Enter')
    await results(page).first().waitFor()
    await expect.poll(() => search(page).evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => panel(page).locator('[data-active]').first().getAttribute('aria-label')).toBe('face with tears of joy')
    await page.keyboard.press('Enter')
    await expect.poll(() => textOf(page).innerText()).toBe('a😂')
    await button(page).click()
    await expect.poll(() => search(page).evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => panel(page).count()).toBe(0)
    await button(page).click()
    await panel(page).waitFor()
    await button(page).click()
    await expect.poll(() => panel(page).count()).toBe(0)
  })

  test('ninety are found at most, and no key of an input method chooses', async () => {
    const page = await open('lang=zh')
    await button(page).click()
    await search(page).fill('a')
    await panel(page).getByText('找到 90 个').waitFor()
    const line = await page.context().newCDPSession(page)
    await line.send('Input.imeSetComposition', { text: 'cha', selectionStart: 3, selectionEnd: 3 })
    await line.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 })
    await line.send('Input.insertText', { text: '茶' })
    expect(await panel(page).count()).toBe(1)
    expect(site.calls.map(({ path }) => path)).not.toContain('/try')
  })
})

describe('groups of emoji', () => {
  const groups = (page: Page) =>
    panel(page)
      .getByRole('toolbar', { name: /Emoji groups|表情分类/ })
      .getByRole('button')
  const currentOf = (page: Page) => panel(page).locator('[aria-current="true"]').getAttribute('aria-label')
  const atTop = (page: Page) =>
    panel(page).evaluate((element) => {
      const { left, top } = element.querySelector('[frimousse-viewport]')?.getBoundingClientRect() ?? { left: 0, top: 0 }
      return document.elementFromPoint(left + 20, top + 16)?.textContent
    })

  test('are one step away, and the one in view is marked', async () => {
    const page = await open()
    await button(page).click()
    await results(page).first().waitFor()
    expect(await groups(page).count()).toBe(10)
    expect(await currentOf(page)).toBe('Frequently used')
    for (const name of ['Food and drink', 'Flags', 'Smileys']) {
      await groups(page)
        .and(page.getByLabel(name, { exact: true }))
        .click()
      await expect.poll(() => currentOf(page)).toBe(name)
      await expect.poll(() => atTop(page)).toBe(name)
    }
    await results(page).first().hover()
    await page.mouse.wheel(0, 100_000)
    await expect.poll(() => currentOf(page)).toBe('Flags')
    await search(page).fill('tea')
    await panel(page).getByText(/found/i).first().waitFor()
    expect(await groups(page).count()).toBe(0)
  })

  test('are reached by keys, and the arrows lead on from their first', async () => {
    const page = await open('lang=zh')
    await textOf(page).focus()
    await button(page).click()
    await results(page).first().waitFor()
    await expect.poll(() => search(page).evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => currentOf(page)).toBe('食物与饮料')
    await expect.poll(() => panel(page).locator('[data-active]').first().textContent()).toBe('🍇')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => textOf(page).innerText()).toBe('🍈')
  })

  test('are in columns of one width, however wide a sign is', async () => {
    const page = await open()
    await button(page).click()
    await results(page).first().waitFor()
    const widths = await results(page).evaluateAll((cells) => {
      const [, second] = cells
      if (second) second.textContent = '👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧'
      return [...new Set(cells.slice(0, 9).map((cell) => Math.round(cell.getBoundingClientRect().width)))]
    })
    expect(widths).toHaveLength(1)
  })
})

describe('emoji on a device', () => {
  test('the chosen one of six skin tones is remembered on the device', async () => {
    const page = await open()
    await button(page).click()
    const tones = panel(page).getByRole('group', { name: 'Skin tone' }).getByRole('button')
    await tones.first().waitFor()
    expect(await tones.count()).toBe(6)
    await tones.nth(5).click()
    expect(await page.evaluate(() => localStorage.getItem('emojiSkinTone'))).toBe('6')
    await page.reload()
    await textOf(page).focus()
    await button(page).click()
    await search(page).fill('thumbs up')
    await expect.poll(() => results(page).first().textContent()).toBe('👍🏿')
    await results(page).first().click()
    await expect.poll(() => textOf(page).innerText()).toBe('👍🏿')
    await button(page).click()
    await expect.poll(() => results(page).first().textContent()).toBe('👍🏿')
  })

  test('used often are in four rows at most', async () => {
    const page = await open()
    await page.evaluate(() => {
      const used = Array.from({ length: 60 }, (_, at) => [(0x1f400 + at).toString(16).toUpperCase(), at])
      localStorage.setItem('emojiUsed', JSON.stringify(used))
    })
    await button(page).click()
    await results(page).first().waitFor()
    expect(await rowsUnder(page, 'Frequently used')).toEqual([9, 9, 9, 9])
  })

  test('are a sheet at the bottom of a phone', async () => {
    const page = await open('lang=zh', 390)
    await button(page).tap()
    await results(page).first().waitFor()
    const { x, y, width, height } = (await panel(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    expect([x, width, y + height]).toEqual([0, 390, 800])
    // The search does not get the focus, so that no keyboard covers it.
    expect(await search(page).evaluate((box) => box === document.activeElement)).toBe(false)
    await results(page).nth(1).tap()
    await expect.poll(() => textOf(page).innerText()).toBe('😂')
  })

  test('that cannot be fetched say so, and come at another try', async () => {
    const page = await open()
    let isAway = true
    await page.route('**/assets/data-*', (route) => (isAway ? route.abort() : route.continue()))
    await button(page).click()
    const again = panel(page).getByRole('button', { name: 'Try again' })
    await again.waitFor()
    isAway = false
    await again.click()
    await results(page).first().waitFor()
    faults = faults.filter((fault) => !fault.includes('ERR_FAILED'))
  })
})

import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { componentPage } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let page: Page
let origin: string

beforeAll(async () => {
  const site = await componentPage('./gallery.tsx')
  const browser = await openBrowser()
  page = await (await browser.newContext({ viewport: { width: 900, height: 900 } })).newPage()
  origin = site.origin
  await page.goto(`${origin}/direction`)
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

type Span = { left: number; right: number }

/** The positions of these words within an element. */
function placesOf(element: Locator, words: readonly string[]): Promise<Span[]> {
  return element.evaluate((root, parts) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found = new Map<string, Span>()
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const part of parts) {
        const at = text.nodeValue?.indexOf(part) ?? -1
        if (at < 0 || found.has(part)) continue
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + part.length)
        const { left, right } = range.getBoundingClientRect()
        found.set(part, { left, right })
      }
    }
    return parts.map((part) => found.get(part) ?? { left: NaN, right: NaN })
  }, words)
}

/** These words in visual order, from left to right. */
async function seen(element: Locator, words: readonly string[]): Promise<string[]> {
  const places = await placesOf(element, words)
  return words
    .map((word, at) => ({ word, left: places[at]?.left ?? NaN }))
    .toSorted((one, other) => one.left - other.left)
    .map(({ word }) => word)
}

const boxOf = async (element: Locator) => {
  const { x, width } = (await element.boundingBox()) ?? { x: NaN, width: NaN }
  return { left: x, right: x + width }
}

const post = () => page.locator('#post')

describe('in a post', () => {
  test('a paragraph is read in its own direction and begins at its own side', async () => {
    const paragraph = post().locator('p').first()
    expect(await seen(paragraph, ['مرحبا', 'بالعالم', '123', '(', 'abc', '،', 'كيف', 'الحال', '؟'])).toEqual([
      '؟',
      'الحال',
      'كيف',
      '،',
      'abc',
      '(',
      '123',
      'بالعالم',
      'مرحبا',
    ])
    const [first] = await placesOf(paragraph, ['مرحبا'])
    expect(first?.right).toBeCloseTo((await boxOf(paragraph)).right, 0)
    const link = post().locator('p', { hasText: 'رابط' })
    expect((await placesOf(link, ['رابط']))[0]?.right).toBeCloseTo((await boxOf(link)).right, 0)
    const english = post().getByText('is water')
    expect(await seen(english, ['Tea', '(', 'מים', ')', 'is', '.'])).toEqual(['Tea', '(', 'מים', ')', 'is', '.'])
    expect((await placesOf(english, ['Tea']))[0]?.left).toBeCloseTo((await boxOf(english)).left, 0)
  })

  test('the signs of lists and quotes are at the side where the text begins', async () => {
    const list = post().locator('ul')
    expect((await boxOf(list.locator('li'))).right).toBeLessThan((await boxOf(list)).right - 10)
    const quote = post().locator('blockquote')
    expect(await quote.evaluate((its) => [getComputedStyle(its).borderRightWidth, getComputedStyle(its).borderLeftWidth])).toEqual([
      '3px',
      '0px',
    ])
  })

  test('a table begins at its side, and its columns stay in place', async () => {
    const cells = post().locator('th')
    expect((await boxOf(cells.first())).left).toBeGreaterThan((await boxOf(cells.last())).left)
    const cell = post().locator('td').last()
    expect(await seen(cell, ['(', 'نعم', ')'])).toEqual([')', 'نعم', '('])
    expect((await boxOf(cell)).right - ((await placesOf(cell, ['(']))[0]?.right ?? 0)).toBeLessThan(16)
  })

  test('code, a mention and a number turn nothing around', async () => {
    const sentence = post().locator('p', { has: page.locator('.mention') })
    expect(await seen(sentence, ['قل', 'f', '(x', ')', 'ثم', 'دانة', '5'])).toEqual(['5', 'دانة', 'ثم', 'f', '(x', ')', 'قل'])
    expect(await seen(post().locator('pre'), ['x', '(', '"א"', '"ב"', ')'])).toEqual(['x', '(', '"א"', '"ב"', ')'])
  })
})

test('a line is read in its own direction, and an address from left to right', async () => {
  const lines = post().locator('p', { hasText: 'زوروا' })
  expect(await seen(lines, ['زوروا', 'https', '/tea', 'اليوم'])).toEqual(['اليوم', 'https', '/tea', 'زوروا'])
  expect(await seen(lines, ['Welcome', '(', 'Teahouse', ').'])).toEqual(['Welcome', '(', 'Teahouse', ').'])
})

describe('among words of the page', () => {
  test('a title is read in its own direction, and its neighbours stay in place', async () => {
    for (const title of ['Tea and talk', 'مرحبا abc!']) {
      const row = page.locator(`[data-title="${title}"]`)
      const link = await boxOf(row.locator('a'))
      const [before, after] = [await boxOf(row.locator('.mark')), await boxOf(row.locator('.meta'))]
      expect(before.right, title).toBeLessThan(link.left)
      expect(after.left, title).toBeGreaterThan(link.right)
    }
    const arabic = page.locator('[data-title^="مرحبا"] a')
    expect(await seen(arabic, ['مرحبا', 'abc', '!'])).toEqual(['!', 'abc', 'مرحبا'])
  })

  test('a title alone begins where all rows begin', async () => {
    const title = page.locator('#title')
    expect(await seen(title, ['مرحبا', 'abc', '!'])).toEqual(['!', 'abc', 'مرحبا'])
    const { left } = await boxOf(title)
    expect((await placesOf(title, ['!']))[0]?.left).toBeCloseTo(left, 0)
  })

  test('a line that is cut off loses its end', async () => {
    const line = page.locator('#long')
    const [[first, last], box] = [await placesOf(line, ['مرحبا', 'اليوم']), await boxOf(line)]
    expect(first?.right).toBeCloseTo(box.right, 0)
    expect(last?.left).toBeLessThan(box.left)
  })

  test('a name in a sentence stays in its place there', async () => {
    const sentence = page.locator('#sentence')
    expect(await seen(sentence, ['مرحبا', '(', ':', 'account'])).toEqual(['(', 'مرحبا', ':', 'account'])
  })
})

test('a field takes the direction of its text', async () => {
  await page.goto(`${origin}/form`)
  for (const name of ['Title', 'Note']) {
    const field = page.getByLabel(name)
    await field.fill('مرحبا (1)')
    expect(await field.evaluate((its) => getComputedStyle(its).unicodeBidi), name).toBe('plaintext')
  }
})

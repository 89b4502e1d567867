import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let page: Page

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  const browser = await openBrowser()
  page = await browser.newPage()
  // A draft is cleared once the answer has come, and the next test may begin before.
  await page.addInitScript(() => localStorage.clear())
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  await page.goto(site.origin)
  await body().click()
})

const body = () => page.getByRole('textbox', { name: 'Body' })

async function sent(): Promise<Doc['content']> {
  await page.getByRole('button', { name: 'Publish' }).click()
  const request = () => site.calls.find(({ path }) => path === '/try')
  await expect.poll(request).toBeTruthy()
  return (JSON.parse(new URLSearchParams(request()?.body).get('body') ?? 'null') as Doc).content
}

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const greeting = 'مرحبا بالعالم 123 (abc)، كيف الحال؟'

/** The distance of the first such element's text from both sides of the field. */
function sidesOf(selector: string): Promise<{ left: number; right: number }> {
  return body().evaluate((box, its) => {
    const words = document.createRange()
    words.selectNodeContents(box.querySelector(its) ?? box)
    const [inner, outer] = [words.getBoundingClientRect(), box.getBoundingClientRect()]
    return { left: inner.left - outer.left, right: outer.right - inner.right }
  }, selector)
}

test('typed text begins at the side of its direction, and is sent as it was typed', async () => {
  await page.keyboard.type(greeting)
  const { left, right } = await sidesOf('p')
  expect(right).toBeLessThan(left)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Tea (מים) is water.')
  const english = await sidesOf('p:nth-child(2)')
  expect(english.left).toBeLessThan(english.right)
  expect(await sent()).toEqual([paragraph(greeting), paragraph('Tea (מים) is water.')])
})

test('a list and a quote have their signs where their text begins', async () => {
  await page.keyboard.type('- قهوة')
  expect((await sidesOf('li')).right).toBeGreaterThan((await sidesOf('p:last-child')).right - 1)
  expect(
    await body()
      .locator('ul')
      .evaluate((list) => getComputedStyle(list).direction),
  ).toBe('rtl')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('> اقتباس')
  expect(
    await body()
      .locator('blockquote')
      .evaluate((quote) => getComputedStyle(quote).borderRightWidth),
  ).toBe('3px')
  const item = { type: 'listItem', content: [paragraph('قهوة')] }
  expect(await sent()).toEqual([
    { type: 'bulletList', content: [item] },
    { type: 'blockquote', content: [paragraph('اقتباس')] },
  ])
})

test('a direction that is pasted is not kept, for it follows from the words', async () => {
  await page.evaluate(async (html) => {
    const box = document.querySelector('[contenteditable="true"]')
    const data = new DataTransfer()
    data.setData('text/html', html)
    box?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, '<p dir="rtl">مرحبا</p><p dir="rtl">abc</p>')
  expect(await sent()).toEqual([paragraph('مرحبا'), paragraph('abc')])
})

test('Markdown is read line by line, each in its own direction', async () => {
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  const area = page.locator('textarea')
  await area.fill(`${greeting}\nabc`)
  expect(await area.evaluate((its) => [getComputedStyle(its).unicodeBidi, getComputedStyle(its).textAlign])).toEqual(['plaintext', 'start'])
  expect(await sent()).toEqual([
    { type: 'paragraph', content: [{ type: 'text', text: greeting }, { type: 'hardBreak' }, { type: 'text', text: 'abc' }] },
  ])
})

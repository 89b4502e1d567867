import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type Answer, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page
let answer: Answer

beforeAll(async () => {
  site = await componentPage('../../features/posts/tag/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  answer = {}
  site.answer = () => answer
  page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
})
afterEach(() => page.context().close())

const open = (query = '') => page.goto(`${site.origin}/?${query}`)
const box = () => page.getByRole('combobox')
const options = () => page.getByRole('option').allInnerTexts()
const chips = () => page.getByRole('listitem').allInnerTexts()
const send = () => page.getByRole('button', { name: 'Send' }).click()
const sent = () =>
  site.calls
    .filter(({ path }) => path === '/send')
    .map(({ body }) => {
      const fields = new URLSearchParams(body)
      return [fields.get('tagId'), ...fields.getAll('tagIds')]
    })

test('tags are found by typing in either language, taken by keys, and sent with the first as the main one', async () => {
  await open()
  await box().fill('house')
  expect(await options()).toEqual(['Teahouses\nTea'])
  expect(await box().getAttribute('aria-activedescendant')).toBe(await page.getByRole('option').getAttribute('id'))
  await box().press('Enter')
  await box().fill('徒步')
  await box().press('Enter')
  await box().fill('pc')
  await expect.poll(options).toEqual(['Brewing\nTea'])
  await box().press('Enter')
  expect(await chips()).toEqual(['Main\nTeahouses', 'Hiking', 'Brewing'])
  expect(await box().getAttribute('readonly')).not.toBeNull()
  await send()
  await expect.poll(sent).toEqual([['13', '11', '21']])
})

test('any tag can become the main one, and tags are removed by their buttons and by Backspace', async () => {
  await open()
  for (const tag of ['Brewing', 'Hiking', 'Reading']) {
    await box().fill(tag)
    await box().press('Enter')
  }
  await page.getByRole('button', { name: 'Make Reading the main tag' }).click()
  expect(await chips()).toEqual(['Main\nReading', 'Brewing', 'Hiking'])
  await page.getByRole('button', { name: 'Remove Reading' }).click()
  expect(await chips()).toEqual(['Main\nBrewing', 'Hiking'])
  await box().press('Backspace')
  expect(await chips()).toEqual(['Brewing'])
  await box().press('ArrowDown')
  expect(await options()).not.toContain('Brewing\nTea')
  await box().press('Escape')
  expect(await page.getByRole('listbox').count()).toBe(0)
})

test('the chosen tags stay, also after a refusal of the server', async () => {
  await open()
  await send()
  await page.getByRole('alert').waitFor()
  expect(await box().getAttribute('aria-invalid')).toBe('true')
  await box().fill('brew')
  await box().press('Enter')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await box().fill('hik')
  await box().press('Enter')
  answer = { status: 422, body: { error: { tagId: 'Choose a tag that you can post in.' } } }
  await send()
  await page.getByRole('alert').getByText('Choose a tag that you can post in.').waitFor()
  expect(await chips()).toEqual(['Main\nBrewing', 'Hiking'])
  await page.reload()
  await expect.poll(chips).toEqual(['Main\nBrewing', 'Hiking'])
})

test('with one tag at most, another takes its place; a fixed place cannot be removed', async () => {
  await open('most=1')
  for (const tag of ['Brewing', 'Hiking']) {
    await box().fill(tag)
    await box().press('Enter')
  }
  expect(await chips()).toEqual(['Hiking'])
  await send()
  await expect.poll(sent).toEqual([['21']])
  await open('fixed')
  expect(await page.getByRole('button', { name: /Remove|main tag/ }).count()).toBe(0)
  await box().press('Backspace')
  expect(await chips()).toEqual(['Hiking'])
})

test('a tag that is suggested is the main one of none, and one more beside others while there is room', async () => {
  await open('most=2')
  const offered = () => page.getByRole('button', { name: /^Take/ }).allTextContents()
  await expect.poll(offered).toEqual(['Take Teaware', 'Take Teahouses'])
  await page.getByRole('button', { name: 'Take Teaware' }).click()
  expect(await chips()).toEqual(['Teaware'])
  await page.getByRole('button', { name: 'Take Teahouses' }).click()
  expect(await chips()).toEqual(['Main\nTeaware', 'Teahouses'])
  await send()
  await expect.poll(sent).toEqual([['12', '13']])
})

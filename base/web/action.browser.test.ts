import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page
let loads = 0

beforeAll(async () => {
  site = await componentPage('./gallery.tsx')
  const browser = await openBrowser()
  page = await browser.newPage()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = () => ({})
  await page.goto(`${site.origin}/form`)
  loads = await loaded()
})

const loaded = async () => Number(await page.locator('#loads').textContent())
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const isIdle = () => page.getByRole('button', { name: 'Rinse', exact: true, disabled: false }).waitFor()
const keys = () => site.calls.map(({ headers }) => headers['idempotency-key'])

test('an action is run once, however often its button is clicked; then it is reported, and the page is loaded again', async () => {
  await page.getByRole('button', { name: 'Rinse', exact: true }).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await page.getByText('Rinsed').waitFor()
  expect(site.calls).toHaveLength(1)
  await expect.poll(loaded).toBe(loads + 1)
})

test('an action that leads to another page does not load the one it leaves', async () => {
  await page.evaluate(() => {
    const count = document.getElementById('loads')
    const seen: unknown[] = Object.assign(window, { seen: [] }).seen
    if (count)
      new MutationObserver(() => seen.push(count.textContent)).observe(count, { childList: true, characterData: true, subtree: true })
  })
  await press('Rinse and leave')
  await page.getByRole('heading', { name: 'Pieces' }).waitFor()
  await page.getByText('Rinsed').waitFor()
  expect(await page.evaluate(() => (window as unknown as { seen: unknown[] }).seen)).toEqual([])
  await page.goBack()
  await expect.poll(loaded).toBe(loads + 1)
})

test('a refusal is shown, and nothing is loaded', async () => {
  site.answer = () => ({ status: 422, body: { error: { tea: 'The pot is in use' } } })
  await press('Rinse')
  await page.getByText('The pot is in use').waitFor()
  await isIdle()
  expect(await loaded()).toBe(loads)
})

test('an action without an answer keeps its key for another try; another action has its own', async () => {
  site.answer = () => ({ status: 500 })
  for (const [index, name] of ['Rinse', 'Rinse', 'Rinse another'].entries()) {
    await press(name)
    await expect.poll(() => site.calls.length).toBe(index + 1)
    await isIdle()
  }
  const [first, again, another] = keys()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(first)
  expect(another).not.toBe(first)
})

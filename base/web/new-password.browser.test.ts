import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page

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
  site.answer = () => ({ body: {} })
  await page.goto(`${site.origin}/password`)
})

const lock = () => page.getByRole('button', { name: 'Lock' }).click()
const again = () => page.getByLabel('Confirm password', { exact: true })
const wrongs = () => page.locator('.wrong').allTextContents()
const sent = () => site.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))

test('a new password that is typed unseen is typed twice, and both are the same', async () => {
  await page.getByLabel('Password', { exact: true }).fill('a-quiet-evening')
  await lock()
  expect(await wrongs()).toEqual(['This is required.'])
  await again().fill('a-quiet-evenings')
  await lock()
  expect(await wrongs()).toEqual(['The passwords don’t match.'])
  expect(site.calls).toEqual([])
  await again().fill('a-quiet-evening')
  await lock()
  await expect.poll(sent).toEqual([{ password: 'a-quiet-evening', passwordAgain: 'a-quiet-evening' }])
})

test('a password shown while it is typed is typed once, until it is hidden', async () => {
  await page.getByRole('button', { name: 'Show' }).click()
  expect(await again().count()).toBe(0)
  await page.getByLabel('Password', { exact: true }).fill('a-quiet-evening')
  await page.getByRole('button', { name: 'Hide' }).click()
  await again().waitFor()
  await lock()
  expect(await wrongs()).toEqual(['This is required.'])
  await page.getByRole('button', { name: 'Show' }).click()
  await lock()
  await expect.poll(sent).toEqual([{ password: 'a-quiet-evening' }])
})

import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let context: BrowserContext
let page: Page

beforeAll(async () => {
  site = await componentPage('./unsaved-page.tsx')
  const browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

async function open(path: string): Promise<void> {
  page = await emptyPage(context, site)
  await page.goto(site.origin + path)
}

const name = () => page.getByRole('textbox', { name: 'Name' })
const asked = () => page.getByRole('dialog', { name: 'Leave without saving?' })

test('a form in a dialog is not closed with unsaved text before a confirmation', async () => {
  await open('/roles')
  await page.getByRole('button', { name: 'Add a role' }).click()
  await name().fill('Gardener')
  for (const close of [() => page.keyboard.press('Escape'), () => page.getByRole('button', { name: 'Close' }).click()]) {
    await close()
    await asked().getByRole('button', { name: 'Cancel' }).click()
    expect(await name().inputValue()).toBe('Gardener')
  }
  await page.keyboard.press('Escape')
  await asked().getByRole('button', { name: 'Leave' }).click()
  await name().waitFor({ state: 'hidden' })
})

test('a form in a dialog that was saved, or holds nothing, is closed without a question', async () => {
  await open('/roles')
  await page.getByRole('button', { name: 'Add a role' }).click()
  await page.keyboard.press('Escape')
  await name().waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Add a role' }).click()
  await name().fill('Gardener')
  await page.getByRole('button', { name: 'Save' }).click()
  await name().waitFor({ state: 'hidden' })
  expect(await asked().count()).toBe(0)
})

test('a page with a form that was begun is left by a link only once one says so', async () => {
  await open('/role')
  await name().fill('Gardener')
  await page.getByRole('link', { name: 'All roles' }).click()
  await asked().getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'One role' }).waitFor()
  expect(await name().inputValue()).toBe('Gardener')
  await page.getByRole('link', { name: 'All roles' }).click()
  await asked().getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor()
})

test('a form that was refused is not saved, and asks again', async () => {
  await open('/role')
  site.answer = () => ({ status: 422, body: { error: { name: 'Taken' } } })
  await name().fill('Gardener')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Taken').waitFor()
  await page.getByRole('link', { name: 'All roles' }).click()
  await asked().waitFor()
  site.answer = () => ({})
})

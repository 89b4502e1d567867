import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let line: CDPSession

const mei = { id: '7', account: 'mei', name: '梅子', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(() => {
  site.calls.length = 0
  site.answer = ({ path }) => ({ body: path === '/user/suggest' ? { members: [mei] } : {} })
})

async function open(query: string): Promise<void> {
  page = await emptyPage(context, site)
  line = await context.newCDPSession(page)
  await page.goto(`${site.origin}/?${query}`)
  await body().waitFor()
}

const body = () => page.getByRole('textbox', { name: 'Body' })
const wasSent = () => site.calls.some(({ path }) => path === '/try')

/** Pinyin letters in the field before they are converted to characters. */
async function compose(letters: string): Promise<void> {
  await line.send('Input.imeSetComposition', { text: letters, selectionStart: letters.length, selectionEnd: letters.length })
}

const ends = (text: string) => line.send('Input.insertText', { text })

/** A key handled by the input method: browsers report key code 229, some of them after the composition has ended. */
async function composedKey(key: string, modifiers = 0): Promise<void> {
  await line.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode: 229, modifiers })
  await line.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: 229, modifiers })
}

const control = 2

describe.each(['', 'low', 'plain'])('in the form for a post (%j)', (query) => {
  test.each(['Rich text', 'Markdown'])('%s: no key of an input method sends, and a composition stays whole', async (view) => {
    await open(query)
    await page.getByText(view, { exact: true }).first().click()
    await body().focus()
    await compose('cha')
    await composedKey('Enter', control)
    await ends('茶')
    await composedKey('Enter', control)
    const written = () => (view === 'Markdown' ? body().inputValue() : body().innerText())
    await expect.poll(written).toBe('茶')
    expect(wasSent()).toBe(false)
    await page.keyboard.press('Control+Enter')
    await expect.poll(wasSent).toBe(true)
  })

  test('members are neither suggested nor chosen while one composes', async () => {
    await open(query)
    await body().focus()
    await page.keyboard.type('@me')
    const members = page.getByRole('listbox')
    await members.waitFor()
    await composedKey('Enter')
    await composedKey('Tab')
    expect(await members.count()).toBe(1)
    await compose('i')
    await expect.poll(() => members.count()).toBe(0)
    await composedKey('Enter')
    await ends('梅')
    await expect.poll(() => body().innerText()).toBe('@me梅')
    expect(await body().locator('[data-mention]').count()).toBe(0)
  })
})

describe('in a line', () => {
  test('Enter that accepts a composition sends no form', async () => {
    await open('titled')
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.focus()
    await compose('cha')
    await composedKey('Enter')
    await ends('茶')
    await composedKey('Enter')
    // A case in which the key that ends a composition would submit the form.
    const isPrevented = await title.evaluate((box) => {
      const enter = new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
      return !box.dispatchEvent(enter)
    })
    expect([isPrevented, await title.inputValue(), wasSent()]).toEqual([true, '茶', false])
    await body().fill('好茶')
    await title.press('Enter')
    await expect.poll(wasSent).toBe(true)
  })

  test('Enter that accepts a composition sets no link', async () => {
    await open('')
    await body().focus()
    await page.keyboard.type('茶')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+k')
    const address = page.getByRole('textbox', { name: 'Address' })
    await address.focus()
    await compose('tea.cn')
    await composedKey('Enter')
    await ends('tea.cn')
    await composedKey('Enter')
    expect(await page.getByRole('dialog', { name: 'Link' }).count()).toBe(1)
    await address.press('Enter')
    await expect.poll(() => body().locator('a').getAttribute('href')).toBe('https://tea.cn')
  })
})

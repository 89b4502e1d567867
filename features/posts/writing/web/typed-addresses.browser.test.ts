import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  const context = await browser.newContext()
  page = await context.newPage()
  return () => context.close()
})

const body = () => page.getByRole('textbox', { name: 'Body' })

async function begin(query = ''): Promise<void> {
  await page.goto(`${site.origin}/${query}`)
  await body().click()
}

async function sent(): Promise<Doc['content']> {
  await page.getByRole('button', { name: 'Publish' }).click()
  const request = () => site.calls.find(({ path }) => path === '/try')
  await expect.poll(request).toBeTruthy()
  return (JSON.parse(new URLSearchParams(request()?.body).get('body') ?? 'null') as Doc).content
}

const words = (text: string) => ({ type: 'text', text })
const link = (href: string) => ({ ...words(href), marks: [{ type: 'link', attrs: { href } }] })
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content })
const address = 'https://example.com/a?b=1&c=2'

test.each(['', '?plain'])('Enter after an address begins a paragraph, Shift and Enter a line %s', async (query) => {
  await begin(query)
  await page.keyboard.type(address)
  await page.keyboard.press('Enter')
  await page.keyboard.type(`second ${address}`)
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('third')
  expect(await sent()).toEqual([
    paragraph(link(address)),
    paragraph(words('second '), link(address), { type: 'hardBreak' }, words('third')),
  ])
})

test('Enter after an address begins the next item of a list', async () => {
  await begin()
  await page.keyboard.type(`- ${address}`)
  await page.keyboard.press('Enter')
  await page.keyboard.type('second')
  const item = (content: unknown) => ({ type: 'listItem', content: [content] })
  expect(await sent()).toMatchObject([{ type: 'bulletList', content: [item(paragraph(link(address))), item(paragraph(words('second')))] }])
})

test.each(['', '?plain'])('an address that ends the post is a link once it is sent %s', async (query) => {
  await begin(query)
  await page.keyboard.type(address)
  expect(await sent()).toEqual([paragraph(link(address))])
})

test('an address in a draft becomes a link too, with the text before it still to come', async () => {
  await begin()
  await page.keyboard.type('See https://example.com/')
  await page.reload()
  await page.getByText('Your draft has been restored.').waitFor()
  await body().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('tea')
  await page.reload()
  await page.getByText('Your draft has been restored.').waitFor()
  expect(await sent()).toEqual([paragraph(words('See '), link('https://example.com/tea'))])
})

test('an address in code stays code', async () => {
  await begin()
  await page.keyboard.type(`\`${address}\``)
  expect(await sent()).toEqual([paragraph({ ...words(address), marks: [{ type: 'code' }] })])
})

const paste = (text: string) =>
  page.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', content)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

describe.each([
  'see https://en.wikipedia.org/wiki/Tea_(disambiguation) ok',
  '(https://example.com/a)后面',
  '看https://zh.wikipedia.org/wiki/茶道，https://例子.测试/路。然后',
  'https://example.com/a*b_c.html. https://example.com这里',
  '“https://example.com/a”🍵https://ru.wikipedia.org/wiki/Чай!',
])('an address is a link in the same places in %j', (text) => {
  const expected = fromMarkdown(text).content

  test('typed in a reply', async () => {
    await begin('?plain')
    await page.keyboard.type(text)
    expect(await sent()).toEqual(expected)
  })

  test('typed, and left with the cursor elsewhere', async () => {
    await begin()
    await page.keyboard.type(text)
    await page.keyboard.press('Home')
    await page.getByText('Markdown', { exact: true }).first().click()
    expect(fromMarkdown(await body().inputValue()).content).toEqual(expected)
  })

  test('pasted', async () => {
    await begin()
    await paste(text)
    expect(await sent()).toEqual(expected)
  })
})

test('an address becomes a link in one piece, once something that ends it is typed, and is none where its link was taken away', async () => {
  await begin()
  const links = body().locator('a')
  await page.keyboard.type('https://example.com/a.html')
  expect(await links.count()).toBe(0)
  await page.keyboard.type('，')
  expect(await links.allTextContents()).toEqual(['https://example.com/a.html'])
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.evaluate(() => new Promise(requestAnimationFrame)) // the editor handles it asynchronously
  await page.keyboard.press('Control+k')
  await page.getByRole('button', { name: 'Remove link' }).click()
  await expect.poll(() => links.count()).toBe(0)
  await body().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('then')
  expect(await sent()).toEqual([paragraph(words('https://example.com/a.html，then'))])
})

test('an address of which a part is bold is one link', async () => {
  await begin()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<p>see https://example.com/<b>tea</b>/cups.</p>')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  expect(
    await body()
      .locator('a')
      .evaluateAll((links) => [...new Set(links.map((one) => one.getAttribute('href')))]),
  ).toEqual(['https://example.com/tea/cups'])
})

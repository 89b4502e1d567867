import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { aSite, type TestSite } from '#base/testing/page.ts'
import { leave, openBrowser } from '../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await aSite('../../features/writing/web/example.tsx')
  browser = await openBrowser()
  return async () => {
    await leave(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.asked.length = 0
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
  const asked = () => site.asked.find(({ path }) => path === '/try')
  await expect.poll(asked).toBeTruthy()
  return (JSON.parse(new URLSearchParams(asked()?.body).get('body') ?? 'null') as Doc).content
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

test('so is one in a draft, which can be typed on before', async () => {
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

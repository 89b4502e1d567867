import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { aSite, type TestSite } from '#base/testing/page.ts'
import { launch } from '../../../tools/browser.ts'

let site: TestSite
let browser: Browser

const everything: Doc = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: '单丛为什么总是泡涩' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: '每个月都有茶友问我：单丛闻着香，喝着涩。' },
        { type: 'text', text: '泡法', marks: [{ type: 'bold' }] },
        { type: 'text', text: '比茶重要，见 ' },
        { type: 'text', text: '这一篇', marks: [{ type: 'link', attrs: { href: 'https://teahouse.example/1' } }] },
        { type: 'text', text: '，谢谢 ' },
        { type: 'mention', attrs: { id: '7', label: '梅子' } },
        { type: 'text', text: '，用 ' },
        { type: 'text', text: 'npm start', marks: [{ type: 'code' }] },
      ],
    },
    {
      type: 'taskList',
      content: [
        { type: 'taskItem', attrs: { checked: true }, content: [{ type: 'paragraph', content: [{ type: 'text', text: '茶量够' }] }] },
        { type: 'taskItem', attrs: { checked: false }, content: [{ type: 'paragraph', content: [{ type: 'text', text: '手不抖' }] }] },
      ],
    },
    {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: ['道', '注水到出汤'].map((text) => ({
            type: 'tableHeader',
            attrs: { align: null },
            content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
          })),
        },
        {
          type: 'tableRow',
          content: ['1', '即进即出，约 5 秒'].map((text) => ({
            type: 'tableCell',
            attrs: { align: null },
            content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
          })),
        },
      ],
    },
    {
      type: 'codeBlock',
      attrs: { language: 'javascript' },
      content: [{ type: 'text', text: 'const tea = pour(water)\nawait tea.steep(5)' }],
    },
    { type: 'blockquote', content: [{ type: 'paragraph', content: [{ type: 'text', text: '水要开，注水要低。' }] }] },
    { type: 'image', attrs: { file: 'f_abcdefghijklmnopqrstuv', alt: '一盏青瓷杯', width: 800, height: 450 } },
    { type: 'paragraph', content: [{ type: 'text', text: '完。' }] },
  ],
}

beforeAll(async () => {
  site = await aSite('../../features/writing/web/example.tsx')
  browser = await launch()
  return async () => {
    await browser.close()
    await site.close()
  }
})

async function open(width: number, query: Record<string, string>): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  await page.route('**/file/f_*', (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="450"><rect width="800" height="450" fill="#7a9"/></svg>',
    }),
  )
  await page.goto(`${site.origin}/?${new URLSearchParams(query)}`)
  await page.getByRole('toolbar').first().waitFor()
  return page
}

describe.each(['light', 'dark'])('the editor, %s', (theme) => {
  test.each([
    [1280, 'en', 'Rich text'],
    [390, 'zh', '富文本'],
    [390, 'zh', 'Markdown'],
  ] as const)('is open to everybody at %i pixels in %s as %s', async (width, lang, view) => {
    const page = await open(width, { lang, theme, first: JSON.stringify(everything) })
    await page.getByRole('button', { name: view }).click()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await shoot(page, `${theme}-${width}-${view}`)
    await page.context().close()
  })
})

test('a reply is asked only for what it may hold', async () => {
  const page = await open(1280, { plain: '' })
  const names = await page
    .getByRole('toolbar')
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  expect(names).toEqual(['Bold', 'Italic', 'Strikethrough', 'Code in a line', 'Link', 'Mention somebody', 'Picture', 'Undo', 'Redo'])
  await page.getByRole('textbox', { name: 'Body' }).focus()
  await page.keyboard.type('# no heading')
  expect(await page.getByRole('textbox', { name: 'Body' }).locator('h2').count()).toBe(0)
  await page.context().close()
})

test('the toolbar is one stop for Tab, and the arrows go through it', async () => {
  const page = await open(1280, {})
  await page.getByRole('button', { name: 'Bold' }).focus()
  await page.keyboard.press('ArrowRight')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe('Italic')
  await page.keyboard.press('End')
  expect(await focused()).toBe('Redo')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('textbox')
  await page.context().close()
})

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['TEAHOUSE_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

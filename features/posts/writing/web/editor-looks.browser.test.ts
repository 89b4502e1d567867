import type { BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let desktop: BrowserContext
let phone: BrowserContext

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
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  const browser = await openBrowser()
  desktop = await browser.newContext()
  phone = await browser.newContext({ hasTouch: true, isMobile: true })
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

async function open(width: number, query: Record<string, string>, height = 900): Promise<Page> {
  const page = await emptyPage(width < 600 ? phone : desktop, site)
  await page.setViewportSize({ width, height })
  await page.goto(`${site.origin}/?${new URLSearchParams(query)}`)
  await page.getByRole('toolbar').first().waitFor()
  return page
}

describe.each(['light', 'dark'])('the editor, %s', (theme) => {
  test.each([
    [1280, 'en', 'Rich text'],
    [390, 'zh', '富文本'],
    [390, 'zh', 'Markdown'],
  ] as const)('has no accessibility fault at %i pixels in %s as %s', async (width, lang, view) => {
    const page = await open(width, { lang, theme, first: JSON.stringify(everything) })
    await page.getByRole('button', { name: view }).click()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await shoot(page, `${theme}-${width}-${view}`)
  })
})

test('the editor of a reply offers only the tools a reply may use', async () => {
  const page = await open(1280, { plain: '' })
  const names = await page
    .getByRole('toolbar')
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  expect(names).toEqual(['Bold', 'Italic', 'Strikethrough', 'Inline code', 'Picture', 'Emoji', 'Mention someone', 'Link', 'Undo', 'Redo'])
  await page.getByRole('textbox', { name: 'Body' }).focus()
  await page.keyboard.type('# no heading')
  expect(await page.getByRole('textbox', { name: 'Body' }).locator('h2').count()).toBe(0)
})

test('hidden tools are not offered, and text made with them stays', async () => {
  const hidden = 'bold,heading,table,picture,camera'
  const page = await open(1280, { hidden, first: JSON.stringify(everything) })
  const tools = page.getByRole('toolbar', { name: 'Formatting' })
  await tools.getByRole('button', { name: 'Italic' }).waitFor()
  const names = await tools.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  for (const name of ['Bold', 'Heading', 'Table', 'Picture']) expect(names).not.toContain(name)
  expect(await page.getByRole('textbox', { name: 'Body' }).locator('strong, table').count()).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Markdown' }).click()
  expect(await tools.getByRole('button', { name: 'Picture' }).count()).toBe(0)
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
})

describe('on a phone', () => {
  type Box = { x: number; y: number; width: number; height: number }
  const boxOf = async (part: Locator): Promise<Box> => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const bottomOf = async (part: Locator) => boxOf(part).then(({ y, height }) => y + height)

  test('pictures and the camera come first among the tools, and a sign shows that there are more', async () => {
    const page = await open(390, {})
    const bar = page.getByRole('toolbar')
    const names = await bar
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons
          .toSorted((one, other) => one.getBoundingClientRect().x - other.getBoundingClientRect().x)
          .map((button) => button.getAttribute('aria-label')),
      )
    expect(names.slice(0, 2)).toEqual(['Picture', 'Take a photo'])
    const signs = () => bar.evaluate((it) => ['::before', '::after'].map((end) => getComputedStyle(it, end).content))
    await expect.poll(signs).toEqual(['none', '"›"'])
    await bar.evaluate((it) => it.scrollTo(it.scrollWidth, 0))
    await expect.poll(signs).toEqual(['"‹"', 'none'])
  })

  test.each(['Rich text', 'Markdown'])(
    'views are easily hit, and text written as %s stays above the tools and the button',
    async (view) => {
      const page = await open(390, {}, 500)
      for (const name of ['Rich text', 'Markdown']) {
        const { width, height } = await boxOf(page.getByRole('button', { name }))
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
      }
      await page.getByRole('button', { name: view }).click()
      const text = page.getByRole('textbox', { name: 'Body' })
      await text.focus()
      await page.keyboard.insertText('tea '.repeat(11_000))
      await page.keyboard.press('End')
      await page.keyboard.type('x')
      const counter = page.getByText('of 50,000 characters')
      await counter.waitFor()
      const [tools, note, button] = [page.getByRole('toolbar'), counter, page.getByRole('button', { name: 'Publish' })]
      await expect.poll(async () => (await bottomOf(tools)) <= (await boxOf(note)).y + 1).toBe(true)
      expect(await bottomOf(note)).toBeLessThanOrEqual((await boxOf(button)).y + 1)
      expect(await bottomOf(button)).toBeLessThanOrEqual(500)
    },
  )
})

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['TEAHOUSE_SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

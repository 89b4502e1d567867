import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page

const at = '2026-11-27T08:00:00.000Z'
const markdown = 'Use **80** degrees.\n\n- one\n- two\n\n```python\ncup = 1\n```'
const turn = {
  id: '8',
  prompt: 'How?',
  answer: markdown,
  sources: [],
  state: 'finished',
  failure: null,
  failureCode: null,
  leftOut: [],
  isStandIn: false,
  at,
}
const file = `f_${'1'.padStart(22, '0')}`

beforeAll(async () => {
  site = await componentPage('../../features/site/assistant/testing/page.tsx')
  site.answer = answer
  browser = await openBrowser()
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  page = await emptyPage(context, site)
  await page.evaluate(() => sessionStorage.setItem('assistantConversation', '5'))
})

function answer({ path }: ReceivedRequest): Answer {
  if (path === '/assistant/conversation') return { body: { id: '5', title: 'Tea', at, turns: [turn] } }
  if (path === '/assistant/form') return { body: { allowChat: true, isPermitted: true, jobs: ['chat'], leftToday: 3, isStandIn: false } }
  const pictures = { kinds: ['jpeg', 'png', 'webp', 'gif', 'svg+xml'], kilobytes: 5000, perPost: 3, directBytes: null }
  if (path === '/file/uploadForm') return { body: { pictures, attachments: { kinds: [], kilobytes: 0, perPost: 0 } } }
  if (path === '/file/picture') return { body: { file, src: `/file/${file}?key=x`, width: 80, height: 60, lost: [] } }
  return { body: {} }
}

const panel = () => page.getByRole('dialog', { name: 'AI assistant' })
const body = () => page.getByRole('textbox', { name: 'Body' })

async function ask(query: string): Promise<void> {
  await page.goto(`${site.origin}/addTopic?writes&${query}`)
  await page.getByRole('button', { name: 'Ask the AI assistant' }).click()
  await panel().getByText('Use 80 degrees.').waitFor()
}

test('an answer is inserted into the editor with its formatting', async () => {
  await ask('')
  await panel().getByText('3 answers left today.').waitFor()
  await panel().getByRole('button', { name: 'Insert into editor' }).click()
  await body().locator('strong', { hasText: '80' }).waitFor()
  expect(await body().locator('li').allTextContents()).toEqual(['one', 'two'])
  expect(await body().locator('pre').textContent()).toBe('cup = 1')
  expect(await panel().isVisible()).toBe(true)
})

test('into a reply it goes as far as a reply holds it', async () => {
  await ask('plain')
  await panel().getByRole('button', { name: 'Insert into editor' }).click()
  await body().getByText('Use 80 degrees.').waitFor()
  expect(await body().locator('pre, li').count()).toBe(0)
})

test('into Markdown an answer goes as it is written', async () => {
  await ask('')
  await page.getByRole('button', { name: 'Markdown' }).click()
  await panel().getByRole('button', { name: 'Insert into editor' }).click()
  await expect.poll(() => page.locator('textarea[aria-labelledby]').inputValue()).toBe(`${markdown}\n\n`)
})

test('code goes in with its language', async () => {
  await ask('')
  await panel().getByRole('button', { name: 'Insert', exact: true }).click()
  await body().locator('pre', { hasText: 'cup = 1' }).waitFor()
  expect(await body().getByRole('combobox').inputValue()).toBe('python')
  expect(await declaration().isChecked()).toBe(true)
  expect(await body().locator('strong').count()).toBe(0)
})

test('the sheet on a phone gives way to the editor after an insertion', async () => {
  await page.setViewportSize({ width: 320, height: 640 })
  await ask('')
  expect(await page.evaluate('document.querySelector("dialog:modal[open]") !== null')).toBe(true)
  await panel().getByRole('button', { name: 'Insert into editor' }).click()
  await panel().waitFor({ state: 'hidden' })
  await body().locator('strong', { hasText: '80' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('a tool removed by staff is not offered', async () => {
  await page.goto(`${site.origin}/addTopic?writes&noTool`)
  await page.getByRole('toolbar').waitFor()
  expect(await page.getByRole('button', { name: 'Ask the AI assistant' }).count()).toBe(0)
})

const declaration = () => page.getByRole('checkbox', { name: 'Contains AI-generated content' })
const why = () => page.getByText('Checked because you inserted AI-generated text.', { exact: false })

test('an insertion declares the text as AI-generated, shows it, keeps it with the draft, sends it, and can be undone', async () => {
  await ask('')
  expect(await declaration().isChecked()).toBe(false)
  await panel().getByRole('button', { name: 'Insert into editor' }).click()
  await why().waitFor()
  expect(await declaration().isChecked()).toBe(true)
  await page.reload()
  await body().locator('strong', { hasText: '80' }).waitFor()
  expect(await declaration().isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Publish' }).click()
  const sent = () => site.calls.filter(({ path }) => path === '/try').map((request) => new URLSearchParams(request.body).get('aiGenerated'))
  await expect.poll(sent).toEqual(['true'])
  await declaration().uncheck()
  expect(await why().count()).toBe(0)
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(sent).toEqual(['true', 'false'])
})

test('a label of staff is in the form and not the author’s to change', async () => {
  await ask('byStaff')
  expect(await declaration().isChecked()).toBe(true)
  expect(await declaration().isDisabled()).toBe(true)
  await page.getByText('A moderator added this label, so only moderators can remove it.').waitFor()
  await panel().getByRole('button', { name: 'Insert into editor' }).click()
  await body().locator('strong', { hasText: '80' }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  const request = () => site.calls.find(({ path }) => path === '/try')
  await expect.poll(request).toBeTruthy()
  expect(new URLSearchParams(request()?.body).get('aiGenerated')).toBe('true')
})

test('a picture is seen whole, copied, and uploaded as the author’s own when it is inserted', async () => {
  const cup = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#7a9' } })
    .jpeg()
    .toBuffer()
  await page.route('**/file/f_1', (route) => route.fulfill({ contentType: 'image/jpeg', body: cup }))
  await page.goto(`${site.origin}/addTopic?picture&writes`)
  await page.getByRole('button', { name: 'View' }).click()
  const viewer = page.getByRole('dialog', { name: 'A cup' })
  await viewer.getByRole('img', { name: 'A cup' }).waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Image copied.').waitFor()
  const kinds = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types))
  expect(kinds).toEqual(['image/png'])
  await page.getByRole('button', { name: 'Insert', exact: true }).click()
  await body().locator(`img[src="/file/${file}?key=x"]`).waitFor()
  expect(site.calls.filter(({ path }) => path === '/file/picture')).toHaveLength(1)
})

test('a picture that cannot be copied is reported', async () => {
  await page.goto(`${site.origin}/addTopic?picture`)
  await page.route('**/file/f_1', (route) => route.abort())
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('The image couldn’t be copied.').waitFor()
})

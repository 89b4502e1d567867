import { Readable } from 'node:stream'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { GeneratedText, GeneratedPiece } from '#assistant/generated-contract.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
let streams: Readable[]
let refusal: Answer | null

const floor = '/thread?topicId=1&commentId=3'

beforeAll(async () => {
  site = await componentPage('../../features/site/assistant/testing/generated-text-page.tsx')
  browser = await openBrowser()
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  streams = []
  refusal = null
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && !/status of|ERR_/.test(message.text()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
})

afterEach(() => {
  for (const stream of streams) stream.destroy()
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path }: ReceivedRequest): Answer {
  if (!/^\/assistant\/(summarise|translate|improve|suggest)$/.test(path)) return { body: {} }
  if (refusal) return refusal
  const stream = new Readable({ read: () => undefined })
  streams.push(stream)
  return { body: stream }
}

/** The latest requested stream, once it exists. */
async function stream(number = 1): Promise<Readable> {
  await expect.poll(() => streams.length).toBe(number)
  const [latest] = streams.slice(-1)
  if (!latest) throw new Error('Nothing was asked')
  return latest
}

const say = (to: Readable, piece: GeneratedPiece) => to.push(`id: 0\ndata: ${JSON.stringify(piece)}\n\n`)

function finish(to: Readable, its: Partial<GeneratedText>): void {
  say(to, { kind: 'made', made: { text: '', sources: [], isKept: false, isStandIn: true, cutAt: null, ...its } })
  to.push('event: end\ndata: {}\n\n')
  to.push(null)
}

const sent = (path: string) =>
  site.calls.filter((one) => one.path === path).map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
const button = (name: string) => page.getByRole('button', { name, exact: true })
const post = (id: string) => page.getByRole('article', { name: `Post ${id}` })
const body = () => page.getByRole('textbox', { name: 'Body' })

async function write(...paragraphs: string[]): Promise<void> {
  await writeIn('', ...paragraphs)
}

async function writeIn(form: string, ...paragraphs: string[]): Promise<void> {
  await page.goto(`${site.origin}/add?writes=${form}`)
  await body().click()
  for (const paragraph of paragraphs) {
    await page.keyboard.type(paragraph)
    await page.keyboard.press('Enter')
  }
}

const written = async () => (await body().locator('p').allTextContents()).filter((text) => text !== '')

test('a summary is drawn as it comes, says where it ends, leads to floors, and is closed', async () => {
  await page.goto(`${site.origin}/thread?topicId=1`)
  await button('Summarize').click()
  const box = page.getByRole('region', { name: 'Summary' })
  const coming = await stream()
  say(coming, { kind: 'text', text: 'It is **cold**, says [#3' })
  await box.locator('strong', { hasText: 'cold' }).waitFor()
  await box.getByText('AI-generated').waitFor()
  expect(await box.getByRole('link').count()).toBe(0)
  finish(coming, { text: `It is **cold**, says [#3](${floor}).`, cutAt: 8 })
  expect(await box.getByRole('link', { name: '#3' }).getAttribute('href')).toBe(floor)
  await box.getByText('up to #8').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await box.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${site.origin}${floor}`)
  await box.getByRole('button', { name: 'Close the summary' }).click()
  await box.waitFor({ state: 'detached' })
  expect(sent('/assistant/summarise')).toEqual([{ topicId: '1' }])
})

test('a summary of new posts begins at the read mark, and can be stopped; the text so far stays', async () => {
  await page.goto(`${site.origin}/thread?topicId=1`)
  await button('What’s new').click()
  const box = page.getByRole('region', { name: 'New since your last visit' })
  const coming = await stream()
  say(coming, { kind: 'text', text: 'It rains' })
  await box.getByText('It rains').waitFor()
  await box.getByRole('button', { name: 'Stop' }).click()
  await box.getByRole('button', { name: 'Try again' }).waitFor()
  await box.getByText('It rains').waitFor()
  expect(sent('/assistant/summarise')).toEqual([{ topicId: '1', isNewOnly: 'true', readTo: '4' }])
})

test('the reason of a missing summary stands in its place, and another try is possible', async () => {
  refusal = { status: 422, body: { error: { base: 'Too many answers at once.' } } }
  await page.goto(`${site.origin}/thread?topicId=1`)
  await button('Summarize').click()
  await page.getByRole('alert').getByText('Too many answers at once.').waitFor()
  refusal = null
  await button('Try again').click()
  finish(await stream(), { text: 'Done.' })
  await page.getByText('Done.').waitFor()
})

test('code of a post is put into the box of the assistant, with a request to explain it', async () => {
  await page.goto(`${site.origin}/thread?topicId=1`)
  await button('Explain').click()
  const box = page.getByRole('textbox', { name: 'Your question' })
  await expect.poll(() => box.inputValue()).toBe('Explain this code.\n\n```javascript\nconst cup = 1\n```')
  expect(site.calls.filter(({ path }) => path === '/assistant/ask')).toEqual([])
})

test('code cannot be explained without the assistant', async () => {
  await page.goto(`${site.origin}/thread?topicId=1&closed`)
  await button('Copy').waitFor()
  expect(await button('Explain').count()).toBe(0)
})

test('a post in another language is translated in its place, and one tap leads back; others are not offered it', async () => {
  await page.goto(`${site.origin}/thread?topicId=1`)
  await button('More 2').click()
  expect(await page.getByRole('menuitem').count()).toBe(0)
  await page.keyboard.press('Escape')
  await button('More 1').click()
  await page.getByRole('menuitem', { name: 'Translate into English' }).click()
  finish(await stream(), { text: 'Green tea takes [water of eighty degrees](/thread?topicId=2).' })
  await post('1').getByRole('link', { name: 'water of eighty degrees' }).waitFor()
  await post('1').getByText('AI-generated').waitFor()
  expect(await post('1').getByText('绿茶要用').isVisible()).toBe(false)
  expect(await accessibilityViolations(page)).toEqual([])
  await post('1').getByRole('button', { name: 'Show original' }).click()
  expect(await post('1').getByText('绿茶要用').isVisible()).toBe(true)
  expect(await post('1').getByText('AI-generated').count()).toBe(0)
  expect(sent('/assistant/translate')).toEqual([{ kind: 'comment', postId: '1', into: 'en' }])
})

test('a draft is improved paragraph by paragraph: some are taken by keyboard, others left, and taking is undone', async () => {
  await write('it rain', 'i stay', 'Good.')
  await button('Improve with AI').click()
  finish(await stream(), { text: 'It rains.\n\nI stay.\n\nGood.' })
  await page.locator('del', { hasText: 'rain' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await written()).toEqual(['it rain', 'i stay', 'Good.'])
  await button('Accept').first().focus()
  await page.keyboard.press('Enter')
  expect(await written()).toEqual(['It rains.', 'i stay', 'Good.'])
  await expect.poll(() => button('Accept').evaluate((one) => one === document.activeElement)).toBe(true)
  await button('Dismiss').click()
  await page.getByText('All changes reviewed.').waitFor()
  expect(await written()).toEqual(['It rains.', 'i stay', 'Good.'])
  await body().focus()
  await page.keyboard.press('Control+z')
  expect(await written()).toEqual(['it rain', 'i stay', 'Good.'])
  expect(sent('/assistant/improve')).toEqual([{ text: 'it rain\n\ni stay\n\nGood.' }])
})

test('in the Markdown view all changes are applied at once, and text written since stays', async () => {
  await write('it rain', 'i stay')
  await button('Markdown').click()
  await button('Improve with AI').click()
  finish(await stream(), { text: 'It rains.\n\nI stay.' })
  await button('Accept all 2 changes').waitFor()
  const area = page.getByRole('textbox', { name: 'Body' })
  await area.fill('it rain a lot\n\ni stay')
  await button('Accept all 2 changes').click()
  expect((await area.inputValue()).trim()).toBe('it rain a lot\n\nI stay.')
  await page.getByText('You have changed this paragraph since.').waitFor()
})

test('titles and tags are taken one by one, and only tags that the form offers', async () => {
  await write('Rain and tea.')
  await button('Suggest title and tags').click()
  finish(await stream(), { titles: ['On rain', 'On tea'], tagIds: ['3', '99'] })
  await button('Use the title “On tea”').click()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('On tea')
  expect(await accessibilityViolations(page)).toEqual([])
  await button('Use the tag “Water”').click()
  expect(await page.getByRole('combobox', { name: 'Tag' }).inputValue()).toBe('3')
  expect(await page.getByRole('button', { name: /^Use the tag/ }).count()).toBe(1)
})

test('a reply is improved as far as a reply holds it, and nothing else is offered there', async () => {
  await writeIn('reply', 'it rain')
  await button('Improve with AI').waitFor()
  expect(await page.getByRole('button', { name: /^Suggest/ }).count()).toBe(0)
  await button('Improve with AI').click()
  finish(await stream(), { text: '## It rains.\n\n- a cup' })
  await button('Accept all 2 changes').click()
  expect(await written()).toEqual(['## It rains.', '- a cup'])
})

test('mentions of a draft stay mentions', async () => {
  await page.goto(`${site.origin}/add?writes=reply&mentions`)
  await button('Improve with AI').click()
  finish(await stream(), { text: '@[Tom](member:4) It rains.' })
  expect(sent('/assistant/improve')).toEqual([{ text: '@[Tom](member:4) it rain' }])
  await button('Accept').click()
  expect(await body().locator('.mention').allTextContents()).toEqual(['@Tom'])
})

test('a thread that keeps its tag is suggested a title alone', async () => {
  await writeIn('edit', 'Rain and tea.')
  await button('Suggest a title').click()
  finish(await stream(), { titles: ['On rain'], tagIds: ['3'] })
  await button('Use the title “On rain”').click()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('On rain')
  expect(await page.getByRole('button', { name: /^Use the tag/ }).count()).toBe(0)
})

test('a tag that the form has beside the one of the thread is ticked there', async () => {
  await writeIn('question', 'Rain and tea.')
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('3')
  await button('Suggest title and tags').click()
  finish(await stream(), { titles: [], tagIds: ['5'] })
  await button('Use the tag “Cups”').click()
  expect(await page.getByRole('checkbox', { name: 'Cups' }).isChecked()).toBe(true)
})

test('without the assistant there is no trace of it in the form', async () => {
  await page.goto(`${site.origin}/add?writes&closed`)
  await body().waitFor()
  expect(await button('Improve with AI').count()).toBe(0)
})

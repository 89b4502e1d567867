import { Readable } from 'node:stream'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Piece, SourceView, TurnView } from '#assistant/contract.ts'
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
let talks: { id: string; title: string; at: string }[]

const at = '2026-11-27T08:00:00.000Z'
const floor: SourceView = { number: 1, title: 'Cold water, green tea #3', path: '/thread?topicId=1&commentId=3' }

beforeAll(async () => {
  site = await componentPage('../../features/site/assistant/testing/page.tsx')
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
  talks = [
    { id: '5', title: 'Green tea', at },
    { id: '6', title: 'Kettles', at },
  ]
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && !/status of|ERR_/.test(message.text()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
})

afterEach(() => {
  for (const stream of streams) stream.destroy()
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path, query, body }: ReceivedRequest): Answer {
  if (path === '/assistant/ask' || path === '/assistant/continue') {
    if (refusal) return refusal
    const stream = new Readable({ read: () => undefined })
    streams.push(stream)
    return { body: stream }
  }
  const form = { allowChat: true, isPermitted: true, jobs: ['chat'], leftToday: 40, isStandIn: true }
  if (path === '/assistant/form') return { body: form }
  if (path === '/assistant/conversation') return { body: { id: '5', title: 'Green tea', at, turns: [aTurn({ id: '8', answer: 'Kept.' })] } }
  if (path === '/assistant/conversation/rename')
    talks = talks.map((one) => (one.id === '6' ? { ...one, title: new URLSearchParams(body).get('title') ?? '' } : one))
  if (path === '/assistant/conversation/remove') talks = talks.filter(({ id }) => id !== new URLSearchParams(body).get('conversationId'))
  if (path === '/assistant/conversations/remove') talks = []
  if (path === '/assistant/conversations') {
    const found = talks.filter(({ title }) => title.includes(query.get('keyword') ?? ''))
    return { body: { conversations: found, page: 1, pages: 1, keptDays: 90 } }
  }
  return { body: {} }
}

function aTurn(its: Partial<TurnView>): TurnView {
  return {
    id: '9',
    prompt: 'How hot?',
    answer: '',
    sources: [],
    state: 'finished',
    failure: null,
    failureCode: null,
    leftOut: [],
    isStandIn: true,
    at,
    ...its,
  }
}

/** The next requested stream, once it exists. */
async function stream(number = 1): Promise<Readable> {
  await expect.poll(() => streams.length).toBe(number)
  const [latest] = streams.slice(-1)
  if (!latest) throw new Error('Nothing was asked')
  return latest
}

const say = (to: Readable, ...pieces: Piece[]) => pieces.forEach((piece, id) => to.push(`id: ${id}\ndata: ${JSON.stringify(piece)}\n\n`))
const begun: Piece = { kind: 'begun', conversationId: '5', turnId: '9' }

function finish(to: Readable, turn: Partial<TurnView>): void {
  say(to, { kind: 'turn', turn: aTurn(turn) })
  to.push('event: end\ndata: {}\n\n')
  to.push(null)
}

const panel = () => page.getByRole('dialog', { name: 'AI assistant' })
const box = () => panel().getByRole('textbox', { name: 'Your question' })
const sent = (path: string) =>
  site.calls.filter((one) => one.path === path).map(({ body }) => Object.fromEntries(new URLSearchParams(body)))

async function open(query = ''): Promise<void> {
  await page.goto(`${site.origin}/thread?topicId=1${query}`)
  await page.getByRole('button', { name: 'AI assistant' }).click()
  await expect.poll(() => box().evaluate((one) => one === document.activeElement)).toBe(true)
}

async function ask(prompt = 'How hot?'): Promise<Readable> {
  const before = streams.length
  await box().fill(prompt)
  await page.keyboard.press('Control+Enter')
  return stream(before + 1)
}

test('an answer is shown as it arrives, with the running search, and links to the floors it cites', async () => {
  await open()
  const coming = await ask()
  say(coming, begun, { kind: 'looking', text: 'hot water' })
  await panel().getByText('Searching “hot water”…').waitFor()
  expect(await panel().getByRole('status').textContent()).toBe('The assistant is answering.')
  say(coming, { kind: 'source', source: floor }, { kind: 'text', text: 'At **80** degrees: [so it' })
  await panel().locator('strong', { hasText: '80' }).waitFor()
  say(coming, { kind: 'text', text: ` says](${floor.path}).\n\n\`\`\`js\nconst cup = 1\n\`\`\`` })
  await panel().locator('.hljs-keyword').waitFor()
  expect(await panel().getByText('AI-generated').count()).toBe(1)
  finish(coming, { answer: `At **80** degrees: [so it says](${floor.path}).`, sources: [floor] })
  await panel().getByText('Stand-in').waitFor()
  expect(await panel().getByRole('status').textContent()).toBe('The answer is complete.')
  expect(sent('/assistant/ask')).toEqual([{ prompt: 'How hot?', topicId: '1' }])
  expect(await accessibilityViolations(page)).toEqual([])
  await panel().getByRole('region', { name: 'Sources' }).getByRole('link', { name: floor.title }).click()
  await page.waitForURL('**/thread?topicId=1&commentId=3')
  expect(await panel().isVisible()).toBe(true)
})

test('markup that a post made a model write links nowhere, shows nothing and runs nothing', async () => {
  await open()
  const coming = await ask()
  const evil = [
    '[here](https://evil.example/?q=secret) [there](javascript:alert(1)) [far](//evil.example)',
    '![x](https://evil.example/pixel.png) <img src=x onerror=alert(1)>',
    `[true](${floor.path})`,
    '![y][1]\n\n[1]: https://evil.example/2.png',
  ].join('\n\n')
  say(coming, begun, { kind: 'source', source: floor }, { kind: 'text', text: evil })
  await panel().getByRole('link', { name: 'true' }).waitFor()
  const answered = panel().locator('.prose')
  expect(await answered.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([floor.path])
  expect(await answered.locator('img, script, iframe').count()).toBe(0)
  expect(await answered.textContent()).toContain('onerror=alert(1)')
})

test('a picture of a post that was read is shown with its actions, and no other is', async () => {
  await open()
  const coming = await ask()
  const [cup, other] = ['f_cup', 'f_other']
  say(coming, begun, { kind: 'source', source: floor }, { kind: 'text', text: `![A cup](file:${cup}#80x60)\n\n![x](file:${other}#80x60)` })
  await panel().getByText('A cup').waitFor()
  expect(await panel().locator('.prose img').count()).toBe(0)
  say(coming, { kind: 'source', source: { ...floor, pictures: [cup] } })
  await panel().getByRole('img', { name: 'A cup' }).waitFor()
  expect(await panel().locator('.prose figure').count()).toBe(1)
  await panel().getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('dialog', { name: 'A cup' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog', { name: 'A cup' }).waitFor({ state: 'hidden' })
  expect(await panel().isVisible()).toBe(true)
})

test('the parts left out of the prompt are named at the answer', async () => {
  await open()
  finish(await ask(), { answer: 'Hot.', leftOut: ['turns', 'thread'] })
  await panel().getByText('Older messages in this conversation were left out. Part of a long thread was left out.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a stopped answer keeps its text so far, and can be continued from there', async () => {
  await open()
  const coming = await ask()
  say(coming, begun, { kind: 'text', text: 'First half,' })
  await panel().getByText('First half,').waitFor()
  const ended = new Promise((end) => coming.once('close', end))
  await panel().getByRole('button', { name: 'Stop' }).click()
  await ended
  await panel().getByText('Stopped', { exact: true }).waitFor()
  await panel().getByRole('button', { name: 'Continue' }).click()
  const rest = await stream(2)
  say(rest, begun, { kind: 'text', text: ' second half.' })
  await panel().getByText('First half, second half.').waitFor()
  finish(rest, { answer: 'First half, second half.' })
  await panel().getByRole('button', { name: 'Try again' }).waitFor()
  expect(sent('/assistant/continue')).toEqual([{ turnId: '9' }])
  expect(await panel().getByRole('button', { name: 'Continue' }).count()).toBe(0)
})

test('an answer still being written elsewhere is shown so far', async () => {
  await open()
  const coming = await ask()
  say(coming, begun, { kind: 'text', text: 'Half' })
  await panel().getByText('Half').waitFor()
  await panel().getByRole('button', { name: 'Stop' }).click()
  refusal = { status: 409, body: { error: { base: 'This answer is still being written.' } } }
  await panel().getByRole('button', { name: 'Continue' }).click()
  await panel().getByText('Kept.').waitFor()
})

test('a refusal is shown beside the box, with the question still in it', async () => {
  await open()
  refusal = { status: 422, body: { error: { base: 'You have used today’s 50 answers.' } } }
  await box().fill('How hot?')
  await panel().getByRole('button', { name: 'Send', exact: true }).click()
  await panel().getByRole('alert').getByText('You have used today’s 50 answers.').waitFor()
  expect(await box().inputValue()).toBe('How hot?')
  expect(await panel().getByRole('article').count()).toBe(0)
  refusal = null
  await panel().getByRole('button', { name: 'Send', exact: true }).click()
  say(await stream(), begun, { kind: 'text', text: 'Hot.' })
  await panel().getByText('Hot.').waitFor()
  expect(await panel().getByRole('alert').count()).toBe(0)
})

test('a broken connection keeps the text so far, and the question can be repeated', async () => {
  await open()
  const coming = await ask()
  say(coming, begun, { kind: 'text', text: 'Half of it' })
  await panel().getByText('Half of it').waitFor()
  coming.destroy(new Error('The line breaks'))
  await panel().getByRole('alert').getByText('The site can’t be reached.').waitFor()
  await panel().getByText('Half of it').waitFor()
  await panel().getByRole('button', { name: 'Continue' }).click()
  say(await stream(2), begun, { kind: 'text', text: ' and the rest' })
  await panel().getByText('Half of it and the rest').waitFor()
})

test('a question is asked in other words, in place of it and the turns after it', async () => {
  await open()
  finish(await ask(), { id: '9', answer: 'One.' })
  await panel().getByText('One.').waitFor()
  finish(await ask('And then?'), { id: '10', prompt: 'And then?', answer: 'Two.' })
  await panel().getByText('Two.').waitFor()
  await box().fill('Later')
  await panel().getByRole('button', { name: 'Edit and resend' }).first().click()
  await panel().getByRole('button', { name: 'Cancel' }).click()
  expect(await box().inputValue()).toBe('Later')
  await box().fill('')
  await panel().getByRole('button', { name: 'Edit and resend' }).first().click()
  await panel().getByText('Editing your question.').waitFor()
  expect(await box().inputValue()).toBe('How hot?')
  refusal = { status: 429, body: { error: { base: 'Too many at once.' } } }
  await box().fill('How warm?')
  await page.keyboard.press('Meta+Enter')
  await panel().getByText('Too many at once.').waitFor()
  expect(await panel().getByRole('article').count()).toBe(2)
  refusal = null
  const coming = (await panel().getByRole('button', { name: 'Send', exact: true }).click(), await stream(3))
  finish(coming, { id: '11', prompt: 'How warm?', answer: 'Three.' })
  await panel().getByText('Three.').waitFor()
  expect(await panel().getByRole('article').count()).toBe(1)
  expect(sent('/assistant/ask').at(-1)).toMatchObject({ prompt: 'How warm?', turnId: '9' })
})

test('a replaced turn is shown again if the new one brought no text', async () => {
  await open()
  finish(await ask(), { id: '9', answer: 'One.' })
  await panel().getByText('One.').waitFor()
  const coming = (await panel().getByRole('button', { name: 'Try again' }).click(), await stream(2))
  finish(coming, { id: '10', answer: '', state: 'failed', failure: 'No model answers now.' })
  await panel().getByText('No model answers now.').waitFor()
  await panel().getByText('One.').waitFor()
  expect(await panel().getByRole('article').count()).toBe(2)
})

test('the view stays where the reader is, and follows only at the end', async () => {
  await open()
  const coming = await ask()
  const lines = (from: number) => Array.from({ length: 60 }, (_, line) => `Line ${from + line}`).join('\n\n')
  say(coming, begun, { kind: 'text', text: lines(0) })
  const scroller = panel().getByRole('region', { name: 'Conversation' })
  await panel().getByText('Line 59').waitFor()
  const distance = () => scroller.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)
  await expect.poll(distance).toBeLessThan(2)
  await scroller.evaluate((one) => one.scrollTo(0, 100))
  say(coming, { kind: 'text', text: `\n\n${lines(60)}` })
  await panel().getByText('Line 119').waitFor()
  expect(await scroller.evaluate((one) => one.scrollTop)).toBe(100)
})

test('typed text is there again after the page is loaded again; Escape closes and returns the focus', async () => {
  await open()
  await box().fill('Half a quest')
  await page.reload()
  await page.getByRole('button', { name: 'AI assistant' }).click()
  expect(await box().inputValue()).toBe('Half a quest')
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('AI assistant')
  await page.evaluate('window.leave()')
  expect(await page.evaluate('sessionStorage.getItem("assistantDrafts")')).toBe('{}')
})

test('on a phone going back closes the sheet and leaves the page as it is, with focus and typed text kept', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.origin}/`)
  await open()
  const address = page.url()
  await box().fill('Half a quest')
  await page.goBack()
  await panel().waitFor({ state: 'hidden' })
  expect(page.url()).toBe(address)
  expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('AI assistant')
  await page.getByRole('button', { name: 'AI assistant' }).click()
  expect(await box().inputValue()).toBe('Half a quest')
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('AI assistant')
  await expect.poll(() => page.evaluate('history.state?.isOver')).toBeFalsy()
  await page.goBack()
  await page.waitForURL(`${site.origin}/`)
})

test('going back closes the layer over the sheet first; a link of an answer replaces the sheet in the history', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open()
  const address = page.url()
  await panel().getByRole('button', { name: 'Conversation history' }).click()
  await page.getByRole('button', { name: 'Actions for “Kettles”' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.goBack()
  await page.getByRole('textbox', { name: 'Name' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Back to the conversation' }).click()
  const coming = await ask()
  say(coming, begun)
  finish(coming, { answer: `[So it says](${floor.path}).`, sources: [floor] })
  await panel().getByRole('link', { name: 'So it says' }).click()
  await page.waitForURL('**/thread?topicId=1&commentId=3')
  expect(await panel().isVisible()).toBe(false)
  await page.goBack()
  await page.waitForURL(address)
  expect(await panel().isVisible()).toBe(false)
})

test('conversations are found, opened, named and deleted', async () => {
  await open()
  await panel().getByRole('button', { name: 'Conversation history' }).click()
  const history = page.getByRole('dialog', { name: 'Conversation history' })
  await history.getByText('Conversations are deleted 90 days after your last question.').waitFor()
  await history.getByRole('searchbox').fill('Kett')
  await expect.poll(() => history.getByRole('listitem').count()).toBe(1)
  await history.getByRole('button', { name: 'Actions for “Kettles”' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Kettle and cup')
  await page.getByRole('button', { name: 'Save' }).click()
  await history.getByText('Kettle and cup').waitFor()
  await history.getByRole('searchbox').fill('')
  await expect.poll(() => history.getByRole('listitem').count()).toBe(2)
  expect(await accessibilityViolations(page)).toEqual([])
  await history
    .getByRole('listitem')
    .first()
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete this conversation?' }).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => history.getByRole('listitem').count()).toBe(1)
  await history.getByRole('button', { name: 'Delete all' }).click()
  await page.getByRole('dialog', { name: 'Delete all conversations?' }).getByRole('button', { name: 'Delete all' }).click()
  await history.getByText('No conversations yet.').waitFor()
})

test('an earlier conversation is opened and copied as Markdown', async () => {
  await open()
  await panel().getByRole('button', { name: 'Conversation history' }).click()
  await page.getByRole('button', { name: /^Green tea/ }).click()
  await panel().getByText('Kept.').waitFor()
  await panel().getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Kept.\n\n[AI-generated]')
})

test('there is no trace of it on a site without it', async () => {
  await page.goto(`${site.origin}/thread?topicId=1&closed&writes`)
  await page.getByRole('toolbar').waitFor()
  expect(await page.getByRole('button', { name: /AI assistant/ }).count()).toBe(0)
})

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import type { MessageView } from '#message/contract.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
/** The messages that the site accepted, by key. */
let acceptedMessages: { key: string; text: string }[]
/** The site's answers to sending, one after the other; then it accepts everything. */
let answers: Answer[]
/** The site's messages of the conversation, beyond those of older pages, oldest first. */
let there: MessageView[]

const sending = '/user/control/addPrivateMessage'

beforeAll(async () => {
  site = await componentPage('../../features/community/message/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  acceptedMessages = []
  answers = []
  there = []
  site.calls.length = 0
  site.answer = answer
  // Messages stored by earlier tests would be sent.
  context = await browser.newContext()
  page = await open('')
  return () => context.close()
})

test('a typed message appears at once, and Enter sends it; Shift+Enter is a new line, and in code Enter is one too', async () => {
  await page.keyboard.type('Good morning')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('and welcome')
  await page.keyboard.press('Enter')
  await expect.poll(texts).toEqual(['Good morning\nand welcome'])
  await page.keyboard.type('```')
  await page.keyboard.press('Enter')
  await page.keyboard.type('a')
  await page.keyboard.press('Enter')
  await page.keyboard.type('b')
  expect(acceptedMessages).toHaveLength(1)
  await page.keyboard.press('Control+Enter')
  await expect.poll(texts).toEqual(['Good morning\nand welcome', 'a\nb'])
  expect(await page.locator('form [contenteditable]').textContent()).toBe('')
})

test('a message sent too soon goes by itself later, before the messages after it', async () => {
  answers = [{ status: 429, body: { error: { body: 'Too soon' }, seconds: 15 } }]
  await page.clock.install()
  await write('one')
  await write('two')
  await page.getByText(/^Sending in \d+ s$/).waitFor()
  await page.clock.runFor(15_000)
  await expect.poll(texts).toEqual(['one', 'two'])
  expect(await page.getByText('Too soon').count()).toBe(0)
})

test('a message that has to wait long shows the reason, and holds no other back', async () => {
  answers = [{ status: 429, body: { error: { body: 'Not before noon' }, seconds: 60 } }]
  await write('one')
  await page.getByText('Not before noon').waitFor()
  await write('two')
  await expect.poll(texts).toEqual(['two'])
  await page.getByRole('button', { name: 'Resend' }).click()
  await expect.poll(texts).toEqual(['two', 'one'])
})

test('a waiting message holds back no message to other members', async () => {
  answers = [{ status: 429, body: { error: { body: 'Too soon' }, seconds: 15 } }]
  await write('one')
  await page.getByText(/^Sending in \d+ s$/).waitFor()
  await page.evaluate(() => {
    const body = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'to Bo' }] }] }
    localStorage.setItem(`outbox 5 ${Date.now()} ${crypto.randomUUID()}`, JSON.stringify({ userId: '9', body }))
    dispatchEvent(new StorageEvent('storage', { key: null }))
  })
  await expect.poll(texts).toEqual(['to Bo'])
})

test('a message deleted on another device goes here too', async () => {
  page = await open('?many=3')
  await expect.poll(() => lastTexts(2)).toEqual(['Line 1', 'Line 2'])
  there.splice(1, 1)
  await hearNews()
  await expect.poll(() => lastTexts(2)).toEqual(['Line 0', 'Line 2'])
})

test('a new message scrolls from an old place to the newest', async () => {
  // The later messages are still on their way.
  site.answer = (request) => (request.query.has('after') ? new Promise(() => undefined) : answer(request))
  page = await open('?many=3&newer')
  await write('Just now')
  await page.waitForURL('**/user/control/privateMessageChatList?userId=7')
})

test('days and new messages have separators with a name', async () => {
  page = await open('?many=3&unread=1')
  await page.getByRole('separator', { name: 'New' }).waitFor()
  expect(await page.getByRole('separator', { name: /January/ }).count()).toBe(1)
})

test('the head of a short piece of code has room for its language beside its tools', async () => {
  answers = Array.from({ length: 9 }, () => ({ status: 503, body: 'resting' }))
  await page.keyboard.type('```js')
  await page.keyboard.press('Enter')
  await page.keyboard.type('a')
  await page.keyboard.press('Control+Enter')
  await page.locator('[role="log"] pre').waitFor()
  expect((await page.locator('[role="log"] pre').boundingBox())?.width).toBeGreaterThanOrEqual(240)
})

test('a refused message stays with its reason, and is edited in the box or discarded', async () => {
  const refused = { status: 422, body: { error: { body: 'Not these words' } } }
  answers = [refused, refused]
  await write('bad')
  await page.getByText('Not these words').waitFor()
  await write('worse')
  await expect.poll(() => page.getByText('Not these words').count()).toBe(2)
  await page.getByRole('button', { name: 'Discard' }).first().click()
  await page.reload()
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => page.locator('form [contenteditable]').textContent()).toBe('worse')
  await page.locator('form [contenteditable]').press('End')
  await page.keyboard.type(' no more')
  await page.keyboard.press('Enter')
  await expect.poll(texts).toEqual(['worse no more'])
  expect(await page.getByText('Not these words').count()).toBe(0)
})

test('without an answer it waits, and the next page sends it by the same key', async () => {
  answers = Array.from({ length: 9 }, () => ({ status: 503, body: 'resting' }))
  await write('patience')
  await page.getByText('Waiting for the network').waitFor()
  const [before] = sent()
  await page.close()
  answers = []
  page = await open('')
  await expect.poll(texts).toEqual(['patience'])
  expect(acceptedMessages[0]?.key).toBe(before?.key)
})

test('two tabs send everything once and in the order in which it was written', async () => {
  const other = await open('')
  answers = [{ status: 503, body: 'resting' }]
  await write('one')
  await write('two', other)
  await write('three')
  await write('four', other)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(texts).toEqual(['one', 'two', 'three', 'four'])
  for (const tab of [page, other])
    await expect.poll(() => tab.locator('[role="log"] .prose').allTextContents()).toEqual(['one', 'two', 'three', 'four'])
})

test('a solved captcha sends the message, and the messages after it', async () => {
  answers = [{ status: 422, body: { error: { captcha: 'Please' } } }]
  await write('one')
  await page.locator('input[name="captcha"]').waitFor()
  await write('two')
  expect(acceptedMessages).toEqual([])
  await page.locator('input[name="captcha"]').fill('abcd')
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect.poll(texts).toEqual(['one', 'two'])
  expect(await page.locator('input[name="captcha"]').count()).toBe(0)
})

test('older messages come above without moving the view, and the view begins at the first new one', async () => {
  page = await open('?many=30&unread=8')
  await page.getByText('New', { exact: true }).waitFor()
  expect(await topOf('Line 18')).toBeLessThan(200)
  const log = page.locator('[role="log"]')
  await log.hover()
  await page.mouse.wheel(0, -1_000)
  await page.getByText('Line -30', { exact: true }).waitFor({ state: 'attached' })
  const before = await topOf('Line 5')
  await expect.poll(() => page.locator('[role="log"] li[id]').count()).toBe(60)
  expect(await topOf('Line 5')).toBe(before)
})

test('a message of the other at the same moment is shown, and is not read before', async () => {
  page = await open('?many=3')
  there.push(line(5_000, 'At the same moment', { isMine: false }))
  acceptedMessages.push({ key: 'of another', text: '' })
  await write('Just now')
  await expect.poll(() => lastTexts(2)).toEqual(['Line 2', 'Just now'])
  expect(read()).toEqual([])
  await hearNews()
  await expect.poll(() => lastTexts(3)).toEqual(['Line 2', 'At the same moment', 'Just now'])
  await expect.poll(read).toEqual(['5000'])
})

test('more than thirty that came at once are all there, in order', async () => {
  page = await open('?many=3')
  there.push(...Array.from({ length: 70 }, (_, at) => line(2_000 + at, `New ${at}`, { isMine: false })))
  await write('Just now')
  await hearNews()
  const all = ['Line 2', ...Array.from({ length: 70 }, (_, at) => `New ${at}`), 'Just now']
  await expect.poll(() => lastTexts(72)).toEqual(all)
})

async function open(query: string): Promise<Page> {
  const many = Number(new URLSearchParams(query).get('many'))
  const begun = Array.from({ length: many }, (_, at) => line(1_000 + at, `Line ${at}`, { isMine: at % 3 === 0 }))
  if (there.length === 0) there.push(...begun)
  const opened = await context.newPage()
  await opened.goto(`${site.origin}/${query}`)
  await opened.locator('form [contenteditable]').click()
  return opened
}

async function write(text: string, tab = page): Promise<void> {
  await tab.bringToFront()
  await tab.locator('form [contenteditable]').click()
  await tab.keyboard.type(text)
  await tab.keyboard.press('Enter')
}

function sent(): { key: string; text: string }[] {
  return site.calls.filter(({ path }) => path === sending).map(({ body }) => messageIn(body))
}

function texts(): string[] {
  return acceptedMessages.map(({ text }) => text)
}

async function topOf(text: string): Promise<number> {
  return (await page.getByText(text, { exact: true }).boundingBox())?.y ?? -1
}

/** Announces new messages to the page. */
async function hearNews(tab = page): Promise<void> {
  await tab.evaluate(() => dispatchEvent(new Event('online')))
}

/** The last messages on the page. */
async function lastTexts(many: number): Promise<string[]> {
  return (await page.locator('[role="log"] .prose').allTextContents()).slice(-many)
}

/** The messages up to which the page has marked theirs as read. */
function read(): (string | null)[] {
  return site.calls
    .filter(({ path }) => path === '/user/control/markPrivateMessagesAsRead')
    .map(({ body }) => new URLSearchParams(body).get('upTo'))
}

function answer({ path, body, query }: ReceivedRequest): Answer {
  if (path === sending) return answers.shift() ?? { body: { message: take(messageIn(body)) } }
  if (path === '/captcha/make') return { body: { captchaId: 'c1', picture: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', work: null } }
  if (path === '/user/control/privateMessageChatList') return { body: conversation(query) }
  if (path === '/user/control/unreadMessageCount')
    return { body: { privateMessageCount: 0, systemNotifyCount: 0, remindCount: 0, messageRevision: '0' } }
  return { body: {} }
}

function messageIn(body: string): { key: string; text: string } {
  const fields = new URLSearchParams(body)
  const { content } = JSON.parse(fields.get('body') ?? '{"content":[]}')
  type Inline = { type: string; text?: string }
  const text = content.flatMap((block: { content?: Inline[] }) => (block.content ?? []).map((one) => one.text ?? '\n')).join('')
  return { key: fields.get('key') ?? '', text }
}

function take({ key, text }: { key: string; text: string }): MessageView {
  if (!acceptedMessages.some((known) => known.key === key)) acceptedMessages.push({ key, text })
  const message = line(5_000 + acceptedMessages.findIndex((known) => known.key === key), text, { key })
  if (!there.some((known) => known.key === key)) there.push(message)
  return message
}

function line(id: number, text: string, fields: Partial<MessageView> = {}): MessageView {
  const sentAt = new Date(Date.UTC(2026, 1, 1, 8, 0, id)).toISOString()
  return { id: String(id), isMine: true, segments: [{ html: `<p>${text}</p>` }], sentAt, key: null, envelopeId: null, ...fields }
}

/** Like the site: the latest thirty, those after one, or those before one, of which there are thirty. */
function conversation(query: URLSearchParams) {
  const [before, after] = [query.get('before'), query.get('after')]
  const later = there.filter(({ id }) => Number(id) > Number(after))
  const newest = after ? later.slice(0, 30) : there.slice(-30)
  const messages = before
    ? Array.from({ length: 30 }, (_, at) => line(Number(before) - 30 + at, `Line ${Number(before) - 1_030 + at}`, { isMine: false }))
    : newest
  const member = { id: '7', name: 'Mei', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
  return {
    member,
    messages,
    hasMore: !before && later.length > 30,
    lastId: there.at(-1)?.id ?? null,
    unread: 0,
    request: null,
    closed: null,
    needsCaptcha: false,
  }
}

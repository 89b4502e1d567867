import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
/** Violations of the page's security policy, and any other errors. */
let faults: string[]

const form = {
  locks: ['password', 'comment', 'level', 'points', 'balance'],
  most: 3,
  mostPoints: '1000',
  mostCents: '50000',
  levels: [
    { needs: '0', name: { zh: '茶客', en: 'Guest' } },
    { needs: '500', name: { zh: '茶师', en: 'Tea master' } },
  ],
}

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
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
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  await open()
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path }: ReceivedRequest): Answer {
  return { body: path === '/hiddenPart/form' ? form : {} }
}

async function open(first?: Block[], more = 'hides'): Promise<void> {
  const query = first ? `&first=${encodeURIComponent(JSON.stringify({ type: 'doc', content: first }))}` : ''
  await page.goto(`${site.origin}/?${more}${query}`)
  await text().waitFor()
}

const text = () => page.getByRole('textbox', { name: 'Body' })
const tool = () => page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Hidden part', exact: true })
const head = () => page.getByRole('group', { name: 'Hidden part', exact: true })
const lock = () => head().getByRole('combobox', { name: 'Unlocks with' })
const view = (name: 'Rich text' | 'Markdown') => page.getByText(name, { exact: true }).first()

/** The submitted content, as the server receives it. */
async function sent(): Promise<Block[]> {
  const before = site.calls.length
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => site.calls.slice(before).find(({ path }) => path === '/try')?.body).toBeTruthy()
  const { body = '' } = site.calls.slice(before).find(({ path }) => path === '/try') ?? {}
  return (JSON.parse(new URLSearchParams(body).get('body') ?? 'null') as Doc).content
}

const says = (text: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const part = (attrs: Extract<Block, { type: 'hidden' }>['attrs'], ...content: Block[]): Block => ({ type: 'hidden', attrs, content })

test('an empty part is begun at the cursor, filled, and left by Enter on an empty line', async () => {
  await text().click()
  await page.keyboard.type('Open')
  await tool().click()
  await page.keyboard.type('hidden line')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('open again')
  expect(await sent()).toEqual([says('Open'), part({ lock: 'comment', value: '' }, says('hidden line')), says('open again')])
})

test('the selection is hidden whole, with any blocks, and one undo shows it again', async () => {
  await open([says('a'), { type: 'codeBlock', attrs: { language: 'sql' }, content: [{ type: 'text', text: 'select 1' }] }, says('z')])
  await text().locator('p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await tool().click()
  await head().waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(() => head().count()).toBe(0)
  await page.keyboard.press('Control+y')
  await head().waitFor()
  const [first, ...others] = await sent()
  expect(first).toMatchObject({ type: 'hidden', content: [{ type: 'paragraph' }, { type: 'codeBlock' }, { type: 'paragraph' }] })
  expect(others).toEqual([])
})

test('the lock and its value are chosen at its head, by the keyboard, and Enter leads to the text without sending the post', async () => {
  await text().click()
  await tool().click()
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('SELECT')
  await lock().selectOption('points')
  await page.keyboard.press('Tab')
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await page.keyboard.type('the treasure')
  expect(site.calls.some(({ path }) => path === '/try')).toBe(false)
  expect(await sent()).toEqual([part({ lock: 'points', value: '25' }, says('the treasure'))])
})

test('a price in money is typed in whole units and hundredths, a level is one of those there are', async () => {
  await text().click()
  await tool().click()
  await page.keyboard.type('a')
  await lock().selectOption('balance')
  await head().getByRole('textbox', { name: 'Price (CNY)' }).fill('12.5')
  expect(await sent()).toEqual([part({ lock: 'balance', value: '1250' }, says('a'))])
  await text().click()
  await tool().click()
  await page.keyboard.type('a')
  await lock().selectOption('level')
  await head().getByRole('combobox', { name: 'Level', exact: true }).selectOption('500')
  expect(await sent()).toEqual([part({ lock: 'level', value: '500' }, says('a'))])
})

test('an error of a lock stands beside it once its field is left, in the reader’s language', async () => {
  await text().click()
  await tool().click()
  await page.keyboard.type('a')
  await lock().selectOption('points')
  const price = head().getByRole('textbox', { name: 'Price in points' })
  await price.fill('0')
  await price.press('Enter')
  await head().getByText('The price in points must be a whole number').waitFor()
  await price.fill('5000')
  await head().getByText('At most 1,000.').waitFor()
  expect(await price.getAttribute('aria-invalid')).toBe('true')
  await price.fill('1000')
  await expect.poll(() => head().locator('.wrong').count()).toBe(0)
})

test('a part without its value is not sent, and says so at its field', async () => {
  await text().click()
  await tool().click()
  await page.keyboard.type('a')
  await lock().selectOption('password')
  await page.getByRole('button', { name: 'Publish' }).click()
  await head().getByText('Give the hidden part a password').waitFor()
  expect(site.calls.some(({ path }) => path === '/try')).toBe(false)
})

test('a part that is edited keeps its id, and an empty password keeps the one it has, which is never shown', async () => {
  await open([part({ id: 'h_1', lock: 'password', value: '' }, says('old'))])
  await head().getByText('Leave empty to keep the current password.').waitFor()
  expect(await head().getByRole('textbox', { name: 'Password' }).inputValue()).toBe('')
  await text().getByText('old').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and new')
  expect(await sent()).toEqual([part({ id: 'h_1', lock: 'password', value: '' }, says('old and new'))])
})

test('a part that is shown again keeps its text', async () => {
  await open([part({ id: 'h_1', lock: 'comment', value: '' }, says('a'), says('b'))])
  await head().getByRole('button', { name: 'Unhide' }).click()
  expect(await sent()).toEqual([says('a'), says('b')])
})

test('Backspace at its head shows nothing of it, and takes an empty part away', async () => {
  await open([part({ lock: 'comment', value: '' }, says('a')), says('b')])
  await text().getByText('a', { exact: true }).click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  expect(await sent()).toEqual([part({ lock: 'comment', value: '' }, says('a')), says('b')])
  await text().getByText('b', { exact: true }).click()
  await page.keyboard.press('End')
  await tool().click()
  await expect.poll(() => head().count()).toBe(2)
  await page.keyboard.press('Backspace')
  await expect.poll(() => head().count()).toBe(1)
})

test('a part is in no other part, and in no list', async () => {
  await text().click()
  await tool().click()
  expect(await tool().getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('- item')
  await tool().click()
  await page.keyboard.type('a')
  expect((await sent()).map(({ type }) => type)).toEqual(['bulletList', 'hidden'])
})

test('more parts than a topic may have are not begun', async () => {
  const one = part({ lock: 'comment', value: '' }, says('a'))
  await open([one, one, one, says('b')])
  await text().getByText('b', { exact: true }).click()
  await expect.poll(() => tool().getAttribute('aria-disabled')).toBe('true')
})

test('a part that is cut and put into a quote stays hidden, below it', async () => {
  await open([part({ lock: 'points', value: '7' }, says('secret')), { type: 'blockquote', content: [says('quoted')] }])
  await head().locator('svg').click()
  await text().getByText('quoted').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')
  await page.keyboard.type('> in a quote')
  await page.keyboard.press('Control+v')
  const blocks = await sent()
  expect(blocks.map(({ type }) => type)).toEqual(['blockquote', 'hidden', 'blockquote'])
  expect(JSON.stringify(blocks[0])).not.toContain('secret')
})

test('Markdown writes the same part, and reads it back', async () => {
  await open([part({ id: 'h_1', lock: 'balance', value: '350' }, says('a'))])
  await view('Markdown').click()
  const area = page.locator('textarea')
  expect(await area.inputValue()).toBe(':::hidden balance=3.50 #h_1\n\na\n\n:::')
  await area.fill(':::hidden level=500\n\na **b**\n\n:::\n\nopen')
  await view('Rich text').click()
  await expect.poll(() => lock().inputValue()).toBe('level')
  expect((await sent())[0]).toMatchObject({ type: 'hidden', attrs: { lock: 'level', value: '500' } })
})

test('a part that its editor may not see stays as it is, or is taken out', async () => {
  const storedPart: Block = { type: 'hidden', attrs: { id: 'h_1', lock: 'points', value: '9' } }
  await open([says('a'), storedPart, says('b')])
  await page.getByText('You can’t see what’s inside. It stays as it is.').waitFor()
  expect(await sent()).toEqual([says('a'), storedPart, says('b')])
  await head().getByRole('button', { name: 'Delete' }).click()
  expect(await sent()).toEqual([says('a'), says('b')])
})

test('without hidden parts on the site there is no tool for them, and an existing part keeps its text', async () => {
  site.answer = ({ path }) => ({ body: path === '/hiddenPart/form' ? { ...form, locks: [] } : {} })
  await open()
  await expect.poll(() => tool().count()).toBe(0)
  await open([part({ id: 'h_1', lock: 'comment', value: '' }, says('a'))], 'low')
  expect(await tool().count()).toBe(0)
  await page.getByText('Hidden part: unlocks with a comment').waitFor()
  expect(await lock().count()).toBe(0)
})

test('the help for hidden parts names the available locks, and no others', async () => {
  site.answer = ({ path }) => ({ body: path === '/hiddenPart/form' ? { ...form, locks: ['comment', 'points'] } : {} })
  await open()
  await page.getByText('How to hide part of a topic').click()
  await page.getByText(':::hidden points=5').waitFor()
  expect(await page.locator('details li').allTextContents()).toEqual([
    'comment for those who have commented or replied',
    'points=5 for this many points',
  ])
})

test('a failed load of the locks does not disturb writing, and may be repeated', async () => {
  let fails = true
  site.answer = (request) => (request.path === '/hiddenPart/form' && fails ? { status: 500 } : answer(request))
  await open()
  await text().click()
  await tool().click()
  await page.keyboard.type('a')
  fails = false
  await head().getByRole('button', { name: 'Reload the options' }).click()
  await expect.poll(() => lock().locator('option').count()).toBe(5)
  faults = []
})

test('in a reply a hidden part in Markdown stays hidden, and is refused', async () => {
  await page.goto(`${site.origin}/?plain`)
  await text().waitFor()
  await view('Markdown').click()
  await page.locator('textarea').fill(':::hidden comment\n\n- a\n\n:::')
  await view('Rich text').click()
  await page.getByText('Hidden part: unlocks with a comment').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Hidden parts are only allowed in topics.').waitFor()
})

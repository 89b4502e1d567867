import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { aSite, type Answer, type Asked, type TestSite } from '#base/testing/page.ts'
import type { EnvelopeView } from '#red-envelope/contract.ts'
import { leave, openBrowser } from '../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
let envelope: EnvelopeView
let refusal: Answer | null

const person = (id: string, name: string) => ({ id, name, avatar: '', isOfficial: false, isDeactivated: false, roles: [] })

beforeAll(async () => {
  site = await aSite('../../features/red-envelope/web/example.tsx')
  browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await leave(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.asked.length = 0
  site.answer = answer
  refusal = null
  envelope = {
    id: '3',
    kind: 'random',
    giver: person('2', 'Mei'),
    receiver: null,
    topicId: '1',
    currency: 'points',
    greeting: 'Spring tea for all',
    cover: 'tea',
    quantity: 3,
    taken: 1,
    state: 'open',
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    conditions: { commented: true },
    role: null,
    mine: null,
    isOwn: false,
    mayTry: true,
    amount: null,
  }
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && !/status of [45]\d\d/.test(message.text()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path, method }: Asked): Answer {
  if (path === '/redEnvelope/ofThread') return { body: { envelope } }
  if (path === '/redEnvelope/news') return { status: 404 }
  if (path === '/redEnvelope/shares') {
    const shares = ['19', '1'].map((amount, index) => ({
      member: person(`${index + 7}`, index === 0 ? 'Tom' : 'Bo'),
      amount,
      at: new Date().toISOString(),
      isBest: envelope.state === 'taken' && index === 0,
    }))
    return { body: { shares, total: 2, page: 1, pages: 1 } }
  }
  if (path === '/user/control/redEnvelope/open') {
    if (refusal) return refusal
    envelope = { ...envelope, mine: '19', amount: '30', taken: 2 }
    return { body: { currency: 'points', amount: '19', isNew: true } }
  }
  return method === 'POST' ? { body: { envelopeId: '4' } } : { body: {} }
}

const card = () => page.getByRole('region', { name: 'Red envelope from Mei' })
const open = () => card().getByRole('button', { name: 'Open the red envelope' })
const go = (query = '') => page.goto(`${site.origin}/thread?topicId=1${query}`)

test('an open one is opened by one button; what came of it is said, has the focus, and shows who opened it', async () => {
  await go()
  await card().getByText('Random amounts · 1 of 3 opened').waitFor()
  await card().getByText('Comment first').waitFor()
  expect(await card().getByRole('button', { name: 'Who opened it' }).count()).toBe(0)
  await open().click()
  await card().getByText('19 points', { exact: true }).waitFor()
  await card().getByText('2 of 3 opened').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^You got/)
  await card().getByRole('button', { name: 'Who opened it' }).click()
  await card().getByRole('listitem').getByText('Tom').waitFor()
  const sent = site.asked.filter(({ path }) => path.endsWith('/open'))
  expect(sent.map(({ headers }) => Boolean(headers['idempotency-key']))).toEqual([true])
})

test('why one may not open it stands where one clicked, and one may try again', async () => {
  refusal = { status: 403, body: { error: { base: 'Comment on the topic to open it.' } } }
  await go()
  await open().click()
  await card().getByRole('alert').getByText('Comment on the topic to open it.').waitFor()
  refusal = null
  await open().click()
  await card().getByText('19 points', { exact: true }).waitFor()
  expect(await card().getByRole('alert').count()).toBe(0)
})

test('of one that is all gone everybody sees who got what, and who was luckiest', async () => {
  envelope = { ...envelope, state: 'taken', taken: 3, amount: '30' }
  await go()
  await card().getByText('All shares have been opened').waitFor()
  await card().getByRole('button', { name: 'Who opened it' }).click()
  expect(await card().getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/Tom.*Luckiest.*19 points/),
    expect.not.stringContaining('Luckiest'),
  ])
})

test.each([
  ['one of their own', { isOwn: true, mayTry: false }, 'Your red envelope'],
  ['one for somebody else', { kind: 'targeted', receiver: person('9', 'Bo'), mayTry: false }, 'This red envelope is not for you.'],
  [
    'one for somebody else that was opened',
    { kind: 'targeted', receiver: person('9', 'Bo'), taken: 1, state: 'taken' },
    'It has been opened',
  ],
  ['one that ended', { state: 'returned', amount: '30' }, 'This red envelope has ended'],
])('%s is not offered to be opened', async (_, its, said) => {
  envelope = { ...envelope, ...(its as Partial<EnvelopeView>) }
  await go()
  await card().getByText(said, { exact: true }).waitFor()
  expect(await open().count()).toBe(0)
})

test('a visitor is led to the login, and back to the thread', async () => {
  await go('&visitor')
  const to = (await card().getByRole('link', { name: 'Sign in to open' }).getAttribute('href')) ?? ''
  expect(decodeReturnPath(new URL(to, site.origin).searchParams.get('jumpUrl'))).toBe('/thread?topicId=1&visitor')
})

test('one that cannot be had may be asked for again', async () => {
  site.answer = () => ({ status: 500 })
  await go()
  await page.getByRole('button', { name: /again/i }).waitFor()
  site.answer = answer
  await page.getByRole('button', { name: /again/i }).click()
  await open().waitFor()
})

test('what is given is counted while it is typed, and said to be too much before it is sent', async () => {
  await go()
  expect(await page.locator('[name="envelopePoints"]').count()).toBe(0)
  await page.getByRole('combobox', { name: /Add a red envelope/ }).selectOption('fixed')
  await page.getByRole('textbox', { name: 'Points each' }).fill('30')
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('3')
  await page.getByText('90 points in all. 1 point to 10,000 points per envelope. You have 100 points.').waitFor()
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('4')
  await page.getByText('120 points in all.').waitFor()
  await page.getByText('That’s more than you have.').waitFor()
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('400')
  await expect.poll(() => page.getByText('12,000 points in all.').getAttribute('class')).toMatch(/wrong/)
  await page.getByRole('combobox', { name: 'Pay with' }).selectOption('cny')
  await page.getByRole('textbox', { name: 'Each (CNY)' }).fill('0.10')
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('3')
  await page.getByText('¥0.30 in all.').waitFor()
})

test('an amount that is not there is asked for in its field, and of a site without money only points', async () => {
  await go('&noCash')
  await page.getByRole('combobox', { name: /Add a red envelope/ }).selectOption('targeted')
  expect(await page.getByRole('combobox', { name: 'Pay with' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Give it' }).click()
  await expect
    .poll(() => page.locator('[aria-invalid="true"]').evaluateAll((all) => all.map((one) => one.getAttribute('name'))))
    .toEqual(['envelopePoints', 'envelopeReceiver'])
  await page.getByRole('textbox', { name: 'Points', exact: true }).fill('8')
  await page.getByRole('textbox', { name: 'To' }).fill('Bo')
  await page.getByRole('button', { name: 'Give it' }).click()
  await expect.poll(() => site.asked.filter(({ path }) => path.endsWith('/add')).length).toBe(1)
  const [sent] = site.asked.filter(({ path }) => path.endsWith('/add'))
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    envelopeKind: 'targeted',
    envelopePoints: '8',
    envelopeReceiver: 'Bo',
    envelopeGreeting: '',
    envelopeCover: 'lantern',
  })
  expect(sent?.headers['idempotency-key']).toBeTruthy()
})

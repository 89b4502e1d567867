import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Lock } from '#base/rich-text/document.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
/** Violations of the page's policy, and any other errors. */
let faults: string[]
/** The open parts, the member's funds, and the prices. */
let open: Record<string, string>
let means: { earned: string; points: string; cents: string | null }
let prices: Record<string, string>

const locks: readonly Lock[] = ['password', 'comment', 'level', 'points', 'balance']

beforeAll(async () => {
  site = await componentPage('../../features/posts/hidden-part/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  open = {}
  means = { earned: '120', points: '55', cents: '1000' }
  prices = { level: '500', points: '20', balance: '990' }
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(site.origin)
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path, body }: ReceivedRequest): Answer {
  if (path === '/thread') return { body: { segments: [{ html: '<p>open</p>' }, ...locks.map(shut)] } }
  if (path === '/hiddenPart/means') return { body: means }
  if (path === '/topic/hidden') {
    const parts = Object.entries(open).map(([id, why]) => ({ id, why, segments: [{ html: `<p>behind ${id}</p>` }] }))
    return { body: { parts } }
  }
  if (path.startsWith('/hiddenPart/')) {
    const partId = new URLSearchParams(body).get('partId') ?? ''
    open[partId] = 'unlocked'
    return { body: { partId, isNew: true } }
  }
  return { body: {} }
}

function shut(lock: Lock) {
  const level = lock === 'level' ? { level: { zh: '茶师', en: 'Tea master' } } : {}
  return { html: '', hidden: { id: lock, lock, value: prices[lock] ?? '', ...level } }
}

function refuse(path: string, status: number, error: Record<string, string>, meanwhile: () => void = () => undefined): void {
  site.answer = (request) => {
    if (request.path !== path) return answer(request)
    meanwhile()
    return { status, body: { error, ...(status === 429 && { seconds: 60 }) } }
  }
}

const part = (lock: Lock) => page.locator(`#part-${lock}`)
const button = (lock: Lock, name: string) => part(lock).getByRole('button', { name, exact: true })
const sent = (path: string) => site.calls.filter((request) => request.path === path)
const agree = () => page.getByRole('dialog').getByRole('button', { name: 'Unlock', exact: true }).click()

test('a visitor sees the lock and price of each part, and may log in and come back to it', async () => {
  await part('password').waitFor()
  site.calls.length = 0
  await page.goto(`${site.origin}/thread?topicId=1&visitor`)
  await part('password').getByText('Hidden part: unlocks with a password').waitFor()
  await part('comment').getByText('Hidden part: comment to unlock').waitFor()
  await part('level').getByText('Hidden part: from level “Tea master”').waitFor()
  await part('points').getByText('Hidden part: 20 points').waitFor()
  await part('balance').getByText('Hidden part: ¥9.90').waitFor()
  const to = (await part('points').getByRole('link', { name: 'Sign in' }).getAttribute('href')) ?? ''
  expect(decodeReturnPath(new URL(to, site.origin).searchParams.get('jumpUrl'))).toBe('/thread?topicId=1&visitor#part-points')
  expect(sent('/topic/hidden')).toEqual([])
  await page.getByText('Has hidden parts: password, comment, level, points, balance').waitFor({ state: 'attached' })
})

test('a visitor who comes back from logging in stands at the part they came for', async () => {
  await page.goto(`${site.origin}/#part-balance`)
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('part-balance')
})

test('the right password opens the part in its place, with the focus on it, and says so', async () => {
  await part('password').getByLabel('Password', { exact: true }).fill('longjing')
  await part('password').getByLabel('Password', { exact: true }).press('Enter')
  await part('password').getByText('behind password').waitFor()
  await part('password').getByText('unlocked', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('part-password')
  expect(await part('password').getByRole('status').textContent()).toBe('Unlocked.')
  expect(await page.getByText('behind').count()).toBe(1)
})

test('no password, a wrong one and too many tries are refused at the field, and the typed text stays', async () => {
  await button('password', 'Unlock').click()
  await part('password').getByRole('alert').waitFor()
  expect(sent('/hiddenPart/unlock')).toEqual([])
  const field = part('password').getByLabel('Password', { exact: true })
  refuse('/hiddenPart/unlock', 422, { password: 'Wrong password.' })
  await field.fill('guess')
  await field.press('Enter')
  await part('password').getByText('Wrong password.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await field.inputValue()).toBe('guess')
  refuse('/hiddenPart/unlock', 429, { password: 'You tried too often. Wait a minute.' })
  await field.press('Enter')
  await part('password').getByText('You tried too often. Wait a minute.').waitFor()
})

test('points are shown before a purchase, asked for once, and paid once', async () => {
  await part('points').getByText('You have 55 points.').waitFor()
  await button('points', 'Unlock for 20 points').click()
  await page.getByRole('dialog').getByText('Unlock for 20 points? You’ll have 35 points left.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(sent('/hiddenPart/buy')).toEqual([])
  await button('points', 'Unlock for 20 points').click()
  await agree()
  await part('points').getByText('behind points').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('part-points')
  const [bought, ...others] = sent('/hiddenPart/buy')
  expect(Object.fromEntries(new URLSearchParams(bought?.body))).toMatchObject({ partId: 'points', price: '20' })
  expect(bought?.headers['idempotency-key']).toBeTruthy()
  expect(others).toEqual([])
})

test('a member with too few points or too little balance is told before, and how points are earned', async () => {
  means = { earned: '120', points: '8', cents: '100' }
  await page.reload()
  await part('points').getByText('You have 8 points. You’re 12 points short.').waitFor()
  expect(await part('points').getByRole('link', { name: 'How to earn points' }).getAttribute('href')).toBe('/user/control/point')
  await part('balance').getByText('Your balance is ¥1.00. You’re ¥8.90 short.').waitFor()
  expect(await part('points').getByRole('button').count()).toBe(0)
  expect(await part('balance').getByRole('link').count()).toBe(0)
})

test('points spent elsewhere meanwhile are reported at the clicked button, with the current difference', async () => {
  refuse('/hiddenPart/buy', 422, { amount: '5 points are missing.' }, () => (means = { ...means, points: '15' }))
  await button('points', 'Unlock for 20 points').click()
  await agree()
  await part('points').getByRole('alert').getByText('5 points are missing.').waitFor()
  await part('points').getByText('You have 15 points.').waitFor()
})

test('a price that changed meanwhile is shown anew, and nothing is paid until it is confirmed', async () => {
  const changed = 'The price has changed. Check it before you pay.'
  refuse('/hiddenPart/buy', 409, { price: changed }, () => (prices = { ...prices, points: '30' }))
  await button('points', 'Unlock for 20 points').click()
  await agree()
  await part('points').getByText(changed).waitFor()
  site.answer = answer
  await button('points', 'Unlock for 30 points').click()
  await agree()
  await part('points').getByText('behind points').waitFor()
  const bodies = sent('/hiddenPart/buy').map(({ body }) => new URLSearchParams(body).get('price'))
  expect(bodies).toEqual(['20', '30'])
})

test('any other refusal is shown in its place', async () => {
  refuse('/hiddenPart/buy', 422, { wallet: 'Nothing was charged.' })
  await button('balance', 'Unlock for ¥9.90').click()
  await agree()
  await part('balance').getByRole('alert').getByText('Nothing was charged.').waitFor()
})

test('on a site without balance a part for money cannot be opened', async () => {
  means = { ...means, cents: null }
  await page.reload()
  await part('balance').getByText('This can’t be unlocked right now.').waitFor()
  expect(await part('balance').getByRole('button').count()).toBe(0)
})

test('sent again after a lost connection, it is the same action', async () => {
  site.answer = (request) => (request.path === '/hiddenPart/buy' ? { status: 500 } : answer(request))
  await button('points', 'Unlock for 20 points').click()
  await agree()
  await expect.poll(() => sent('/hiddenPart/buy').length).toBe(1)
  faults = []
  site.answer = answer
  await expect.poll(() => button('points', 'Unlock for 20 points').getAttribute('aria-disabled')).toBe(null)
  await button('points', 'Unlock for 20 points').click()
  await agree()
  await part('points').getByText('behind points').waitFor()
  const keys = sent('/hiddenPart/buy').map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  faults = []
})

test('a comment opens its part by itself, and it shuts again when the comment goes', async () => {
  await button('comment', 'Write a comment').click()
  await expect.poll(() => new URL(page.url()).hash).toBe('#write')
  open = { comment: 'spoken' }
  await page.getByRole('button', { name: 'Commented' }).click()
  await part('comment').getByText('behind comment').waitFor()
  await part('comment').getByText('you commented').waitFor()
  await page.getByRole('button', { name: 'Go to it' }).click()
  await expect.poll(() => part('comment').evaluate((one) => one.matches(':focus'))).toBe(true)
  open = {}
  await page.getByRole('button', { name: 'Commented' }).click()
  await button('comment', 'Write a comment').waitFor()
  expect(await page.getByText('behind comment').count()).toBe(0)
})

test('a thread with closed comments says so', async () => {
  await page.goto(`${site.origin}/?closed`)
  await part('comment').getByText('Comments are closed here').waitFor()
  expect(await part('comment').getByRole('button').count()).toBe(0)
})

test('the distance to a level is said and drawn', async () => {
  await part('level').getByText('You’ve earned 120 points; 380 more needed.').waitFor()
  const bar = part('level').getByRole('progressbar', { name: 'How to reach this level' })
  expect(await bar.getAttribute('value')).toBe('120')
  expect(await bar.getAttribute('max')).toBe('500')
})

test('a failed request may be repeated', async () => {
  site.answer = (request) => (request.path === '/topic/hidden' ? { status: 500 } : answer(request))
  await page.reload()
  await part('level').getByRole('button', { name: 'Try again' }).waitFor()
  open = { level: 'level' }
  site.answer = answer
  faults = []
  await part('level').getByRole('button', { name: 'Try again' }).click()
  await part('level').getByText('behind level').waitFor()
  await button('points', 'Unlock for 20 points').waitFor()
})

test('a part that is open from the start does not take the focus', async () => {
  open = { password: 'author', points: 'staff' }
  await page.reload()
  await part('points').getByText('behind points').waitFor()
  await part('password').getByText('you wrote it').waitFor()
  expect(await page.evaluate('document.activeElement?.tagName')).toBe('BODY')
  expect(await part('points').getByRole('status').textContent()).toBe('')
})

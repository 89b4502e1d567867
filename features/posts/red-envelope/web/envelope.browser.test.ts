import { pbkdf2Sync } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import type { EnvelopeView } from '#red-envelope/contract.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
let envelope: EnvelopeView
let refusal: Answer | null

const person = (id: string, name: string) => ({ id, name, avatar: '', isOfficial: false, isDeactivated: false, roles: [] })

beforeAll(async () => {
  site = await componentPage('../../features/posts/red-envelope/testing/page.tsx')
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
    level: null,
    minDays: 0,
    mine: null,
    isOwn: false,
    mayTry: true,
    obstacle: null,
    needsCaptcha: false,
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

function answer({ path, method, body: sent }: ReceivedRequest): Answer {
  const kind = new URLSearchParams(sent).get('kind')
  if (path === '/redEnvelope/ofThread') return { body: { envelope } }
  if (path === '/redEnvelope') return { body: envelope }
  if (path === '/redEnvelope/form') return { body: form }
  if (path === '/redEnvelope/news') return { status: 404 }
  if (path === '/captcha/make') return { body: captcha(kind) }
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

/** An image captcha whose answer is “teas”, or a proof of work whose answer is 2. */
function captcha(kind: string | null) {
  const captchaId = `captcha-${site.calls.filter(({ path }) => path === '/captcha/make').length}`
  const target = pbkdf2Sync('2', captchaId, 1, 32, 'sha256').toString('base64url')
  const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
  return kind === 'work' ? { captchaId, picture: null, work: { target, iterations: 1, most: 3 } } : { captchaId, picture, work: null }
}

const form = {
  points: { least: '1', most: '10000', have: '100' },
  cash: null,
  mostShares: 999,
  leftToday: 5,
  hours: 24,
  levels: [],
  roles: [],
}

const card = () => page.getByRole('region', { name: 'Red envelope from Mei' })
const open = () => card().getByRole('button', { name: 'Open the red envelope' })
const go = (query = '') => page.goto(`${site.origin}/thread?topicId=1${query}`)

test('an open envelope is opened by one button; its result is said, has the focus, and shows the openers', async () => {
  await go()
  await card().getByText('Random amounts · 1 of 3 opened').waitFor()
  await card().getByText('Comment or answer first').waitFor()
  expect(await card().getByRole('button', { name: 'Who opened it' }).count()).toBe(0)
  await open().click()
  await card().getByText('19 points', { exact: true }).waitFor()
  await card().getByText('2 of 3 opened').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^You got/)
  await card().getByRole('button', { name: 'Who opened it' }).click()
  await card().getByRole('listitem').getByText('Tom').waitFor()
  const sent = site.calls.filter(({ path }) => path.endsWith('/open'))
  expect(sent.map(({ headers }) => Boolean(headers['idempotency-key']))).toEqual([true])
})

test('the reason of a refusal stands at the clicked button, and another try is possible', async () => {
  refusal = { status: 403, body: { error: { base: 'Comment or answer here to open it.' } } }
  await go()
  await open().click()
  await card().getByRole('alert').getByText('Comment or answer here to open it.').waitFor()
  refusal = null
  await open().click()
  await card().getByText('19 points', { exact: true }).waitFor()
  expect(await card().getByRole('alert').count()).toBe(0)
})

test('an empty envelope shows each opener’s share and the luckiest to all readers', async () => {
  envelope = { ...envelope, state: 'taken', taken: 3, amount: '30' }
  await go()
  await card().getByText('All shares have been opened').waitFor()
  await card().getByRole('button', { name: 'Who opened it' }).click()
  await card().getByRole('listitem').first().waitFor()
  expect(await card().getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/Tom.*Luckiest.*19 points/),
    expect.not.stringContaining('Luckiest'),
  ])
})

test('an end reported by the stream loads the details shown only then', async () => {
  site.answer = (request) => {
    if (request.path !== '/redEnvelope/news') return answer(request)
    // Opened in another tab, as the last share.
    envelope = { ...envelope, state: 'taken', taken: 3, mine: '11', amount: '30' }
    return { body: Readable.from(['id: taken-3\ndata: {"taken":3,"state":"taken"}\n\n']) }
  }
  await go()
  await card().getByText('11 points', { exact: true }).waitFor()
  await card().getByText('Random amounts · 3 of 3 opened · 30 points in total').waitFor()
})

test.each([
  ['one of their own', { isOwn: true, mayTry: false }, 'Your red envelope'],
  ['one for somebody else', { kind: 'targeted', receiver: person('9', 'Bo'), mayTry: false }, 'This red envelope isn’t for you.'],
  [
    'one for somebody else that was opened',
    { kind: 'targeted', receiver: person('9', 'Bo'), taken: 1, state: 'taken' },
    'It has been opened',
  ],
  ['one that ended', { state: 'returned', amount: '30' }, 'This red envelope has ended'],
])('%s is not offered to be opened', async (_, its, text) => {
  envelope = { ...envelope, ...(its as Partial<EnvelopeView>) }
  await go()
  await card().getByText(text, { exact: true }).waitFor()
  expect(await open().count()).toBe(0)
})

test.each([
  ['comment', {}, 'Comment or answer here to open it.'],
  ['level', { conditions: { level: '500' }, level: { zh: '茶师', en: 'Tea master' } }, 'Only for members at level “Tea master” or higher.'],
  ['level', { conditions: { level: '500' } }, 'Only for members with at least 500 points earned.'],
  ['role', {}, 'Only for members with a certain role.'],
  ['following', { conditions: { follows: true } }, 'Follow the sender to open it.'],
  ['days', { minDays: 3 }, 'Only for people who have been members for at least 3 days.'],
  ['books', {}, 'Red envelopes can’t be opened right now.'],
] as const)('a refusal for %s is shown in place of the large button, and the reader may try all the same', async (obstacle, its, text) => {
  envelope = { ...envelope, ...its, obstacle }
  await go()
  await card().getByText(text, { exact: true }).waitFor()
  expect(await open().count()).toBe(0)
  await card().getByRole('button', { name: 'Open', exact: true }).click()
  await card().getByText('19 points', { exact: true }).waitFor()
})

test('a member banned from money has no button', async () => {
  envelope = { ...envelope, obstacle: 'banned' }
  await go()
  await card().getByText('You can’t open red envelopes at the moment.', { exact: true }).waitFor()
  expect(await card().getByRole('button').count()).toBe(0)
})

test('a level is shown by its name', async () => {
  envelope = { ...envelope, conditions: { level: '500' }, level: { zh: '茶师', en: 'Tea master' } }
  await go()
  await card().getByText('Level “Tea master” or higher').waitFor()
})

test('full-width digits are counted and sent as numbers', async () => {
  await go()
  await page.getByRole('combobox', { name: /Add a red envelope/ }).selectOption('targeted')
  await page.getByRole('textbox', { name: 'Points', exact: true }).fill(' １２ ')
  await page.getByText('12 points in total.').waitFor()
})

test('a visitor is led to the login, and back to the card', async () => {
  await go('&visitor')
  const to = (await card().getByRole('link', { name: 'Sign in to open' }).getAttribute('href')) ?? ''
  expect(decodeReturnPath(new URL(to, site.origin).searchParams.get('jumpUrl'))).toBe('/thread?topicId=1&visitor#envelope-3')
})

test('a link to the card brings it into view, and the focus continues from it', async () => {
  await go('#envelope-3')
  await open().waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('envelope-3')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Open')
})

test('it shows its role, and that it cannot be opened once the role was removed', async () => {
  envelope = { ...envelope, conditions: { roleId: '4' }, role: { zh: '茶友会', en: 'Tea club' } }
  await go()
  await card().getByText('Only with the role Tea club').waitFor()
  envelope = { ...envelope, role: null }
  await go()
  await card().getByText('The role it was for no longer exists, so no one can open it.').waitFor()
  expect(await open().count()).toBe(0)
})

test('the form names roles; one of a draft that was removed since stays chosen, so that it is refused and not forgotten', async () => {
  await go('&envelopeKind=random')
  await page.getByText('Who can open it (optional)').click()
  const role = page.getByRole('combobox', { name: 'Role' })
  await role.selectOption('Tea club')
  expect(await role.inputValue()).toBe('4')
  await go('&envelopeKind=random&envelopeRole=9')
  expect(await role.inputValue()).toBe('9')
  await role.getByText('No longer exists').waitFor({ state: 'attached' })
})

const opened = () =>
  site.calls.flatMap(({ path, body, headers }) =>
    path.endsWith('/open') ? { ...Object.fromEntries(new URLSearchParams(body)), key: headers['idempotency-key'] } : [],
  )

test('a required captcha is solved in a dialog by the keyboard alone, and opens the envelope once', async () => {
  envelope = { ...envelope, needsCaptcha: true }
  await go()
  await open().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Open the red envelope' })
  await dialog.getByText('Verified.').waitFor()
  expect(opened()).toEqual([])
  await dialog.getByRole('button', { name: 'Open', exact: true }).focus()
  await page.keyboard.press('Enter')
  await card().getByText('19 points', { exact: true }).waitFor()
  expect(await dialog.count()).toBe(0)
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toMatch(/^You got/)
  expect(opened()).toEqual([{ envelopeId: '3', captchaId: 'captcha-1', captchaWork: '2', key: expect.any(String) }])
})

test('a wrong captcha is shown at its field with another one; after a lost answer the same is sent with the same key', async () => {
  refusal = { status: 422, body: { error: { captcha: 'The verification did not match.' } } }
  await go()
  await open().click()
  const dialog = page.getByRole('dialog', { name: 'Open the red envelope' })
  await dialog.getByText('Verified.').waitFor()
  await dialog.getByRole('button', { name: 'Use a picture instead' }).click()
  const field = dialog.getByRole('textbox', { name: 'Characters in the picture' })
  await field.fill('nope')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('The verification did not match.').waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  refusal = { status: 500 }
  await field.fill('teas')
  await page.keyboard.press('Enter')
  await expect.poll(() => opened().length).toBe(3)
  await dialog.getByRole('button', { name: 'Open', exact: true, disabled: false }).waitFor()
  refusal = null
  await page.keyboard.press('Enter')
  await card().getByText('19 points', { exact: true }).waitFor()
  const [, wrong, lost, again] = opened().map(({ key, ...sent }) => ({ ...sent, key: String(key) }))
  expect(again).toEqual(lost)
  expect(lost?.key).not.toBe(wrong?.key)
})

test('a refusal other than the captcha’s is shown at the clicked button', async () => {
  envelope = { ...envelope, needsCaptcha: true }
  refusal = { status: 409, body: { error: { base: 'All shares have been opened.' } } }
  await go()
  await open().click()
  const dialog = page.getByRole('dialog', { name: 'Open the red envelope' })
  await dialog.getByText('Verified.').waitFor()
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await card().getByRole('alert').getByText('All shares have been opened.').waitFor()
  expect(await dialog.count()).toBe(0)
})

test('a card that failed to load may be loaded again', async () => {
  site.answer = () => ({ status: 500 })
  await go()
  await page.getByRole('button', { name: /again/i }).waitFor()
  site.answer = answer
  await page.getByRole('button', { name: /again/i }).click()
  await open().waitFor()
})

test('the total is counted while it is typed, and an excess is shown before sending', async () => {
  await go()
  expect(await page.locator('[name="envelopePoints"]').count()).toBe(0)
  await page.getByRole('combobox', { name: /Add a red envelope/ }).selectOption('fixed')
  await page.getByRole('textbox', { name: 'Points each' }).fill('30')
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('3')
  await page.getByText('90 points in total. 1 point to 10,000 points per envelope. You have 100 points.').waitFor()
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('4')
  await page.getByText('120 points in total.').waitFor()
  await page.getByText('That’s more than you have.').waitFor()
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('400')
  await expect.poll(() => page.getByText('12,000 points in total.').getAttribute('class')).toMatch(/wrong/)
  await page.getByRole('combobox', { name: 'Pay with' }).selectOption('cny')
  await page.getByRole('textbox', { name: 'Each (CNY)' }).fill('0.10')
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('3')
  await page.getByText('¥0.30 in total.').waitFor()
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
  await expect.poll(() => site.calls.filter(({ path }) => path.endsWith('/add')).length).toBe(1)
  const [sent] = site.calls.filter(({ path }) => path.endsWith('/add'))
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    envelopeKind: 'targeted',
    envelopePoints: '8',
    envelopeReceiver: 'Bo',
    envelopeGreeting: '',
    envelopeCover: 'lantern',
  })
  expect(sent?.headers['idempotency-key']).toBeTruthy()
})

test('beside a comment the form is a button until it is used; its values survive a reload, and go when it is closed', async () => {
  await go('&comment')
  const add = page.getByRole('button', { name: 'Add a red envelope' })
  const points = page.getByRole('textbox', { name: 'Total points' })
  await add.waitFor()
  expect(site.calls.filter(({ path }) => path === '/redEnvelope/form')).toEqual([])
  await add.click()
  await points.fill('30')
  await page.reload()
  await expect.poll(() => points.inputValue()).toBe('30')
  await page.getByRole('button', { name: 'Post it' }).click()
  await expect.poll(() => site.calls.some(({ path }) => path === '/comment/add')).toBe(true)
  const [sent] = site.calls.filter(({ path }) => path === '/comment/add')
  expect(sent?.body).toMatch(/"?envelopeKind"?.{1,5}random/)
  expect(sent?.headers['idempotency-key']).toBeTruthy()
  await page.getByRole('combobox', { name: /Add a red envelope/ }).selectOption('')
  await add.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toContain('Add a red envelope')
  await page.reload()
  await add.waitFor()
  expect(await points.count()).toBe(0)
})

test('the form under a comment is loaded by itself, and opened there', async () => {
  await go('&comment')
  await open().click()
  await card().getByText('19 points', { exact: true }).waitFor()
  expect(site.calls.filter(({ path }) => path === '/redEnvelope/ofThread')).toEqual([])
})

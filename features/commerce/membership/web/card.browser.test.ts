import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Output } from '#base/contract.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import type { CardView, membershipQuote, OrderView, PriceView } from '#membership/contract.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
let cards: CardView[]
let quote: Output<typeof membershipQuote>
/** Refusals of the quote, by field. */
let wrong: (sent: URLSearchParams) => Record<string, string> | null
let refused: Answer | null
let orders: OrderView[]

const both = (name: string) => ({ zh: name, en: name })
const nothing: PriceView = { cash: null, points: null }
const yuan = (cash: string): PriceView => ({ cash, points: null })
const person = (id: string, name: string) => ({ id, name, avatar: '', isOfficial: false, isDeactivated: false, roles: [] })
const at = (day: string) => `2027-${day}T12:00:00.000Z`

beforeAll(async () => {
  site = await componentPage('../../features/commerce/membership/testing/page.tsx')
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
  refused = null
  wrong = () => null
  orders = []
  const month = { id: '11', name: both('Month'), price: yuan('6.00'), listPrice: '8.00', left: null, duration: 1, unit: 'month' as const }
  const year = { ...month, id: '12', name: both('Year'), price: yuan('60.00'), listPrice: null, left: 3, unit: 'year' as const }
  const card: CardView = {
    id: '1',
    name: both('Regular card'),
    subtitle: both('A seat by the window'),
    bullets: { zh: [], en: ['Tea at five'] },
    picture: null,
    role: { id: '4', name: both('Regular') },
    gives: [{ right: 'topic.unreviewed', tag: null }],
    specifications: [month, year],
    replaces: [{ id: '2', name: both('Guest card') }],
  }
  cards = [card, { ...card, id: '2', name: both('Guest card'), gives: [] }]
  const price = yuan('6.00')
  const funds = { toPay: price, have: { cash: '100.00', points: null }, missing: nothing }
  quote = { price, discount: nothing, rest: null, ...funds, startsAt: at('01-01'), endsAt: at('02-01'), heldUntil: null }
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && !/status of [45]\d\d/.test(message.text()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path, query }: ReceivedRequest): Answer {
  if (path === '/membershipCard/list') return { body: { cards } }
  if (path === '/membershipCard') return { body: { ...cards[0], segments: [{ html: '<p>Ask at the counter.</p>' }], summary: '' } }
  if (path === '/membershipCard/quote') {
    const error = wrong(query)
    return error ? { status: 422, body: { error } } : { body: quote }
  }
  if (path === '/membershipCard/buy')
    return refused ?? { body: { orderId: '9', number: '20270101000000000001', startsAt: quote.startsAt, endsAt: quote.endsAt } }
  const roles = [{ name: both('Regular'), from: at('01-01'), until: at('02-01'), isNow: true }]
  return { body: { orders, roles, total: orders.length, page: 1, pages: 1 } }
}

const go = (path = '/membershipCard?membershipCardId=1') => page.goto(site.origin + path)
const pay = (name = 'Buy for ¥6.00') => page.locator('button:not([aria-disabled])', { hasText: name })
const purchases = () => site.calls.filter(({ path }) => path === '/membershipCard/buy').map(({ body }) => new URLSearchParams(body))

test('a visitor compares the cards by their benefits, and sees the missing ones marked', async () => {
  await go('/membershipCardList?visitor')
  const compared = page.getByRole('table', { name: 'Compare cards' })
  await compared.waitFor()
  expect(await compared.getByRole('columnheader').allTextContents()).toEqual(['Benefit', 'Regular card', 'Guest card'])
  expect(await compared.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual([
    expect.stringContaining('topics'),
    expect.stringContaining('Not included'),
  ])
  await page.getByRole('link', { name: 'See options: Regular card' }).click()
  await page.getByRole('heading', { level: 1, name: 'Regular card' }).waitFor()
})

test('an option that a visitor chose is the page after the login', async () => {
  await go('/membershipCard?membershipCardId=1&visitor')
  await page.getByText('Sign in to buy this card.').waitFor()
  const year = '/membershipCard?membershipCardId=1&specificationId=12'
  await page.locator(`a[href="${year}"]`).click()
  await page.locator(`a[href="${year}"][aria-current=true]`).waitFor()
  const way = await page.getByRole('link', { name: 'Sign in', exact: true }).getAttribute('href')
  expect(decodeReturnPath(new URL(way ?? '', site.origin).searchParams.get('jumpUrl'))).toBe(year)
  await page.getByText('Ask at the counter.').waitFor()
})

test('a card is paid once for two clicks, with the amount on the page; then the role and its end have the focus', async () => {
  await go()
  await page.getByText('You have ¥100.00').waitFor()
  await pay().dblclick()
  const done = page.getByRole('status').filter({ hasText: 'You have Regular until' })
  await done.getByText('Order number 20270101000000000001').waitFor()
  expect(await done.evaluate((box) => box === document.activeElement)).toBe(true)
  expect(purchases().map((sent) => [sent.get('specificationId'), sent.get('quantity'), sent.get('cash'), sent.get('points')])).toEqual([
    ['11', '1', '6.00', '0'],
  ])
  await done.getByRole('button', { name: 'Buy another' }).click()
  quote = { ...quote, price: yuan('12.00'), toPay: yuan('12.00'), heldUntil: at('02-01') }
  await page.getByLabel('Quantity').fill('2')
  await page.getByText(/^Extends your card, which now ends/).waitFor()
  await pay('Buy for ¥12.00').waitFor()
})

test('an unknown coupon is refused at its field, and a known one takes its discount off the total', async () => {
  wrong = (sent) => (sent.get('coupon') === 'NOSUCH' ? { coupon: 'This code doesn’t exist. Check the spelling.' } : null)
  await go()
  await pay().waitFor()
  const field = page.getByLabel('Coupon code (optional)')
  await field.fill('NOSUCH')
  // Enter looks the code up, and pays nothing.
  await field.press('Enter')
  await page.getByRole('alert').getByText('This code doesn’t exist').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await pay().count()).toBe(0)
  quote = { ...quote, discount: yuan('3.00'), toPay: yuan('3.00') }
  await field.fill('spring50')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('− ¥3.00').waitFor()
  await pay('Buy for ¥3.00').click()
  await page.getByRole('status').getByText('You have Regular until').waitFor()
  expect(purchases().map((sent) => [sent.get('coupon'), sent.get('cash')])).toEqual([['spring50', '3.00']])
})

test('a member with too little is led to top up the difference and back to this option, and pays nothing', async () => {
  quote = { ...quote, missing: { cash: '4.50', points: '20' } }
  await go('/membershipCard?membershipCardId=1&specificationId=12')
  await page.getByText('You’re ¥4.50 short.').waitFor()
  await page.getByText('You’re 20 points short.').waitFor()
  expect(await page.getByRole('link', { name: 'Top up your balance' }).getAttribute('href')).toBe(
    `/user/control/payment?${new URLSearchParams({ amount: '4.50', returnTo: '/membershipCard?membershipCardId=1&specificationId=12' })}`,
  )
  expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0)
  quote = { ...quote, missing: nothing }
  await page.getByRole('button', { name: 'Check again' }).click()
  await pay().waitFor()
})

test('the rest of a former card comes off the price if the member wishes it', async () => {
  quote = { ...quote, rest: yuan('2.00') }
  await go()
  await pay().waitFor()
  expect(await page.getByText('Left of your other card').count()).toBe(0)
  quote = { ...quote, toPay: yuan('4.00') }
  await page.getByLabel('¥2.00 left of Guest card comes off the price.').check()
  await page.getByText('− ¥2.00').waitFor()
  await pay('Buy for ¥4.00').click()
  await page.getByRole('status').getByText('You have Regular until').waitFor()
  expect(purchases().map((sent) => sent.get('upgrades'))).toEqual(['true'])
})

test('a gift goes to the member it was begun for; an unknown name is refused at its field, and nothing is paid', async () => {
  wrong = (sent) => (sent.get('receiver') === 'nobody' ? { receiver: 'No member has this name. Check the spelling.' } : null)
  await go('/membershipCardList?receiver=Maya')
  await page.getByRole('link', { name: 'See options: Regular card' }).click()
  const receiver = page.getByLabel('Member’s name')
  await expect.poll(() => receiver.inputValue()).toBe('Maya')
  await receiver.fill('nobody')
  await page.getByLabel('Note (optional)').fill('See you at the back table.')
  await page.getByRole('alert').getByText('No member has this name').waitFor()
  expect(await page.locator('button:not([aria-disabled])', { hasText: 'Buy as a gift' }).count()).toBe(0)
  await receiver.fill('Maya')
  await receiver.press('Enter')
  await page.getByText('Maya will have it until').waitFor()
  await pay('Buy as a gift for ¥6.00').click()
  await page.getByRole('status').getByText('Maya has Regular until').waitFor()
  expect(purchases().map((sent) => [sent.get('receiver'), sent.get('note')])).toEqual([['Maya', 'See you at the back table.']])
})

test('a changed price is reported, the page shows the new one, and the next press pays it', async () => {
  await go()
  await pay().waitFor()
  const [month, year] = cards[0]?.specifications ?? []
  refused = { status: 409, body: { error: { base: 'The price has changed since you opened this page.' } } }
  cards = [{ ...cards[0], specifications: [{ ...month, price: yuan('7.00') }, year] } as CardView]
  quote = { ...quote, price: yuan('7.00'), toPay: yuan('7.00') }
  await pay().click()
  await page.getByRole('alertdialog').getByText('The price has changed').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('a[aria-current=true]').getByText('¥7.00').waitFor()
  refused = null
  await page.locator('button:not([aria-disabled]):focus', { hasText: 'Buy for ¥7.00' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('You have Regular until').waitFor()
  expect(purchases().map((sent) => sent.get('cash'))).toEqual(['6.00', '7.00'])
})

test('an option that is sold out is not to be chosen, and a role that is held for good is not to be bought', async () => {
  const [month, year] = cards[0]?.specifications ?? []
  cards = [{ ...cards[0], specifications: [month, { ...year, left: 0 }] } as CardView]
  wrong = () => ({ base: 'You already have this role with no end date, so there is nothing to buy.' })
  await go()
  await page.getByText('Sold out', { exact: true }).waitFor()
  expect(await page.locator('a[href*="specificationId=12"]').count()).toBe(0)
  await page.getByRole('alert').getByText('You already have this role with no end date').waitFor()
  expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0)
})

test('a price that cannot be had may be asked for again', async () => {
  site.answer = (request) => (request.path === '/membershipCard/quote' ? { status: 503, body: {} } : answer(request))
  await go()
  await page.getByRole('alert').getByText('The price couldn’t be loaded.').waitFor()
  site.answer = answer
  await page.getByRole('button', { name: 'Check again' }).click()
  await pay().waitFor()
})

test('without a card on sale the page of cards says so', async () => {
  cards = []
  await go('/membershipCardList')
  await page.getByText('No membership cards are on sale right now.').waitFor()
})

test('orders show what was paid, given and taken off another card, a received gift shows no price, roles show their times', async () => {
  const order: OrderView = {
    id: '1',
    number: '20270101000000000001',
    at: at('01-01'),
    role: both('Regular'),
    card: both('Regular card'),
    specification: both('Month'),
    quantity: 2,
    duration: 1,
    unit: 'month',
    price: yuan('12.00'),
    paid: yuan('6.00'),
    startsAt: at('01-01'),
    endsAt: at('03-01'),
    refund: { ...yuan('2.00'), at: at('01-09'), isUpgrade: true },
    gift: null,
  }
  const gift = { ...order, id: '2', price: nothing, paid: nothing, refund: null }
  orders = [
    order,
    {
      ...gift,
      id: '2',
      price: yuan('6.00'),
      paid: yuan('6.00'),
      gift: { from: person('7', 'Me'), to: person('8', 'Maya'), note: 'For you.' },
    },
    { ...gift, id: '3', gift: { from: person('8', 'Maya'), to: person('7', 'Me'), note: 'And for you.' } },
  ]
  await go('/user/control/membershipCardOrderList')
  const items = page.locator('main ol > li')
  await items.first().waitFor()
  const [upgraded, given, received] = await items.allInnerTexts()
  expect(upgraded).toMatch(/Upgraded[^]*Paid\s+¥6\.00\s+¥12\.00[^]*¥2\.00 taken off another card/)
  expect(given).toMatch(/Paid\s+¥6\.00[^]*Gift to\s+Maya[^]*For you\./)
  expect(received).toMatch(/Gift from\s+Maya[^]*And for you\./)
  expect(received).not.toContain('Paid')
  await page.getByRole('heading', { name: 'Role history' }).waitFor()
  await page.getByText('Current', { exact: true }).waitFor()
})

import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Output } from '#base/contract.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { ProviderUnavailable, type paymentForm, type PaymentView } from '#payment/contract.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page
let payment: PaymentView
let offer: Output<typeof paymentForm>
let others: PaymentView[]
/** The refusal of beginning or cancelling a payment. */
let refused: Answer | null
/** The content of the member's event stream. */
let news: Answer

const number = '20261127000000000001'
const next = '20261127000000000002'

beforeAll(async () => {
  site = await componentPage('../../features/commerce/payment/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

// A page that is still loading would add calls to the next test.
afterEach(() => page.context().close())

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  refused = null
  others = []
  news = { status: 503, body: {} }
  payment = {
    number,
    provider: 'alipay',
    method: 'qr',
    amount: '12.50',
    state: 'open',
    createdAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 30 * 60_000).toISOString(),
    paidAt: null,
    providerNumber: null,
    isOff: false,
    start: { go: 'qr', to: 'https://qr.example/1' },
    returnTo: '/membershipCard?membershipCardId=1',
    refunds: [],
    disputes: [],
    refundRequest: null,
    canAskRefund: false,
  }
  offer = {
    ways: [
      { provider: 'alipay', method: 'page' },
      { provider: 'alipay', method: 'qr' },
      { provider: 'stripe', method: 'page' },
    ],
    amounts: ['10', '50'],
    least: '1.00',
    most: '5000.00',
    leftToday: '20000.00',
    balance: '3.00',
    closedBy: null,
    isSandbox: false,
    open: [],
  }
  page = await openPage()
})

async function openPage(how: { userAgent?: string; hasTouch?: boolean; isMobile?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...how })
  return context.newPage()
}

function answer({ path, query }: ReceivedRequest): Answer {
  if (path === '/user/control/payment') return { body: offer }
  if (path === '/user/control/payment/list') return { body: { rows: others, next: null } }
  if (path === '/user/control/payment/view')
    return { body: query.get('number') === next ? { ...payment, number: next, start: { go: 'qr', to: 'https://qr.example/2' } } : payment }
  if (path === '/user/control/payment/news') return news
  if (path === '/user/control/payment/add')
    return refused ?? { body: { ...payment, number: next, start: { go: 'qr', to: 'https://qr.example/2' } } }
  if (path === '/user/control/payment/cancel') return refused ?? {}
  return {}
}

const open = (address: string, lang = 'en') => page.goto(`${site.origin}${address}${address.includes('?') ? '&' : '?'}lang=${lang}`)
const sent = (path: string) => site.calls.filter((request) => request.path === `/user/control/payment${path}`)
const amount = () => page.locator('input[name=amount]')

const noAmounts = '-1 0 -0 0.001 1e3 1,000 +1 0x10 NaN Infinity 1234567890123 1e-7 1.1.1 9007199254740993 1234567890.123'

test.each([
  ['en', 'Enter an amount, for example 12.50.'],
  ['zh', '请输入金额，例如 12.50。'],
])('an invalid amount is refused at its field with a sentence, and stays as it was typed, in %s', async (lang, says) => {
  await open('/user/control/payment', lang)
  for (const typed of noAmounts.split(' ')) {
    await amount().fill(typed)
    await amount().press('Enter')
    await page.getByRole('alert').getByText(says).waitFor()
    expect(await amount().inputValue()).toBe(typed)
  }
  expect(sent('/add')).toEqual([])
})

test('a refusal of the provider stands beside the ways to pay, the amount stays, and each way says where it leads', async () => {
  await open('/user/control/payment')
  await amount().fill('12.50')
  await page.getByText('You’ll be taken to Alipay to pay').waitFor()
  await page.getByLabel('Card (Stripe)').check()
  await page.getByText('You’ll be taken to Stripe to pay').waitFor()
  await page.getByText('Scan a QR code').click()
  await page.getByText('you’ll see a code to scan with Alipay').waitFor()
  refused = {
    status: ProviderUnavailable.status,
    body: { error: { [ProviderUnavailable.field]: 'The payment provider isn’t responding.' } },
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('radiogroup').getByText('The payment provider isn’t responding.').waitFor()
  expect(await amount().inputValue()).toBe('12.50')
  refused = null
  await page.getByRole('button', { name: 'Continue to payment' }).dblclick()
  await page.getByRole('img', { name: 'QR code for paying with Alipay' }).waitFor()
  expect(sent('/add')).toHaveLength(2)
  expect(new URL(page.url()).searchParams.get('number')).toBe(next)
})

test.each([
  ['age', 'At your age, you can’t top up.', '按你的年龄，不能充值。'],
  ['ban', 'staff have restricted', '你的消费功能已被限制'],
  ['approval', 'once staff have approved your account', '账号通过审核后才能充值'],
  ['frozenBooks', 'top-ups are paused', '充值暂停'],
  ['dailyLimit', 'reached today’s top-up limit', '今天的充值已达上限'],
] as const)('a member who cannot top up because of %s is told so before they try', async (closedBy, en, zh) => {
  offer.closedBy = closedBy
  for (const [lang, says] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    await open('/user/control/payment', lang)
    await page.getByText(says).waitFor()
    expect(await amount().count()).toBe(0)
  }
})

test('a page in WeChat without a way to pay leads to the browser', async () => {
  page = await openPage({ userAgent: 'Mozilla/5.0 (Linux; Android 14) MicroMessenger/8.0', isMobile: true, hasTouch: true })
  offer.ways = []
  await open('/user/control/payment')
  await page.getByText('Open this page in your browser.').waitFor()
  expect(sent('')[0]?.query.get('isInWeChat')).toBe('true')
  expect(sent('')[0]?.query.get('isPhone')).toBe('true')
})

test('an expired code is gone, and one tap brings a new one; a refusal stands beside it', async () => {
  await page.clock.install()
  await open(`/user/control/payment?number=${number}`)
  await page.getByRole('img', { name: 'QR code for paying with Alipay' }).waitFor()
  await page.getByRole('timer').waitFor()
  await page.clock.runFor(31 * 60_000)
  await page.getByText('Time is up.').waitFor()
  expect(await page.getByRole('img').count()).toBe(0)
  refused = { status: 422, body: { error: { amount: 'You can top up ¥1.00 more today.' } } }
  await page.getByRole('button', { name: 'Get a new code' }).click()
  await page.getByRole('alert').getByText('You can top up ¥1.00 more today.').waitFor()
  refused = null
  payment.expiresAt = new Date(Date.now() + 90 * 60_000).toISOString()
  await page.getByRole('button', { name: 'Get a new code' }).click()
  await page.waitForURL(/000002/)
  await page.getByRole('img', { name: 'QR code for paying with Alipay' }).waitFor()
  expect(sent('/add').at(-1)?.body).toContain('amount=12.50')
  expect(sent('/add').at(-1)?.body).toContain('method=qr')
})

test('an order whose provider was switched off says so, has no link, and can be cancelled', async () => {
  payment = { ...payment, provider: 'sandbox', isOff: true, start: null }
  offer.open = [payment]
  await open('/user/control/payment')
  await page.getByText('This payment method was switched off').waitFor()
  expect(await page.getByRole('link', { name: /Continue/ }).count()).toBe(0)
  await open(`/user/control/payment?number=${number}`, 'zh')
  await page.getByText('本站已停用沙箱').waitFor()
  await page.getByRole('button', { name: '取消支付' }).click()
  // “Cancel” would be ambiguous.
  expect(await page.getByRole('dialog').getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining(['先不取消', '取消支付']))
  await page.getByRole('dialog').getByRole('button', { name: '取消支付' }).click()
  await expect.poll(() => sent('/cancel').length).toBe(1)
})

test('the waiting page hears of the credit by the stream, and polls only now and then', async () => {
  news = { body: `id: 1\ndata: ${JSON.stringify({ ended: [number] })}\n\n` }
  const asksOfView = () => sent('/view').length
  let isPaid = false
  site.answer = (request) => {
    if (request.path.endsWith('/news')) isPaid = true
    if (request.path.endsWith('/view') && isPaid)
      return { body: { ...payment, state: 'paid', paidAt: new Date().toISOString(), start: null } satisfies PaymentView }
    return answer(request)
  }
  await open(`/paymentCompleted/alipay/topUp/${number}`)
  await page.getByText('¥12.50 was added to your balance').waitFor()
  expect(asksOfView()).toBe(2)
  await page.getByRole('link', { name: 'Back to what you were buying' }).waitFor()
})

test('without the stream the page polls, and finds the payment', async () => {
  await page.clock.install()
  await open(`/paymentCompleted/alipay/topUp/${number}`)
  await page.getByText('This page updates by itself.').waitFor()
  payment = { ...payment, state: 'paid', paidAt: new Date().toISOString(), start: null }
  await page.clock.runFor(13_000)
  await page.getByText('¥12.50 was added to your balance').waitFor()
})

test('a receipt shows its refunds, and the list of payments the state of each', async () => {
  const at = new Date().toISOString()
  payment = {
    ...payment,
    state: 'paid',
    paidAt: at,
    start: null,
    refunds: [
      { amount: '2.00', state: 'done', askedAt: at, endedAt: at },
      { amount: '1.00', state: 'failed', askedAt: at, endedAt: at },
    ],
    disputes: [{ amount: '5.00', state: 'open', openedAt: at, endedAt: null }],
  }
  await open(`/user/control/payment?number=${number}`, 'zh')
  await page.getByText('退款失败，已退回余额').waitFor()
  await page.getByText('支付争议中').waitFor()
  await page.getByText('¥2.00 ·').waitFor()
  others = [payment, { ...payment, number: next, state: 'closed', refunds: [], disputes: [] }]
  await open('/user/control/payment')
  const history = page.getByRole('region', { name: 'Payment history' })
  await history.getByText('Disputed').waitFor()
  await history.getByText('Refunded: ¥2.00', { exact: true }).waitFor()
  await history.getByRole('link', { name: '¥12.50, not completed' }).waitFor()
  await history.getByRole('link', { name: '¥12.50, paid' }).click()
  await page.getByRole('heading', { name: 'Receipt' }).waitFor()
})

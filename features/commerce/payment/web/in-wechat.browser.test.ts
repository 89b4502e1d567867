import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import type { PaymentView } from '#payment/contract.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let page: Page
let openPage: (userAgent: string) => Promise<Page>
/** How WeChat ends each request for money. */
let ends: string[]
let refused: Answer | null

const number = '20261127000000000001'
const asked = { appId: 'wx1', package: 'prepay_id=wx2' }
const inWechat = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50'

beforeAll(async () => {
  site = await componentPage('../../features/commerce/payment/testing/page.tsx')
  site.answer = answer
  const browser = await openBrowser()
  openPage = async (userAgent) => (await browser.newContext({ userAgent, viewport: { width: 390, height: 844 } })).newPage()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(() => {
  site.calls.length = 0
  refused = null
})

afterEach(() => page.context().close())

function answer({ path }: ReceivedRequest): Answer {
  const times = { createdAt: new Date().toISOString(), expiresAt: new Date(Date.now() + 30 * 60_000).toISOString(), paidAt: null }
  const its = { providerNumber: null, isOff: false, start: null, returnTo: null, refunds: [], disputes: [] }
  const ofRefunds = { refundRequest: null, canAskRefund: false }
  const payment: PaymentView = {
    number,
    provider: 'wechat',
    method: 'page',
    amount: '12.50',
    state: 'open',
    ...times,
    ...its,
    ...ofRefunds,
  }
  if (path === '/user/control/payment/inWeChat') return refused ?? { body: asked }
  return path === '/user/control/payment/view' ? { body: payment } : { status: 503, body: {} }
}

async function open(userAgent = inWechat): Promise<void> {
  page = await openPage(userAgent)
  await page.exposeFunction('asksForMoney', () => ({ err_msg: `get_brand_wcpay_request:${ends.shift() ?? ''}` }))
  await page.addInitScript(() => {
    type Asking = { asksForMoney(parameters: object): Promise<unknown> }
    const here = window as unknown as Asking
    const invoke = (_: string, parameters: object, respond: (answer: unknown) => void) => void here.asksForMoney(parameters).then(respond)
    // WeChat has its bridge a moment after the page.
    setTimeout(() => {
      Object.assign(window, { WeixinJSBridge: { invoke } })
      document.dispatchEvent(new Event('WeixinJSBridgeReady'))
    })
  })
  await page.goto(`${site.origin}/payment/wechat?number=${number}&code=021A&state=s1`)
}

const codes = () =>
  site.calls.filter(({ path }) => path.endsWith('/inWeChat')).map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
const pay = () => page.getByRole('button', { name: 'Pay ¥12.50' })

test('WeChat asks for the money by itself; after a cancel one tap asks again, without another use of the code, and leads to the outcome', async () => {
  ends = ['cancel', 'ok']
  await open()
  await page.getByRole('status').getByText('You haven’t paid yet.').waitFor()
  await pay().click()
  await page.waitForURL(`**/paymentCompleted/wechat/topUp/${number}`)
  expect(codes()).toEqual([{ number, code: '021A', state: 's1' }])
})

test('a payment that WeChat does not take has failed on the page, with the way to WeChat once more', async () => {
  ends = ['fail']
  await open()
  await page.getByText('WeChat couldn’t take the payment.').waitFor()
  await page.getByRole('link', { name: 'Continue to WeChat Pay' }).waitFor()
})

test('a code that was used before asks WeChat for nothing, says so, and leads to WeChat once more', async () => {
  ends = ['ok']
  refused = { status: 422, body: { error: { base: 'WeChat needs to confirm again who is paying.' } } }
  await open()
  await page.getByText('WeChat needs to confirm again who is paying.').waitFor()
  await page.getByRole('link', { name: 'Continue to WeChat Pay' }).waitFor()
  expect(ends).toEqual(['ok'])
})

test('the page asks for no money outside WeChat, and says where to open it', async () => {
  ends = ['ok']
  await open('Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36')
  await pay().click()
  await page.getByText('Open this page inside WeChat to pay.').waitFor()
  expect([codes(), ends]).toEqual([[], ['ok']])
})

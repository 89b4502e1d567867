import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { letAsk, workOff } from '#payment/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum({ listens: true })
const { title } = await site.database.app.selectFrom('topic').select('title').where('title', 'like', '一条 SQL%').executeTakeFirstOrThrow()
const topicPath = `/thread?topicId=${await site.topic('一条 SQL')}`

const ways = [
  ['zh', 'desktop', 'light', 'laochen'],
  ['en', 'phone', 'dark', 'azhe'],
] as const

test.each(ways)('one tops up what is missing and comes back to it, in %s on a %s, %s', async (language, width, theme, as) => {
  const words = wordsIn(language)
  const { page, complaints, context } = await site.visit({ language, width, theme, as })
  const before = await balanceOf(page)
  await page.goto('/user/control/balance')
  await page
    .locator('main')
    .getByRole('link', { name: words('wallet.topUp'), exact: true })
    .waitFor()
  await look(page, `payment-balance-${language}-${width}`)
  await page.goto(`/user/control/payment?amount=12.50&returnTo=${encodeURIComponent(topicPath)}`)
  const amount = page.getByLabel(words('payment.amount'), { exact: true })
  await amount.waitFor()
  expect(await amount.inputValue()).toBe('12.50')
  await page.getByText(words('payment.testMode')).waitFor()
  await look(page, `payment-form-${language}-${width}`)
  await amount.fill('0.5')
  await page.getByRole('button', { name: words('payment.goOn') }).click()
  await page.getByText(words('payment.belowLeast', { least: 1 })).waitFor()
  expect(await amount.inputValue()).toBe('0.5')
  // The browser also reports the refusal.
  expect(complaints.splice(0)).toHaveLength(1)
  await look(page, `payment-refused-${language}-${width}`)
  await amount.fill('12.50')
  await amount.press('Enter')
  await page.waitForURL(/\/payment\/sandbox\?number=\d{20}/)
  await page.getByText('¥12.50').waitFor()
  await look(page, `payment-sandbox-${language}-${width}`)
  const pay = page.getByRole('button', { name: words('payment.outcomePaid'), exact: true })
  await pay.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/paymentCompleted\/sandbox\/topUp\/\d{20}/)
  await page.getByText(words('payment.waitingWhat')).waitFor()
  await look(page, `payment-waiting-${language}-${width}`)
  await workOff(site.database)
  await page.getByText(words('payment.statePaid', { amount: '¥12.50' })).waitFor()
  const now = (before + 12.5).toFixed(2)
  await page.getByText(words('payment.newBalance', { balance: `¥${now}` })).waitFor()
  await look(page, `payment-paid-${language}-${width}`)
  await printed(page, `payment-receipt-${language}-${width}`)
  await page.getByRole('link', { name: words('payment.back') }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goto('/user/control/balance')
  await page.getByText(`¥${now}`).first().waitFor()
  const log = page.getByRole('region', { name: words('wallet.log') })
  await log
    .getByRole('link', { name: words('wallet.kindTopUp'), exact: true })
    .first()
    .click()
  await page.getByText(words('payment.receiptNumber')).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test.each(ways)('one scans a code, cancels, and pays another way, in %s on a %s, %s', async (language, width, theme, as) => {
  const words = wordsIn(language)
  const { page, complaints, context } = await site.visit({ language, width, theme, as })
  await page.goto('/user/control/payment')
  await page.getByRole('button', { name: '¥30', exact: true }).click()
  if (width === 'desktop') await page.getByText(words('payment.methodQr')).click()
  await page.getByRole('button', { name: words('payment.goOn') }).click()
  if (width === 'desktop')
    await page.getByRole('img', { name: words('payment.codeLabel', { provider: words('payment.providerSandbox') }) }).waitFor()
  else await page.getByText('¥30.00').waitFor()
  await look(page, `payment-code-${language}-${width}`)
  await page.goto('/user/control/payment')
  await page.getByRole('heading', { name: words('payment.unfinished') }).waitFor()
  await look(page, `payment-open-${language}-${width}`)
  if (width === 'desktop') {
    await page.getByRole('link', { name: words('payment.continueOf', { amount: '¥30.00' }) }).click()
    await page.getByRole('button', { name: words('payment.anotherWay') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('payment.anotherWay') })
      .click()
    await page.waitForURL(/amount=30\.00/)
    await page.locator('input[name=amount][value="30.00"]').waitFor()
  } else {
    await page.getByRole('button', { name: words('payment.cancelOf', { amount: '¥30.00' }) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('payment.cancel') })
      .click()
    await page.getByText(words('payment.cancelled')).waitFor()
  }
  await page.getByRole('heading', { name: words('payment.unfinished') }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await context.close()
})

test('a payment of which nothing is told is found when its provider is asked, and the page says so', async () => {
  const words = wordsIn('en')
  const { page, complaints, context } = await site.visit({ language: 'en', as: 'laochen' })
  const before = await balanceOf(page)
  const number = await begin(page, '8')
  await page.getByRole('button', { name: words('payment.outcomeLate'), exact: true }).click()
  await page.getByText(words('payment.waitingWhat')).waitFor()
  await letAsk(site.database, number)
  await page.getByText(words('payment.newBalance', { balance: `¥${(before + 8).toFixed(2)}` })).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('a payment that fails says that nothing was added, and is begun again by one tap, or another way', async () => {
  const words = wordsIn('zh')
  const { page, complaints, context } = await site.visit({ language: 'zh', width: 'phone', as: 'laochen' })
  await begin(page, '9')
  await page.getByRole('button', { name: words('payment.outcomeFailed'), exact: true }).click()
  await page.getByText(words('payment.waitingWhat')).waitFor()
  await workOff(site.database)
  await page.getByText(words('payment.stateClosed', { amount: '¥9.00' })).waitFor()
  await look(page, 'payment-failed-zh-phone')
  await page.getByRole('button', { name: words('payment.again') }).click()
  await page.waitForURL(/\/payment\/sandbox\?number=\d{20}/)
  await page.getByText('¥9.00').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: words('payment.anotherWay') }).click()
  await page.waitForURL(/amount=9\.00/)
  expect(complaints).toEqual([])
  await context.close()
})

test('where no provider is on any more, a form says so at its field, and then nothing is offered', async () => {
  const words = wordsIn('zh')
  const { page, complaints, context } = await site.visit({ as: 'laochen' })
  await page.goto('/user/control/payment')
  const amount = page.locator('input[name=amount]')
  await amount.fill('7')
  await site.change('paymentProviders', [])
  await amount.press('Enter')
  await page.getByRole('radiogroup').getByText(words('payment.noSuchWay')).waitFor()
  expect(await amount.inputValue()).toBe('7')
  await look(page, 'payment-no-such-way')
  expect(complaints.splice(0)).toHaveLength(1)
  await page.goto('/user/control/balance')
  await page.locator('#log').waitFor()
  expect(
    await page
      .getByRole('region', { name: words('wallet.mine') })
      .getByRole('link')
      .count(),
  ).toBe(0)
  await page.goto('/user/control/payment')
  await page.getByText(words('payment.noWay')).waitFor()
  await look(page, 'payment-none')
  await site.change('paymentProviders', ['sandbox'])
  expect(complaints).toEqual([])
  await context.close()
})

test('an address that is no payment of mine, or leads to another site, is none', async () => {
  const words = wordsIn('en')
  const { page, context } = await site.visit({ language: 'en', as: 'laochen' })
  for (const address of ['/user/control/payment?number=1', '/payment/sandbox', `/paymentCompleted/sandbox/topUp/${'1'.repeat(20)}`]) {
    await page.goto(address)
    await page.getByText(words('site.missingTitle')).first().waitFor()
  }
  await page.goto('/user/control/payment?amount=x&returnTo=//e.example')
  const number = await begin(page, '3', false)
  for (const address of [`/paymentCompleted/alipay/topUp/${number}`, `/paymentCompleted/sandbox/card/${number}`]) {
    await page.goto(address)
    await page.getByText(words('site.missingTitle')).first().waitFor()
  }
  const { return_to } = await site.database.app
    .selectFrom('payment_order')
    .select('return_to')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  expect(return_to).toBeNull()
  await context.close()
})

test('who comes back from the provider without a session signs in, and is on the same page', async () => {
  const { page, context } = await site.visit({ language: 'en', as: 'laochen' })
  const number = await begin(page, '4')
  await context.close()
  const back = await site.visit({ language: 'en' })
  const address = `/paymentCompleted/sandbox/topUp/${number}`
  await back.page.goto(address)
  await back.page.waitForURL(/\/login\?/)
  const jumpUrl = new URL(back.page.url()).searchParams.get('jumpUrl')
  expect(decodeReturnPath(jumpUrl)).toBe(address)
  await back.context.close()
})

test.each([320, 1440])('the pages of a payment in a window of %i', async (width) => {
  const { page, complaints, context } = await site.visit({
    language: width === 320 ? 'en' : 'zh',
    theme: width === 320 ? 'light' : 'dark',
    as: 'laochen',
  })
  await page.setViewportSize({ width, height: 800 })
  const number = await begin(page, '6')
  await look(page, `payment-sandbox-${width}`)
  for (const [name, address] of [
    ['form', '/user/control/payment?amount=12.50'],
    ['one', `/user/control/payment?number=${number}`],
    ['waiting', `/paymentCompleted/sandbox/topUp/${number}`],
  ] as const) {
    await page.goto(address)
    await page.getByText('¥6.00').first().waitFor()
    await look(page, `payment-${name}-${width}`)
  }
  await page.goto(`/payment/sandbox?number=${number}`)
  await page.locator('main li button').first().click()
  await page.waitForURL(/\/paymentCompleted\//)
  await workOff(site.database)
  await page.locator('main dl').waitFor()
  await look(page, `payment-paid-${width}`)
  expect(complaints).toEqual([])
  await context.close()
})

test('staff say which amounts are offered, and a wrong one is refused at its field', async () => {
  const words = wordsIn('zh')
  const { page, complaints, context } = await visitAsStaff(site, { language: 'zh' })
  await page.goto('/admin/setting?group=payment')
  const amounts = page.getByLabel(words('paymentAdmin.topUpAmounts'), { exact: true })
  await amounts.fill('20\n1.5')
  await page.getByRole('button', { name: words('settingAdmin.save') }).click()
  await page.getByText(words('payment.noYuan')).waitFor()
  await look(page, 'payment-settings')
  await amounts.fill('20\n88')
  await page.getByRole('button', { name: words('settingAdmin.save') }).click()
  await page.getByText(words('settingAdmin.saved')).waitFor()
  const member = await site.visit({ language: 'zh', as: 'laochen' })
  await member.page.goto('/user/control/payment')
  await member.page.getByRole('button', { name: '¥88', exact: true }).waitFor()
  expect(
    await member.page
      .getByRole('group', { name: words('payment.suggested') })
      .getByRole('button')
      .count(),
  ).toBe(2)
  expect([...complaints, ...member.complaints]).toEqual([])
  await member.context.close()
  await context.close()
})

async function begin(page: Page, amount: string, isAtIndex = true): Promise<string> {
  if (isAtIndex) await page.goto('/user/control/payment')
  await page.locator('input[name=amount]').fill(amount)
  await page.locator('input[name=amount]').press('Enter')
  await page.waitForURL(/\/payment\/sandbox\?number=\d{20}/)
  return new URL(page.url()).searchParams.get('number') ?? ''
}

async function balanceOf(page: Page): Promise<number> {
  await page.goto('/user/control/payment')
  return Number((await page.locator('main strong').first().innerText()).replace(/[^\d.]/g, ''))
}

async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])
}

async function printed(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('dl').isVisible()).toBe(true)
  expect(await page.locator('main button:visible, main a.button:visible').count()).toBe(0)
  if (folder) await writeFile(`${folder}/${name}.png`, await page.screenshot())
  await page.emulateMedia({ media: 'screen' })
}

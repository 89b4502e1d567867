import { expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { letAsk, workOff } from '#payment/testing/factories.ts'
import { lookOf } from './look-of.ts'
import { balanceOf, begin, check, enterSandboxCode, topUps, unfinishedPayments } from './payment-journey.ts'
import { visitAsStaff } from './staff-visit.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum({ listens: true })
const look = lookOf(import.meta.url)

topUps(site, [look])
// A code to scan is offered on a desktop alone.
unfinishedPayments(site, [{ ...look, width: 'desktop' }])

test('a payment without a notification is found by asking its provider, and the page says so', async () => {
  const words = wordsIn('en')
  const { page, complaints, context } = await site.visit({ language: 'en', as: 'laochen' })
  const before = await balanceOf(page)
  const number = await begin(page, '8')
  await enterSandboxCode(page, 'en')
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
  await enterSandboxCode(page, 'zh')
  await page.getByRole('button', { name: words('payment.outcomeFailed'), exact: true }).click()
  await page.getByText(words('payment.waitingWhat')).waitFor()
  await workOff(site.database)
  await page.getByText(words('payment.stateClosed', { amount: '¥9.00' })).waitFor()
  await check(page, 'payment-failed-zh-phone')
  await page.getByRole('button', { name: words('payment.again') }).click()
  await page.waitForURL(/\/payment\/sandbox\?number=\d{20}/)
  await page.getByText('¥9.00').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: words('payment.anotherWay') }).click()
  await page.waitForURL(/amount=9\.00/)
  expect(complaints).toEqual([])
  await context.close()
})

test('a form without a provider left says so at its field, and then nothing is offered', async () => {
  const words = wordsIn('zh')
  const { page, complaints, context } = await site.visit({ as: 'laochen' })
  await page.goto('/user/control/payment')
  const amount = page.locator('input[name=amount]')
  await amount.fill('7')
  await site.change('paymentProviders', [])
  await amount.press('Enter')
  await page.getByRole('radiogroup').getByText(words('payment.noSuchWay')).waitFor()
  expect(await amount.inputValue()).toBe('7')
  await check(page, 'payment-no-such-way')
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
  await check(page, 'payment-none')
  await site.change('paymentProviders', ['sandbox'])
  expect(complaints).toEqual([])
  await context.close()
})

test('an address of no payment of the member, or to another site, is missing', async () => {
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

test('a payer who returns without a session signs in, and is on the same page', async () => {
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

test('staff choose the offered amounts, and a wrong one is refused at its field', async () => {
  const words = wordsIn('zh')
  const { page, complaints, context } = await visitAsStaff(site, { language: 'zh' })
  await page.goto('/admin/setting?group=payment')
  const amounts = page.getByLabel(words('paymentAdmin.topUpAmounts'), { exact: true })
  await amounts.fill('20\n1.5')
  await page.getByRole('button', { name: words('settingAdmin.save') }).click()
  await page.getByText(words('payment.noYuan')).waitFor()
  await check(page, 'payment-settings')
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

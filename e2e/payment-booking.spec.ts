import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { disputeTold, refundTold } from '#payment/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { beginPayment, notifyPaid } from './payments.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const { id: memberId } = await site.database.app
  .selectFrom('member')
  .select('id')
  .where('account', '=', 'laochen')
  .executeTakeFirstOrThrow()

async function paid(): Promise<string> {
  const number = await beginPayment(site.database, memberId, 3_000)
  await notifyPaid(site.database, number)
  return number
}

test.each(['en', 'zh'] as const)(
  'staff see the member, deadline and link of a dispute in another currency, and book it, in %s',
  async (language) => {
    const words = wordsIn(language)
    const number = await paid()
    const link = 'https://dashboard.stripe.com/test/disputes/du_1'
    await disputeTold(site.database, number, {
      cents: 420n,
      currency: 'USD',
      state: 'open',
      respondBy: new Date('2026-12-24T00:00:00Z'),
      link,
    })
    const { page, complaints } = await visitAsStaff(site, { language })
    await page.goto(`/admin/payment/event?state=suspended&number=${number}`)
    await page.getByRole('row').filter({ hasText: '4.20 USD' }).getByRole('link').first().click()
    await page.getByText(words('paymentAdmin.whybackotherCurrency')).waitFor()
    await page.getByRole('link', { name: number }).waitFor()
    expect(await page.locator(`a[href="${link}"]`).count()).toBe(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await screenshot(page, `payment-dispute-${language}`)
    await page.getByRole('button', { name: words('paymentAdmin.bookDispute'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel(words('paymentAdmin.number')).inputValue()).toBe(number)
    await dialog.getByLabel(words('paymentAdmin.bookAmount')).fill('29.50')
    await dialog.getByLabel(words('paymentAdmin.reason')).fill('As Stripe shows it')
    await screenshot(page, `payment-book-dispute-${language}`)
    await dialog.getByRole('button', { name: words('paymentAdmin.bookDispute'), exact: true }).click()
    await page.getByText(words('paymentAdmin.booked'), { exact: true }).waitFor()
    await page.getByText(words('paymentAdmin.eventbooked'), { exact: true }).first().waitFor()
    await page.goto('/admin/payment/dispute')
    await page.getByText('¥29.50').first().waitFor()
    await screenshot(page, `payment-disputes-${language}`)
    expect(complaints).toEqual([])
  },
)

test('staff book a refund without an amount of the provider, and the payment shows its origin', async () => {
  const words = wordsIn('zh')
  const number = await paid()
  await refundTold(site.database, number, {})
  const { page, complaints } = await visitAsStaff(site, { language: 'zh' })
  await page.goto(`/admin/payment/view?number=${number}`)
  await page.getByRole('link', { name: words('paymentAdmin.exceptionHere') }).click()
  await page.getByText(words('paymentAdmin.whynoAmount')).waitFor()
  await page.getByRole('button', { name: words('paymentAdmin.bookRefund'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(words('paymentAdmin.bookAmount')).fill('12')
  await dialog.getByLabel(words('paymentAdmin.reason')).fill('平台上退了十二元')
  await dialog.getByRole('button', { name: words('paymentAdmin.bookRefund'), exact: true }).click()
  await page.getByText(words('paymentAdmin.booked'), { exact: true }).waitFor()
  await page.goto(`/admin/payment/view?number=${number}`)
  await page.getByText(words('paymentAdmin.madeThere')).first().waitFor()
  await screenshot(page, 'payment-refund-there')
  expect(complaints).toEqual([])
})

test.each(['en', 'zh'] as const)('a member asks for a refund, and reads why staff decline, in %s', async (language) => {
  const words = wordsIn(language)
  const number = await paid()
  const { page, complaints, context } = await site.visit({ language, width: 'phone', as: 'laochen' })
  await page.goto(`/user/control/payment?number=${number}`)
  await page.getByRole('button', { name: words('payment.askRefund'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(words('payment.askRefundReason')).fill('Topped up twice')
  await screenshot(page, `payment-ask-refund-${language}`)
  await dialog.getByRole('button', { name: words('payment.sendRefundAsk') }).click()
  await page.getByText(words('payment.refundAskedNote')).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  const desk = await visitAsStaff(site, { language })
  await desk.page.goto('/admin/payment/refund')
  const row = desk.page.getByRole('row').filter({ hasText: number })
  await row.getByText('Topped up twice').waitFor()
  expect(await accessibilityViolations(desk.page)).toEqual([])
  await screenshot(desk.page, `payment-refund-requests-${language}`)
  await row.getByRole('button', { name: words('paymentAdmin.declineRefund') }).click()
  const answer = desk.page.getByRole('dialog')
  await answer.getByLabel(words('paymentAdmin.reason')).fill('It was spent')
  await answer.getByRole('button', { name: words('paymentAdmin.declineRefund'), exact: true }).click()
  await desk.page.getByText(words('paymentAdmin.refundDeclined'), { exact: true }).waitFor()

  await page.reload()
  await page.getByText('It was spent').waitFor()
  await screenshot(page, `payment-refund-declined-${language}`)
  expect([...complaints, ...desk.complaints]).toEqual([])
  await context.close()
})

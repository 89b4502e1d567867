import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { workOff } from '#payment/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { beginPayment, somePayments, notifyPaid } from './payments.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const idOf = async (account: string) =>
  (await site.database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id

const memberId = await idOf('azhe')
const { number } = await somePayments(site.database, memberId)

/** Presses the control of this name with the keyboard alone. */
async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a site without a balance reads about the legal duties, with a link to the switch', async () => {
  const en = wordsIn('en')
  await site.change('allowCash', false)
  const { page, complaints } = await visitAsStaff(site, { language: 'en' })
  await page.goto('/admin/payment/provider')
  await page.getByRole('heading', { name: en('paymentAdmin.lawOff') }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await screenshot(page, 'payment-law-en')
  await press(page, 'link', en('paymentAdmin.toSwitchOff'))
  await page.getByLabel(en('walletAdmin.allowCash'), { exact: true }).waitFor()
  await site.change('allowCash', true)
  await page.goto('/admin/setting?group=payment')
  await page
    .locator('main')
    .getByRole('link', { name: en('paymentAdmin.toProviders'), exact: true })
    .click()
  await page.getByText(en('paymentAdmin.lawTitle')).waitFor()
  await page.goto(`/admin/member/view?memberId=${memberId}`)
  await page
    .locator('main')
    .getByRole('link', { name: en('paymentAdmin.payments'), exact: true })
    .click()
  await page.getByRole('link', { name: number }).waitFor()
  expect(complaints).toEqual([])
})

test('staff without the right to see payments have no link to them', async () => {
  const { page } = await visitAsStaff(site, { language: 'en', rights: ['member.view'] })
  await page.goto(`/admin/member/view?memberId=${memberId}`)
  await page.locator('nav a[href^="/admin/member"] >> visible=true').first().waitFor()
  expect(await page.locator('a[href^="/admin/payment"]').count()).toBe(0)
})

test('staff refund half of a payment and see it done, by keyboard', async () => {
  const zh = wordsIn('zh')
  const paid = await beginPayment(site.database, await idOf('laochen'), 10_000)
  await notifyPaid(site.database, paid)
  const { page, complaints } = await visitAsStaff(site, { language: 'zh' })
  await page.goto(`/admin/payment?number=${paid}`)
  await press(page, 'link', paid)
  await page.getByRole('heading', { name: zh('paymentAdmin.timeline') }).waitFor()
  await press(page, 'button', zh('paymentAdmin.refund'))
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByLabel(zh('paymentAdmin.refundAmount'))
  // The dialog starts there, with the full refundable amount.
  expect(await amount.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await amount.inputValue()).toBe('100.00')
  await amount.fill('100.01')
  await dialog.getByLabel(zh('paymentAdmin.reason')).fill('多付了一半')
  const refund = dialog.getByRole('button', { name: zh('paymentAdmin.refund'), exact: true })
  await refund.press('Enter')
  await dialog.getByText(zh('payment.aboveRefundable', { most: 100 })).waitFor()
  await screenshot(page, 'payment-refund')
  // The browser itself reports the refusal.
  expect(complaints.splice(0)).toHaveLength(1)
  expect(await dialog.getByLabel(zh('paymentAdmin.reason')).inputValue()).toBe('多付了一半')
  await amount.fill('50')
  await amount.press('Enter')
  await page.getByText(zh('paymentAdmin.refundBegun')).waitFor()
  await workOff(site.database)
  await page.getByText(zh('paymentAdmin.refunddone'), { exact: true }).first().waitFor()
  await page.getByText('¥50.00').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await screenshot(page, 'payment-refunded')
  expect(complaints).toEqual([])
})

test('staff credit a suspended event, settle a difference, and reach every screen of payments', async () => {
  const en = wordsIn('en')
  const { page, complaints } = await visitAsStaff(site, { language: 'en', theme: 'dark' })
  await page.goto('/admin/payment')
  const waiting = page.getByRole('link', { name: new RegExp(`^${en('paymentAdmin.exceptions')}`) })
  expect(await waiting.textContent()).toContain('1')
  await waiting.click()
  await page
    .getByRole('row')
    .filter({ hasText: en('paymentAdmin.problemotherAmount') })
    .getByRole('link')
    .first()
    .click()
  await page.getByText('99.00 CNY').first().waitFor()
  await press(page, 'button', en('paymentAdmin.credit'))
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en('paymentAdmin.reason')).fill('The fee of the bank')
  await screenshot(page, 'payment-credit')
  await dialog.getByRole('button', { name: en('paymentAdmin.credit'), exact: true }).press('Enter')
  await page.getByText(en('paymentAdmin.credited'), { exact: true }).waitFor()
  await page.getByText(en('paymentAdmin.eventcredited'), { exact: true }).first().waitFor()

  await page.getByRole('link', { name: new RegExp(`^${en('reconciliationAdmin.reconciliation')}`) }).click()
  await page.getByRole('button', { name: en('reconciliationAdmin.settle'), exact: true }).click()
  await page.getByRole('dialog').getByLabel(en('reconciliationAdmin.settleAnswer')).fill('Credited by hand')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('reconciliationAdmin.settle'), exact: true })
    .click()
  await page.getByText(en('reconciliationAdmin.settled'), { exact: true }).waitFor()
  await page.getByText(en('admin.noneSo')).waitFor()
  await page.getByRole('link', { name: en('reconciliationAdmin.statements'), exact: true }).click()
  await page.getByText(en('reconciliationAdmin.differencesSettled', { count: 1 })).waitFor()
  await page.getByRole('link', { name: en('reconciliationAdmin.months'), exact: true }).click()
  await page.getByRole('heading', { name: en('reconciliationAdmin.byDay') }).waitFor()
  await page.getByRole('link', { name: en('reconciliationAdmin.figures'), exact: true }).click()
  await page.getByText(en('reconciliationAdmin.conversion')).first().waitFor()
  await page.getByRole('link', { name: en('paymentAdmin.providers'), exact: true }).click()
  await page.getByRole('button', { name: en('paymentAdmin.test') }).click()
  await page.getByText(en('paymentAdmin.keysWork')).waitFor()
  expect(complaints).toEqual([])
})

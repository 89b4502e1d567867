import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { invalidateCards } from '#membership/server/cards.ts'
import { aCoupon } from '#membership/testing/factories.ts'
import * as role from '#role/server/role.ts'
import { lookOf } from './look-of.ts'
import { optionOf, visitorsCompareCards } from './membership-journey.ts'
import { requireReauthentication, reauthenticate } from './reauthenticate.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]
await site.change('allowCash', true)

visitorsCompareCards(site, [lookOf(import.meta.url)])

test('a member buys with balance, again, upgrades, and sees the role with its end; an error stands at its field', async () => {
  const { page, complaints } = await site.visit({ as: 'linxi_dev', language: 'zh' })
  const month = await optionOf(site, '熟客卡', '月卡')
  await page.goto(month.address)
  await requireReauthentication(site, 'linxi_dev')
  await press(page, zh('membership.buyFor', { price: '¥6.00' }))
  await reauthenticate(page, zh)
  await page.getByRole('status').getByText('熟客').waitFor()
  await screenshot(page, 'card-bought')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: zh('membership.buyAnother') }).click()

  await page.getByLabel(zh('membership.quantity')).fill('2')
  await page.getByText('在当前有效期之后延长').waitFor()
  await aCoupon(site.database, 'SPRING50', 50)
  await page.getByLabel(zh('membership.coupon')).fill('NOSUCH')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(zh('membership.couponUnknown')).waitFor()
  await page.getByLabel(zh('membership.coupon')).fill('spring50')
  await page.getByRole('button', { name: zh('membership.apply'), exact: true }).click()
  await page.getByText('− ¥6.00').waitFor()
  await screenshot(page, 'card-coupon')
  expect(await accessibilityViolations(page)).toEqual([])
  await press(page, zh('membership.buyFor', { price: '¥6.00' }))
  await page.getByRole('status').getByText('熟客').waitFor()

  const year = await optionOf(site, '雅座卡', '年卡')
  await page.goto(year.address)
  await page.getByText(zh('membership.topUp')).waitFor()
  await screenshot(page, 'card-short')
  expect(await accessibilityViolations(page)).toEqual([])
  const quarter = await optionOf(site, '雅座卡', '季卡')
  await page.goto(quarter.address)
  await page.getByLabel(zh('membership.upgrade', { rest: '|', cards: '熟客卡' }).split('|')[1]?.trim() ?? '').check()
  await page.getByText(zh('membership.restLine')).waitFor()
  await screenshot(page, 'card-upgrade')
  expect(await accessibilityViolations(page)).toEqual([])
  await press(page, '支付 ¥')
  await page.getByRole('status').getByText('雅座').waitFor()

  await page.getByRole('link', { name: zh('membership.seeOrders') }).click()
  await page.getByRole('heading', { name: zh('membership.roleHistory') }).waitFor()
  await expect.poll(() => page.getByText(zh('membership.upgraded'), { exact: true }).count()).toBeGreaterThan(1)
  await screenshot(page, 'orders-zh')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.goto('/user/control/home')
  await page.locator('main').getByText('雅座').last().waitFor()
  await screenshot(page, 'home-roles')
  expect(complaints.filter((complaint) => !complaint.includes('/api/membershipCard/'))).toEqual([])
})

test('a member pays with points and gives a card to another, who is notified, in English on a phone', async () => {
  const { address } = await optionOf(site, '雅座卡', '体验卡')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en', width: 'phone', theme: 'dark' })
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'maya_r').executeTakeFirstOrThrow()
  await page.goto(`/user/control/home?userId=${id}`)
  await page.getByRole('button', { name: en('follow.more'), exact: true }).click()
  await page.getByRole('menuitem', { name: en('membership.give') }).click()
  await page
    .getByRole('link', { name: en('membership.seeOptions') })
    .last()
    .click()
  await page.locator('a[aria-current=true]').waitFor()
  expect(await page.getByLabel(en('membership.receiver')).inputValue()).not.toBe('')
  await page.getByLabel(en('membership.receiver')).fill('nobody-of-this-name')
  await page.getByLabel(en('membership.note')).fill('See you at the back table.')
  await page.getByRole('alert').getByText(en('membership.receiverUnknown')).waitFor()
  await screenshot(page, 'gift-unknown-phone')
  expect(await accessibilityViolations(page)).toEqual([])
  const { nickname } = await site.database.app.selectFrom('member').select('nickname').where('id', '=', id).executeTakeFirstOrThrow()
  await page.getByLabel(en('membership.receiver')).fill(nickname ?? '')
  await page.keyboard.press('Enter')
  // Twice, like an accidental double click.
  await page.locator('button:not([aria-disabled])', { hasText: en('membership.giveFor', { price: '20 points' }) }).dblclick()
  await page
    .getByRole('status')
    .getByText(nickname ?? '')
    .waitFor()
  await screenshot(page, 'gift-done-phone')
  expect(new URL(page.url()).pathname).toBe(new URL(address, site.url).pathname)
  await page.getByRole('link', { name: en('membership.seeOrders') }).click()
  await page.getByText('See you at the back table.').waitFor()
  expect(await page.getByText(en('membership.giftTo')).count()).toBe(1)
  await screenshot(page, 'orders-en-phone')
  expect(await accessibilityViolations(page)).toEqual([])

  const other = await site.visit({ as: 'maya_r', language: 'en', width: 'phone' })
  await other.page.goto('/user/control/systemNotifyList')
  await other.page.getByText('See you at the back table.').waitFor()
  await screenshot(other.page, 'gift-notice-phone')
  await other.page.goto('/user/control/membershipCardOrderList')
  await other.page.getByText(en('membership.giftFrom')).waitFor()
  expect(await other.page.getByText(en('membership.paid'), { exact: true }).count()).toBe(0)
  await screenshot(other.page, 'gift-received-phone')
  expect(await accessibilityViolations(other.page)).toEqual([])
  expect([...complaints.filter((complaint) => !complaint.includes('/api/membershipCard/')), ...other.complaints]).toEqual([])
})

test('a change meanwhile is reported, and the price paid is the one on the page', async () => {
  const { specificationId, address } = await optionOf(site, '熟客卡', '周卡')
  const costs = (points: number) =>
    site.database.app
      .updateTable('membership_specification')
      .set({ points: String(points) })
      .where('id', '=', specificationId)
      .execute()
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto(address)
  const pay = page.locator('button:not([aria-disabled])', { hasText: en('membership.buyFor', { price: '30 points' }) })
  await pay.waitFor()
  await costs(40)
  await site.write(async (tx) => invalidateCards(tx))
  await pay.click()
  await page.getByRole('alertdialog').getByText(en('membership.priceChanged')).waitFor()
  await screenshot(page, 'price-changed')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('a[aria-current=true]').getByText('40 points').waitFor()
  // With the keyboard alone: the focus is on the pay button.
  await page.locator('button:not([aria-disabled]):focus', { hasText: en('membership.buyFor', { price: '40 points' }) }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Regular').waitFor()
  const year = await optionOf(site, '雅座卡', '年卡')
  await site.database.app.updateTable('membership_specification').set({ stock: '0' }).where('id', '=', year.specificationId).execute()
  await site.write(async (tx) => invalidateCards(tx))
  await page.goto(year.address)
  await page.getByText(en('membership.soldOutMark')).waitFor()
  expect(await page.locator(`a[href="${year.address}"]`).count()).toBe(0)
  await screenshot(page, 'card-sold-out')
  expect(await accessibilityViolations(page)).toEqual([])

  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
  const { id: roleId } = await site.database.app
    .selectFrom('role')
    .select('id')
    .where('name_en', '=', 'Parlor guest')
    .executeTakeFirstOrThrow()
  await site.write((tx) => role.give(tx, id, roleId, null))
  await page.reload()
  await page.getByText(en('membership.heldForGood')).waitFor()
  await screenshot(page, 'card-held-for-good')
  expect(await accessibilityViolations(page)).toEqual([])
  expect(complaints.filter((complaint) => !complaint.includes('/api/membershipCard/'))).toEqual([])
})

test('without a card on sale nothing leads there, and the pages say so', async () => {
  await site.database.app.updateTable('membership_card').set({ is_on_sale: false }).execute()
  await site.write(async (tx) => invalidateCards(tx))
  const { page } = await site.visit({ language: 'en' })
  await page.goto('/index')
  expect(await page.getByRole('link', { name: en('membership.title'), exact: true }).count()).toBe(0)
  await page.goto('/membershipCardList')
  await page.getByText(en('membership.none')).waitFor()
  await screenshot(page, 'cards-none')
  expect(await accessibilityViolations(page)).toEqual([])
})

/** Presses the pay button once it has the final price. */
async function press(page: Page, name: string): Promise<void> {
  await page.locator('button:not([aria-disabled])', { hasText: name }).click()
}

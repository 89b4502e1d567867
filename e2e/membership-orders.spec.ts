import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { buy } from '#membership/server/buy.ts'
import { aCard } from '#membership/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { toMinor } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]
const idOf = async (account: string) =>
  (await site.database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id

/** An order of a card for thirty days. */
async function bought(account: string, receiver?: string): Promise<string> {
  const id = await idOf(account)
  const roleId = await aRole(site.database, ['invite'])
  const { ids } = await aCard(site.database, roleId, [{ points: 300, duration: 30, unit: 'day' }], { name: 'Tea friend' })
  await endow(site.database, id, 300)
  const wish = { specificationId: ids[0] ?? '', quantity: 1, upgrades: false, cash: toMinor(0), points: toMinor(300), receiver }
  return (await transact(site.database, (tx) => buy(tx, { id } as Member, wish))).number
}

test('staff find an order, see its rest, and refund it; another approves it above the limits', async () => {
  const number = await bought('laochen', '阿哲')
  await bought('linxi_dev')
  await site.change('dailyApprovalThresholdPoints', 100)
  const { page, complaints } = await visitAsStaff(site, { language: 'zh' })
  await page.goto('/admin/membershipOrder')
  await page.getByRole('link', { name: number }).waitFor()
  await screenshot(page, 'membership-orders')
  await page.getByLabel(zh('membershipAdmin.orderGift')).selectOption('yes')
  await page
    .getByRole('search')
    .getByRole('button', { name: zh('admin.filter') })
    .click()
  await page.getByRole('link', { name: number }).click()
  await page.getByText('290 积分').waitFor()
  await screenshot(page, 'membership-order')
  await page.getByRole('button', { name: zh('membershipAdmin.refund'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(zh('membershipAdmin.refundWay')).selectOption('amount')
  await dialog.getByLabel(zh('membershipAdmin.refundPoints'), { exact: true }).fill('301')
  await dialog.getByLabel(zh('membershipAdmin.reason')).fill('买错了')
  const refunds = dialog.getByRole('button', { name: zh('membershipAdmin.refund'), exact: true })
  await refunds.click()
  await dialog.getByText(zh('membership.abovePaidPoints', { paid: 300 })).waitFor()
  await screenshot(page, 'membership-refund')
  // The browser itself reports the refusal.
  expect(complaints.splice(0)).toHaveLength(1)
  await dialog.getByLabel(zh('membershipAdmin.refundPoints'), { exact: true }).fill('299')
  await refunds.click()
  await page.getByText(zh('membershipAdmin.refundAsked')).waitFor()
  await page.getByText(zh('membershipAdmin.refundWaits')).waitFor()

  const other = await visitAsStaff(site, {
    language: 'en',
    width: 'phone',
    theme: 'dark',
    rights: ['wallet.view', 'membership.refund', 'membership.view'],
  })
  await other.page.goto('/admin/money-request?state=waiting')
  await other.page.getByText(en('walletAdmin.doesorderRefund', { number })).waitFor()
  expect(await accessibilityViolations(other.page)).toEqual([])
  await other.page.getByRole('button', { name: en('walletAdmin.approve') }).click()
  await other.page
    .getByRole('dialog')
    .getByRole('button', { name: en('walletAdmin.approve') })
    .click()
  await other.page.getByText(en('walletAdmin.executed')).waitFor()
  for (const path of ['membershipOrder', 'membershipFigures', 'membershipOrder?state=refunded']) {
    await other.page.goto(`/admin/${path}`)
    await other.page.getByRole('heading').first().waitFor()
    expect(await accessibilityViolations(other.page)).toEqual([])
    await screenshot(other.page, `${path.replace(/\W/g, '-')}-phone`)
  }
  await other.page.getByRole('link', { name: number }).click()
  await other.page.getByText(en('membershipAdmin.orderrefunded')).first().waitFor()
  await screenshot(other.page, 'membership-order-refunded-phone')
  expect([...complaints, ...other.complaints]).toEqual([])

  const buyer = await site.visit({ as: 'laochen', language: 'zh' })
  await buyer.page.goto('/user/control/systemNotifyList')
  await buyer.page.getByText('会员卡“Tea friend”已退还 299 积分').waitFor()
  await screenshot(buyer.page, 'membership-refund-notice')
})

test('a gift task shows its receivers before it is saved', async () => {
  await aRole(site.database, ['invite'])
  const { page, complaints } = await visitAsStaff(site, { language: 'en', theme: 'dark', rights: ['membership.manage', 'membership.view'] })
  await page.goto('/admin/giftTask')
  await page.getByRole('button', { name: en('membershipAdmin.giftAdd') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en('membershipAdmin.giftName')).fill('Welcome')
  await dialog.getByLabel(en('membershipAdmin.giftRole')).selectOption({ index: 1 })
  await dialog.getByRole('button', { name: en('membershipAdmin.giftPreview') }).click()
  await dialog.getByText('would get it now').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await screenshot(page, 'gift-task-form')
  await dialog.getByRole('button', { name: en('admin.save') }).click()
  await page.getByRole('link', { name: 'Welcome' }).waitFor()
  await screenshot(page, 'gift-tasks')
  expect(complaints).toEqual([])
})

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import type { Site } from './site.ts'
import { visitAsStaff } from './staff-visit.ts'
import { wordsIn } from './words.ts'

/** Points and balance as visitors and members see them. */
export function membersPoints(site: Site, looks: readonly Look[]): void {
  test.each(looks)('a visitor reads the rules of points, in $language on a $width, $theme', async ({ language, width, theme }) => {
    const words = wordsIn(language)
    const { page, complaints, context } = await site.visit({ language, width, theme })
    const answer = await page.goto('/user/control/point')
    expect([answer?.status(), await answer?.text()]).toEqual([200, expect.stringContaining(words('wallet.rulesWhat'))])
    await page.getByText(words('wallet.ruleAdopted')).waitFor()
    await screenshot(page, `point-visitor-${language}-${width}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each(looks)(
    'a member sees points and balance, and saves a month, in $language on a $width, $theme',
    async ({ language, width, theme }) => {
      const words = wordsIn(language)
      const { page, complaints, context } = await site.visit({ language, width, theme, as: 'laochen' })
      await page.goto('/user/control/home')
      await page.locator('main a[href="/user/control/balance"] strong').waitFor()
      await screenshot(page, `home-${language}-${width}`)
      await page.goto('/user/control/point')
      await page.locator('#log').waitFor()
      await screenshot(page, `point-${language}-${width}`)
      await page.locator('select[name=kind]').selectOption('opening')
      await page.getByRole('button', { name: words('wallet.show') }).click()
      await page.waitForURL(/kind=opening/)
      await page.getByText('开张红包').waitFor()
      expect(await page.locator('#log ~ ol li').count()).toBe(1)
      await page.goto('/user/control/balance')
      await page.getByText('¥188.00').first().waitFor()
      await screenshot(page, `balance-${language}-${width}`)
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: words('wallet.saveStatement') }).click()
      const file = await readFile(await (await coming).path(), 'utf8')
      expect(file.trim().split('\r\n')).toHaveLength(4)
      expect(file).toContain('188.00')
      expect(complaints).toEqual([])
      await context.close()
    },
  )
}

/** What staff do with the accounts of members, and with the rules of points. */
export function staffsPoints(site: Site, looks: readonly Look[]): void {
  test.each(looks)('staff adjust, agree and reverse, in $language on a $width, $theme', async ({ language, width, theme }) => {
    const words = wordsIn(language)
    const memberId = await idOfLaochen(site)
    const desk = await visitAsStaff(site, { language, width, theme })
    const other = await visitAsStaff(site, { language, width, theme, rights: ['wallet.view', 'wallet.adjust', 'wallet.reverse'] })
    const { page } = desk
    await page.goto(`/admin/wallet/member?memberId=${memberId}`)
    await page.getByRole('button', { name: words('walletAdmin.adjustPoints') }).waitFor()
    await screenshot(page, `staff-member-${language}-${width}`)
    await page.getByRole('button', { name: words('walletAdmin.adjustPoints') }).click()
    await page.getByLabel(words('walletAdmin.pointsAmount'), { exact: true }).fill('1.5')
    await page.getByLabel(words('walletAdmin.reason'), { exact: true }).fill('Tea for everybody')
    await page.getByRole('button', { name: words('walletAdmin.adjust'), exact: true }).click()
    await page.getByText(words('wallet.noPoints')).waitFor()
    await screenshot(page, `staff-adjusting-${language}-${width}`)
    await page.getByLabel(words('walletAdmin.pointsAmount'), { exact: true }).fill('5000')
    await page.getByRole('button', { name: words('walletAdmin.adjust'), exact: true }).click()
    await page.getByText(words('walletAdmin.asked')).waitFor()
    await page.goto('/admin/money-request')
    await page
      .getByRole('button', { name: words('walletAdmin.withdraw') })
      .first()
      .waitFor()
    await screenshot(page, `staff-requests-${language}-${width}`)
    await other.page.goto('/admin/money-request')
    await other.page
      .getByRole('button', { name: words('walletAdmin.approve') })
      .first()
      .click()
    await other.page
      .getByRole('dialog')
      .getByRole('button', { name: words('walletAdmin.approve') })
      .click()
    await other.page.getByText(words('walletAdmin.executed')).waitFor()
    await page.goto('/admin/wallet?kind=adjustment')
    await page.locator('main a[href*="transactionId="]').first().waitFor()
    await screenshot(page, `staff-transactions-${language}-${width}`)
    await page.locator('main a[href*="transactionId="]').first().click()
    await page.getByRole('button', { name: words('walletAdmin.reverse') }).click()
    await page.getByRole('dialog').getByLabel(words('walletAdmin.reason'), { exact: true }).fill('Not for everybody')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('walletAdmin.reverse') })
      .click()
    await page.getByText(words('walletAdmin.wasReversed')).waitFor()
    await screenshot(page, `staff-transaction-${language}-${width}`)
    await page.goto('/admin/books')
    await page.getByRole('button', { name: words('walletAdmin.freeze') }).waitFor()
    await screenshot(page, `staff-books-${language}-${width}`)
    expect([...desk.complaints, ...other.complaints]).toEqual([])
    await desk.context.close()
    await other.context.close()
  })

  test.each(looks)('rules are previewed before they are saved, in $language on a $width, $theme', async ({ language, width, theme }) => {
    const words = wordsIn(language)
    const { page, complaints, context } = await visitAsStaff(site, { language, width, theme })
    await page.goto('/admin/setting?group=points')
    await page.getByLabel(words('walletAdmin.topicPoints'), { exact: true }).fill('50')
    await page.getByRole('button', { name: words('walletAdmin.look30', { days: 30 }) }).click()
    await page.getByText('→').first().waitFor()
    await screenshot(page, `staff-rules-${language}-${width}`)
    await page.getByLabel(words('walletAdmin.topicPoints'), { exact: true }).fill('-1')
    await page.getByRole('button', { name: words('walletAdmin.look30', { days: 30 }) }).click()
    await page.getByText(words('walletAdmin.mendFirst')).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
}

export async function idOfLaochen({ database }: Pick<Site, 'database'>): Promise<string> {
  return (await database.app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()).id
}

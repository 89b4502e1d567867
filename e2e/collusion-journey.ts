import { beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { find } from '#collusion/server/collusion.ts'
import { toMinor, type Currency } from '#wallet/contract.ts'
import { endow, freeKinds } from '#wallet/testing/factories.ts'
import { pay } from '#wallet/server/wallet.ts'
import { visitAsStaff } from './staff-visit.ts'
import { outOfOrder } from './go.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { screenshot } from './shot.ts'
import type { Look } from './look-of.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

export async function hintsOfCollusion(looks: readonly Look[]): Promise<void> {
  const site = await builtForum()
  const db = site.database.app
  const members = await db.selectFrom('member').select('id').where('is_official', '=', false).orderBy('id').limit(5).execute()
  const [one = '', two = '', three = ''] = members.map(({ id }) => id)
  let payments = 0

  async function pays(from: string, to: string, amount: number, currency: Currency): Promise<void> {
    await endow(site.database, from, amount, currency)
    const cause = { kind: freeKinds.payment, source: `spec:${++payments}`, by: { kind: 'member', id: from } } as const
    await transact(site.database, (tx) => pay(tx, { ...cause, from, to, currency, amount: toMinor(amount) }))
  }

  beforeEach(async () => {
    await db.deleteFrom('collusion_hint').execute()
    await db
      .insertInto('login_log')
      .values([one, two].map((member_id) => ({ member_id, kind: 'login', ip: '203.0.113.7', user_agent: 'test' })))
      .execute()
    for (let count = 0; count < 3; count++) {
      await pays(one, two, 1_500, 'points')
      await pays(two, one, 1_200, 'points')
      for (const [from, to] of [[one, two] as const, [two, three] as const, [three, one] as const]) await pays(from, to, 8_800, 'cny')
    }
    await find(site.database, 0)
  })

  test.each(looks)(
    'staff read why members are a hint, and dismiss it, in $language on a $width, $theme',
    async ({ language, width, theme }) => {
      const words = wordsIn(language)
      const { page, complaints, context } = await visitAsStaff(site, { language, width, theme })
      await page.goto('/admin/collusion?state=dismissed')
      await page.getByText(words('admin.noneSo')).waitFor()
      await screenshot(page, `collusion-none-${language}-${width}`)
      await page.goto('/admin/collusion')
      const dismissing = page.getByRole('button', { name: words('collusionAdmin.dismiss') })
      await dismissing.first().waitFor()
      const before = await dismissing.count()
      await screenshot(page, `collusion-${language}-${width}`)
      expect([...(await outOfOrder(page)), ...(await accessibilityViolations(page, { within: 'main' }))]).toEqual([])

      await dismissing.first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words('collusionAdmin.reason'), { exact: true }).fill('A couple who live together')
      await db.updateTable('collusion_hint').set({ updated_at: new Date() }).execute()
      await dialog.getByRole('button', { name: words('collusionAdmin.dismiss') }).click()
      await page.getByText(words('collusion.hintChanged')).first().waitFor()
      await screenshot(page, `collusion-changed-${language}-${width}`)
      expect(complaints.splice(0)).toHaveLength(1)

      await page.reload()
      await dismissing.first().click()
      await dialog.getByLabel(words('collusionAdmin.reason'), { exact: true }).fill('A couple who live together')
      await dialog.getByRole('button', { name: words('collusionAdmin.dismiss') }).click()
      await page.getByText(words('collusionAdmin.dismissed')).waitFor()
      await expect.poll(() => dismissing.count()).toBe(before - 1)
      await page.goto('/admin/collusion?state=dismissed')
      await page.getByText('A couple who live together').waitFor()
      await screenshot(page, `collusion-dismissed-${language}-${width}`)
      expect(complaints).toEqual([])
      await context.close()
    },
  )
}

import { expect, test } from 'vitest'
import { workOff } from '#payment/testing/factories.ts'
import type { Look } from './look-of.ts'
import { enterSandboxCode } from './payment-journey.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

export async function topUpsForACard(looks: readonly Look[]): Promise<void> {
  const site = await builtForum()

  test.each(looks)(
    'a member who is short of a card tops up what is missing, comes back to it and has it, in $language on a $width, $theme',
    async ({ language, width, theme }) => {
      const words = wordsIn(language)
      const account = `short_${language}_${width}`
      const { id: memberId } = await site.database.app
        .insertInto('member')
        .values({ account, account_key: account, password_hash: '' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { card, specification } = await site.database.app
        .selectFrom('membership_specification as its')
        .innerJoin('membership_card as card', 'card.id', 'card_id')
        .select(['card.id as card', 'its.id as specification'])
        .where('card.name_zh', '=', '雅座卡')
        .where('its.name_zh', '=', width === 'phone' ? '月卡' : '季卡')
        .executeTakeFirstOrThrow()
      const address = `/membershipCard?membershipCardId=${card}&specificationId=${specification}`
      const { page, complaints, context } = await site.visit({ as: account, language, width, theme })
      await page.goto(address)
      await page.getByRole('link', { name: words('membership.topUp') }).click()
      await page.getByRole('button', { name: words('payment.goOn') }).click()
      await enterSandboxCode(page, language)
      await page.getByRole('button', { name: words('payment.outcomePaid'), exact: true }).click()
      await page.waitForURL(/\/paymentCompleted\//)
      await workOff(site.database)
      await page.getByRole('link', { name: words('payment.back') }).click()
      await page.waitForURL((url) => url.pathname + url.search === address)
      await page.locator('button:not([aria-disabled])', { hasText: language === 'zh' ? '支付 ¥' : 'Buy for ¥' }).click()
      await page
        .getByRole('status')
        .getByText(language === 'zh' ? '雅座' : 'Parlor guest')
        .waitFor()
      await screenshot(page, `card-after-top-up-${language}-${width}`)
      const holdings = await site.database.app.selectFrom('role_holding').select('id').where('member_id', '=', memberId).execute()
      expect(holdings).toHaveLength(1)
      expect(complaints).toEqual([])
      await context.close()
    },
  )
}

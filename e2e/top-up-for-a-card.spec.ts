import { expect, test } from 'vitest'
import { workOff } from '#payment/testing/factories.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()

test.each([
  ['zh', 'phone', '月卡'],
  ['en', 'desktop', 'Quarter'],
] as const)(
  'who is short of a card tops up what is missing, comes back to it and has it, in %s on a %s',
  async (language, width, option) => {
    const words = wordsIn(language)
    const { id: memberId } = await site.database.app
      .insertInto('member')
      .values({ account: `short_${language}`, account_key: `short_${language}`, password_hash: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { card, specification } = await site.database.app
      .selectFrom('membership_specification as its')
      .innerJoin('membership_card as card', 'card.id', 'card_id')
      .select(['card.id as card', 'its.id as specification'])
      .where('card.name_zh', '=', '雅座卡')
      .where(language === 'zh' ? 'its.name_zh' : 'its.name_en', '=', option)
      .executeTakeFirstOrThrow()
    const address = `/membershipCard?membershipCardId=${card}&specificationId=${specification}`
    const { page, complaints, context } = await site.visit({ as: `short_${language}`, language, width })
    await page.goto(address)
    await page.getByRole('link', { name: words('membership.topUp') }).click()
    await page.getByRole('button', { name: words('payment.goOn') }).click()
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

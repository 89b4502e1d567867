import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { decodeReturnPath } from '#base/return-path.ts'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import type { Site } from './site.ts'
import { wordsIn } from './words.ts'

export function visitorsCompareCards(site: Site, looks: readonly Look[]): void {
  test.each(looks)(
    'a visitor compares the cards, and signs in from an option, in $language on a $width, $theme',
    async ({ language, width, theme }) => {
      const words = wordsIn(language)
      const { page, complaints, context } = await site.visit({ language, width, theme })
      await page.goto('/index')
      if (width === 'phone') await page.getByRole('button', { name: words('site.everything') }).click()
      await page.getByRole('link', { name: words('membership.title'), exact: true }).click()
      const compared = page.getByRole('table', { name: words('membership.compare') })
      await compared.getByText(words('invitation.givesInvite')).waitFor()
      await screenshot(page, `cards-${language}-${width}`)
      expect(await accessibilityViolations(page)).toEqual([])
      const { address } = await optionOf(site, '雅座卡', '季卡')
      await page
        .getByRole('link', { name: words('membership.seeOptions') })
        .last()
        .click()
      const option = page.locator(`a[href="${address}"]`)
      await option.click()
      await page.locator(`a[href="${address}"][aria-current]`).waitFor()
      await page.getByText(words('membership.toBuy')).waitFor()
      await screenshot(page, `card-${language}-${width}`)
      expect(await accessibilityViolations(page)).toEqual([])
      const way = await page
        .locator('section[aria-labelledby=buy]')
        .getByRole('link', { name: words('account.logIn') })
        .getAttribute('href')
      expect(decodeReturnPath(new URL(way ?? '', site.url).searchParams.get('jumpUrl'))).toBe(address)
      expect(complaints).toEqual([])
      await context.close()
    },
  )
}

type CardOption = { cardId: string; specificationId: string; address: string }

export async function optionOf({ database }: Pick<Site, 'database'>, card: string, option: string): Promise<CardOption> {
  const { cardId, specificationId } = await database.app
    .selectFrom('membership_specification as its')
    .innerJoin('membership_card as card', 'card.id', 'card_id')
    .select(['card.id as cardId', 'its.id as specificationId'])
    .where('card.name_zh', '=', card)
    .where('its.name_zh', '=', option)
    .executeTakeFirstOrThrow()
  return { cardId, specificationId, address: `/membershipCard?membershipCardId=${cardId}&specificationId=${specificationId}` }
}

import { expect, test } from 'vitest'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import type { Site } from './site.ts'
import { wordsIn } from './words.ts'

/** On a site that can send nothing. */
export function noWayToRecover(site: Site, looks: readonly Look[]): void {
  test.each(looks)(
    'a site that can send nothing leads whoever forgot the password to staff, and offers no code, in $language on a $width, $theme',
    async ({ language, width, theme }) => {
      const words = wordsIn(language)
      const { page, complaints } = await site.visit({ language, width, theme })
      await page.goto('/login?by=email')
      await page.getByLabel(words('contact.newEmail'), { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: words('account.withCode') }).count()).toBe(0)
      await page.getByRole('link', { name: words('account.forgotPassword') }).click()
      await page.getByText(words('account.noWayToRecover')).waitFor()
      await screenshot(page, `recover-no-way-${language}`)
      await page.getByRole('link', { name: words('account.toFeedback') }).click()
      await page.waitForURL('**/feedback')
      expect(complaints).toEqual([])
    },
  )
}

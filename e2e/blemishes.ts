import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What a checker finds wrong for those who do not see, hear or point, on the page as it stands. */
export async function blemishes(page: Page, { within }: { within?: string } = {}): Promise<string[]> {
  const checker = checkerOf(page)
  return said(await (within ? checker.include(within) : checker).analyze())
}

/** The same in light and in dark, where only the colours can differ. */
export async function blemishesInBoth(page: Page): Promise<string[]> {
  const light = await blemishes(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await checkerOf(page).withRules(['color-contrast', 'link-in-text-block']).analyze()
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...said(dark)]
}

// What is right is not told, which halves its work.
function checkerOf(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}

function said({ violations, url }: Awaited<ReturnType<AxeBuilder['analyze']>>): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${url}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

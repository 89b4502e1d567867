import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type Part = { /** A selector; the whole page where there is none. */ within?: string }

/** What a checker finds wrong for those who do not see, hear or point, on the page as it stands. */
export async function blemishes(page: Page, part: Part = {}): Promise<string[]> {
  return checked(page, part, {})
}

/** The same in light and in dark, where only the colours can differ. */
export async function blemishesInBoth(page: Page): Promise<string[]> {
  const light = await checked(page, {}, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await checked(page, {}, { runOnly: ['color-contrast', 'link-in-text-block'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark]
}

const checker = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function checked(page: Page, { within = 'html' }: Part, options: RunOptions): Promise<string[]> {
  // It stays for as long as the page does, whichever screens are on it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(checker)
  const run = `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  const { violations, url } = await page.evaluate<Pick<AxeResults, 'violations' | 'url'>>(
    // What is right is not told, which halves its work.
    `${run}.then(({ violations, url }) => ({ violations, url }))`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${url}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

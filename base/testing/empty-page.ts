import type { BrowserContext, Page } from 'playwright-core'
import type { TestSite } from '#base/testing/component-page.ts'

/**
 * A page without state from earlier tests: no storage, routes or listeners.
 * Reusing a context makes loading the site four times as fast as in a new one.
 */
export async function emptyPage(context: BrowserContext, { origin }: TestSite): Promise<Page> {
  const [page = await context.newPage(), ...others] = context.pages()
  for (const other of others) await other.close()
  for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto(`${origin}/empty`)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  return page
}

import type { BrowserContext, Page } from 'playwright-core'
import type { TestSite } from '#base/testing/page.ts'

/**
 * A page of the context that knows nothing of the tests before: nothing is stored, routed or listened to.
 * A context that has loaded the site loads it again four times as fast as a new one.
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

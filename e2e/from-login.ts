import type { Page } from 'playwright-core'
import type { Site } from './site.ts'

/** Logs this browser in with the session of a member from another one. */
export async function logIn(site: Site, page: Page, account = 'azhe'): Promise<void> {
  const member = await site.visit({ as: account })
  await member.page.goto('/index')
  const pair = await member.page.evaluate(() => localStorage.getItem('bbsToken') ?? '')
  await member.context.close()
  await page.evaluate((value) => localStorage.setItem('bbsToken', value), pair)
}

/** Follows the login's return path, as a member who has logged in. */
export async function goOn(site: Site, page: Page): Promise<void> {
  await page.waitForURL('**/login?**')
  await logIn(site, page)
  await page.goto(await page.evaluate(() => atob(new URLSearchParams(location.search).get('jumpUrl') ?? '')))
}

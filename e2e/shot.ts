import type { Page } from 'playwright-core'

const folder = process.env['SHOTS']

/** Saves a screenshot if `SHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

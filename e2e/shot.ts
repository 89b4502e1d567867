import type { Page } from 'playwright-core'

const folder = process.env['SHOTS']

/** A picture of the page for somebody to look at, where `SHOTS` names a folder for them. */
export async function shot(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

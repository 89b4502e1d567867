import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { nextFrame } from './idle.ts'

/** Navigates like a click on a link: without reloading the page. */
export async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a')
    link.href = href
    document.body.append(link)
    link.click()
    link.remove()
  }, address)
  const { pathname } = new URL(address, page.url())
  await expect.poll(() => new URL(page.url()).pathname, { message: `the way to ${address}` }).toBe(pathname)
  // The address changes a moment before the screen.
  await nextFrame(page)
}

/** Waits until a screen is rendered, and returns the faults of its layout. */
export async function outOfOrder(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('div[role=progressbar], main[aria-busy]').first().waitFor({ state: 'detached' })
  return page.evaluate(() => {
    const faults: string[] = []
    const headings = document.querySelectorAll('h1').length
    if (headings !== 1) faults.push(`${location.href} has ${headings} headings of the first level`)
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) faults.push(`${location.href} is too wide by ${scrollWidth - clientWidth}`)
    const navs = [...document.querySelectorAll('nav')].filter((nav) => nav.checkVisibility({ visibilityProperty: true }))
    const names = navs.map((nav) => nav.ariaLabel ?? nav.ariaLabelledByElements?.[0]?.textContent)
    if (new Set(names).size !== names.length) faults.push(`${location.href} has two navigations of one name: ${names.join(', ')}`)
    return faults
  })
}

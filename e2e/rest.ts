import type { Page } from 'playwright-core'

const restMs = 600

/** A page has come to rest: it has begun and ended nothing for a while. What it listens to stays open. */
export async function rest(page: Page): Promise<void> {
  let last = performance.now()
  const note = () => void (last = performance.now())
  page.on('request', note).on('requestfinished', note)
  while (performance.now() - last < restMs) await page.waitForTimeout(100)
  page.off('request', note).off('requestfinished', note)
}

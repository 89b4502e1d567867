import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type CheckScope = { /** A selector; the whole page if undefined. */ within?: string }

/** The accessibility violations on the current page. */
export async function accessibilityViolations(page: Page, part: CheckScope = {}): Promise<string[]> {
  return [...(await runAxe(page, part, { rules: { 'target-size': { enabled: true } } })), ...(await cheapViolations(page, part))]
}

/** The cheap checks among them: accessible names, and horizontal overflow. */
export async function cheapViolations(page: Page, part: CheckScope = {}): Promise<string[]> {
  return [...(await mislabelled(page, part)), ...(await overflows(page))]
}

// Contrast is too low during a fade-in. Scroll-driven animations never end.
const animationsFinished = `Promise.allSettled(document.getAnimations()
  .filter(({ effect, timeline }) => timeline instanceof DocumentTimeline && effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`
const checker = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function runAxe(page: Page, { within = 'html' }: CheckScope, options: RunOptions): Promise<string[]> {
  // It stays loaded in the page across screens.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(checker)
  await page.evaluate(animationsFinished)
  const run = `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  const { violations, url } = await page.evaluate<Pick<AxeResults, 'violations' | 'url'>>(
    // Leaving out passed rules halves the time.
    `${run}.then(({ violations, url }) => ({ violations, url }))`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${url}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

/** Voice control users say a control's visible text, even a single character; axe only checks longer ones. */
function mislabelled(page: Page, { within = 'html' }: CheckScope): Promise<string[]> {
  return page.locator(within).evaluateAll((parts) => {
    const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
    return parts
      .flatMap((part) => [...part.querySelectorAll<HTMLElement>(':is(a, button, summary)[aria-label]')])
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => !plain(one.ariaLabel ?? '').includes(plain(one.innerText)))
      .map((one) => `${location.href}: “${one.innerText}” is named “${one.ariaLabel}”`)
  })
}

/** At 400 % zoom a page is as narrow as the smallest phone, and must scroll in one direction only. */
async function overflows(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  if (!size) return []
  await page.setViewportSize({ ...size, width: 320 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.setViewportSize(size)
  return width > 320 ? [`${page.url()}: ${width} wide where 320 are there`] : []
}

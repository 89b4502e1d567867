import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type Part = { /** A selector; the whole page where there is none. */ within?: string }

/** What a checker finds wrong for those who do not see, hear or point, on the page as it stands. */
export async function blemishes(page: Page, part: Part = {}): Promise<string[]> {
  return [...(await checked(page, part, { rules: { 'target-size': { enabled: true } } })), ...(await misfits(page, part))]
}

/** The part of it that costs little: whether names and widths fit the words. */
export async function misfits(page: Page, part: Part = {}): Promise<string[]> {
  return [...(await misnamed(page, part)), ...(await tooWide(page))]
}

// Letters that fade in have too little contrast until they stand. What follows how far something is scrolled never ends.
const settled = `Promise.allSettled(document.getAnimations()
  .filter(({ effect, timeline }) => timeline instanceof DocumentTimeline && effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))`
const checker = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function checked(page: Page, { within = 'html' }: Part, options: RunOptions): Promise<string[]> {
  // It stays for as long as the page does, whichever screens are on it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(checker)
  await page.evaluate(settled)
  const run = `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  const { violations, url } = await page.evaluate<Pick<AxeResults, 'violations' | 'url'>>(
    // What is right is not told, which halves its work.
    `${run}.then(({ violations, url }) => ({ violations, url }))`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${url}: ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

/** Whoever speaks to the machine calls a control by what is to be read on it, be it one sign; the checker looks at longer texts only. */
function misnamed(page: Page, { within = 'html' }: Part): Promise<string[]> {
  return page.locator(within).evaluateAll((parts) => {
    const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
    return parts
      .flatMap((part) => [...part.querySelectorAll<HTMLElement>(':is(a, button, summary)[aria-label]')])
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => !plain(one.ariaLabel ?? '').includes(plain(one.innerText)))
      .map((one) => `${location.href}: “${one.innerText}” is named “${one.ariaLabel}”`)
  })
}

/** Whoever enlarges the letters fourfold sees as little of a page at once as the narrowest phone, and scrolls it one way only. */
async function tooWide(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  if (!size) return []
  await page.setViewportSize({ ...size, width: 320 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.setViewportSize(size)
  return width > 320 ? [`${page.url()}: ${width} wide where 320 are there`] : []
}

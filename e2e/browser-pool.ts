import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export type PooledBrowser = { context: BrowserContext; page: Page }

export type BrowserPool = {
  /** A browser without state from earlier users; with `isNew` one that is never reused. */
  take(options: BrowserContextOptions, isNew: boolean): Promise<PooledBrowser>
  /** From now on closed browsers are not reused. */
  end(): void
}

/** A pool of browsers that are reused after closing: starting one, with every script to load, takes twice as long as most pages. */
export function browserPool(browser: Browser): BrowserPool {
  const free = new Map<string, PooledBrowser[]>()
  let isOver = false

  async function take(options: BrowserContextOptions, isNew: boolean): Promise<PooledBrowser> {
    const key = JSON.stringify(options)
    const left = isNew ? undefined : free.get(key)?.pop()
    if (left) return left
    const context = await browser.newContext(options)
    const page = await context.newPage()
    if (isNew) return { context, page }
    const close = context.close.bind(context)
    context.close = async () => {
      const returned = isOver ? null : await resetContext(context, options)
      if (!returned) return close()
      const others = (free.get(key) ?? []).filter((other) => other.context !== context)
      free.set(key, [...others, returned])
    }
    return { context, page }
  }

  return { take, end: () => void (isOver = true) }
}

/** A page without scripts. */
const blankPage = '/favicon.svg'

/** Resets a browser: no open pages, storage, routes or listeners; null if that is impossible. */
async function resetContext(
  context: BrowserContext,
  { viewport, colorScheme = null }: BrowserContextOptions,
): Promise<PooledBrowser | null> {
  const [page, ...others] = context.pages()
  if (!page) return null
  try {
    for (const other of others) await other.close()
    for (const event of ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response'] as const)
      page.removeAllListeners(event)
    context.removeAllListeners('page')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(blankPage)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await context.setOffline(false)
    await context.clearCookies()
    await page.emulateMedia({ media: null, reducedMotion: null, colorScheme })
    if (viewport) await page.setViewportSize(viewport)
    await page.mouse.move(0, 0)
    return { context, page }
  } catch {
    return null
  }
}

/** Writes to a browser's local storage without opening a page for it. */
export async function writeStorage(page: Page, items: Record<string, string>): Promise<void> {
  await page.goto(blankPage)
  await page.evaluate((all) => {
    for (const [name, value] of Object.entries(all)) localStorage.setItem(name, value)
  }, items)
}

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export type PooledBrowser = { context: BrowserContext; page: Page }

export type BrowserPool = {
  /** A browser that knows nothing of whoever had it before; one that nobody had, and nobody will have, where it is to be new. */
  take(options: BrowserContextOptions, isNew: boolean): Promise<PooledBrowser>
  /** From now on what is closed stays closed. */
  end(): void
}

/** Browsers that whoever comes next takes over when they are closed: to start one anew, with every script, costs twice what most pages do. */
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
      const returned = isOver ? null : await cleaned(context, options)
      if (!returned) return close()
      const others = (free.get(key) ?? []).filter((other) => other.context !== context)
      free.set(key, [...others, returned])
    }
    return { context, page }
  }

  return { take, end: () => void (isOver = true) }
}

/** A page that has no scripts. */
const quiet = '/favicon.svg'

/** Nothing is open, kept, routed or listened to any more; null where that cannot be. */
async function cleaned(context: BrowserContext, { viewport, colorScheme = null }: BrowserContextOptions): Promise<PooledBrowser | null> {
  const [page, ...others] = context.pages()
  if (!page) return null
  try {
    for (const other of others) await other.close()
    for (const event of ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response'] as const)
      page.removeAllListeners(event)
    context.removeAllListeners('page')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(quiet)
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

/** Writes what a browser has kept from before, without a page of its own for it. */
export async function keep(page: Page, kept: Record<string, string>): Promise<void> {
  await page.goto(quiet)
  await page.evaluate((all) => {
    for (const [name, value] of Object.entries(all)) localStorage.setItem(name, value)
  }, kept)
}

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export type Seat = { context: BrowserContext; page: Page }

export type Seats = {
  /** A browser that knows nothing of whoever had it before; one that nobody had, and nobody will have, where it is to be new. */
  take(options: BrowserContextOptions, isNew: boolean): Promise<Seat>
  /** From now on what is closed stays closed. */
  end(): void
}

/** Browsers that whoever comes next takes over when they are closed: to start one anew, with every script, costs twice what most pages do. */
export function seatsIn(browser: Browser): Seats {
  const free = new Map<string, Seat[]>()
  let isOver = false

  async function take(options: BrowserContextOptions, isNew: boolean): Promise<Seat> {
    const key = JSON.stringify(options)
    const left = isNew ? undefined : free.get(key)?.pop()
    if (left) return left
    const context = await browser.newContext(options)
    const page = await context.newPage()
    if (isNew) return { context, page }
    const close = context.close.bind(context)
    context.close = async () => {
      const seat = isOver ? null : await tidied(context, options)
      if (!seat) return close()
      const others = (free.get(key) ?? []).filter((other) => other.context !== context)
      free.set(key, [...others, seat])
    }
    return { context, page }
  }

  return { take, end: () => void (isOver = true) }
}

/** A page that has no scripts. */
const quiet = '/favicon.svg'

/** Nothing is open, kept, routed or listened to any more; null where that cannot be. */
async function tidied(context: BrowserContext, { viewport, colorScheme = null }: BrowserContextOptions): Promise<Seat | null> {
  const [page, ...others] = context.pages()
  if (!page) return null
  try {
    for (const other of others) await other.close()
    for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event)
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

import type { BrowserContext } from 'playwright-core'

const mostMs = Number(process.env['SLOW_MS'] ?? 0)

/**
 * With `SLOW_MS=1500` scripts, and half of the calls, are delayed by up to that time, as on a bad connection: this reveals tests that act
 * before the page is ready.
 */
export async function slowLine(context: BrowserContext): Promise<void> {
  if (mostMs === 0) return
  await context.route(/\.js(\?|$)|\/api\//, async (route) => {
    const isScript = !route.request().url().includes('/api/')
    if (isScript || Math.random() < 0.5) await new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs))
    // The page may have been closed.
    await route.fallback().catch(() => undefined)
  })
}

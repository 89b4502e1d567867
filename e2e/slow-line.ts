import type { BrowserContext } from 'playwright-core'

const mostMs = Number(process.env['SLOW_MS'] ?? 0)

/** With `SLOW_MS=1500` scripts, and half of the calls, come up to so much later, as on a bad line: whoever is quicker than the page is seen to be. */
export async function slowLine(context: BrowserContext): Promise<void> {
  if (mostMs === 0) return
  await context.route(/\.js(\?|$)|\/api\//, async (route) => {
    const isScript = !route.request().url().includes('/api/')
    if (isScript || Math.random() < 0.5) await new Promise((done) => setTimeout(done, Math.random() * mostMs))
    // A page that was left meanwhile asks for nothing any more.
    await route.fallback().catch(() => undefined)
  })
}

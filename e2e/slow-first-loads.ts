import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilIdle } from './idle.ts'
import { layoutShift } from './layout-shift.ts'
import type { Look } from './look-of.ts'
import type { Site } from './site.ts'

export function slowFirstLoads(site: Site, width: Look['width']): void {
  test.each(['visitor', 'member'] as const)(`nothing moves while a page comes to a %s with a slow ${width}`, async (who) => {
    const thread = `/thread?topicId=${await site.topic('欢迎')}`
    for (const path of ['/index', thread, '/user/control/home', `/search?keyword=${encodeURIComponent('茶')}`]) {
      if (who === 'visitor' && path.startsWith('/user/')) continue
      const { page, context } = await site.visit({ isNew: true, width, ...(who === 'member' && { as: 'linxi_dev' }) })
      await slowDown(page)
      await page.goto(path)
      await untilIdle(page)
      expect(await page.evaluate(layoutShift), path).toBeLessThanOrEqual(0.02)
      await context.close()
    }
  })
}

/** A mobile connection, and a CPU four times slower. */
async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

import { describe, expect, test } from 'vitest'
import { screens } from '#apps/web/screens.ts'
import { untilIdle } from './idle.ts'
import { screenVisits } from './screen-visits.ts'
import { layoutShift } from './layout-shift.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const sights = await screenVisits(site)

// Each by its own address, as after a reload: navigation from another screen renders at once.
describe.each(['phone', 'desktop'] as const)('no element moves while a screen loads for a member over a slow line, on a %s', (width) => {
  test.each(screens.map(({ path }) => path))('%s', async (path) => {
    const { at = path, queries: [query = ''] = [], shows } = sights[path] ?? {}
    const { page, context } = await site.visit({ isNew: true, width, as: 'laochen' })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 100,
      downloadThroughput: 400_000,
      uploadThroughput: 90_000,
    })
    await page.goto(query ? `${at}?${query}` : at)
    await shows?.(page)
    await untilIdle(page)
    expect(await page.evaluate(layoutShift)).toBeLessThanOrEqual(0.02)
    await context.close()
  })
})

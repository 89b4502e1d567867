import { describe, expect, test } from 'vitest'
import { screens } from '#apps/web/screens.ts'
import { rest } from './rest.ts'
import { sightsOf } from './screens-to-see.ts'
import { shifted } from './shifted.ts'
import { aSite } from './site.ts'

const site = await aSite()
const sights = await sightsOf(site)

// Each by its own address, as after a reload: navigation from another screen renders at once.
describe.each(['phone', 'desktop'] as const)('nothing moves while a screen comes to a member over a slow line, on a %s', (width) => {
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
    await rest(page)
    expect(await page.evaluate(shifted)).toBeLessThanOrEqual(0.02)
    await context.close()
  })
})

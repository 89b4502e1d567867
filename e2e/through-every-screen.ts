import { beforeAll, describe, expect, test } from 'vitest'
import { screens } from '#apps/web/screens.ts'
import { accessibilityViolations, cheapViolations } from '#base/testing/accessibility-checks.ts'
import { isChosen } from '#base/testing/extent.ts'
import { go, outOfOrder } from './go.ts'
import { screenVisits, type ScreenVisit } from './screen-visits.ts'
import { builtForum, type Site, type Visit, type BrowserVisit } from './site.ts'

/**
 * Visits every address of the members' site: one test each, on one page that navigates without reloading. The gate runs axe, which takes ten
 * times as long as the screen, only where the feature changed, and on a tenth.
 */
export function throughEveryScreen(as: Pick<Visit, 'language' | 'theme' | 'width'>): void {
  describe(`nothing is found wrong, in ${as.language}, ${as.theme}, on a ${as.width}`, () => {
    let site: Site
    let sights: Record<string, ScreenVisit>
    let visitor: BrowserVisit
    let member: BrowserVisit

    beforeAll(async () => {
      site = await builtForum()
      sights = await screenVisits(site)
      visitor = await site.visit(as)
      member = await site.visit({ ...as, as: 'laochen' })
      // The layout around every screen is checked once.
      for (const { page } of [visitor, member]) {
        await page.goto('/index')
        expect([...(await outOfOrder(page)), ...(await accessibilityViolations(page))]).toEqual([])
      }
    })

    test.each(screens)('at $path', async ({ path, file }) => {
      const { at = path, queries = [''], isOwn = false, shows, complains = false } = sights[path] ?? {}
      const { page, complaints } = isOwn ? member : visitor
      const violations = isChosen(path, featureIn(file)) ? accessibilityViolations : cheapViolations
      for (const query of queries) {
        await go(page, query ? `${at}?${query}` : at)
        await shows?.(page)
        expect([...(await outOfOrder(page)), ...(await violations(page, { within: 'main' }))]).toEqual([])
      }
      expect(complaints.splice(0)).toHaveLength(complains ? 1 : 0)
    })

    test('and no screen was left out', () => {
      expect(Object.keys(sights).sort()).toEqual(screens.map(({ path }) => path).sort())
    })
  })
}

function featureIn(file: string): string | null {
  return /^\/features\/[^/]+\/([^/]+)\//.exec(file)?.[1] ?? null
}

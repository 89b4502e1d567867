import { expect, test } from 'vitest'
import { untilIdle } from './idle.ts'
import type { Look } from './look-of.ts'
import { screenshot } from './shot.ts'
import type { Site } from './site.ts'

const paths = ['/thread?topicId=999999', '/search?keyword=qqzzxx', '/login', '/register', '/askList?tagId=999999'] as const

/** Pages with little on them. */
export function quietPages(site: Site, looks: readonly Look[]): void {
  test.each(looks.flatMap((look) => paths.map((path) => ({ path, ...look }))))(
    '$path has the drawing of the house, in $language on a $width, $theme',
    async ({ path, ...look }) => {
      const { page, context } = await site.visit(look)
      const drawn = page.waitForResponse('**/house.svg')
      await page.goto(path)
      expect((await drawn).status()).toBe(200)
      const drawing = page.locator('main [class*="drawing"]').first()
      // On the registration card it leaves space for the form.
      expect((await drawing.boundingBox())?.height).toBe(/login|register/.test(path) ? 50 : 84)
      await untilIdle(page)
      await screenshot(page, `quiet${path.replaceAll(/\W/g, '-')}-${look.theme}`)
      await context.close()
    },
  )
}

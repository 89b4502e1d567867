import { expect, test } from 'vitest'
import { lookOf } from './look-of.ts'
import { membersPoints, staffsPoints } from './points-journey.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const look = lookOf(import.meta.url)

membersPoints(site, [look])
staffsPoints(site, [look])

test('without a balance nothing of it is to be seen', async () => {
  const words = wordsIn('zh')
  await site.change('allowCash', false)
  const { page, context } = await site.visit({ as: 'laochen' })
  await page.goto('/user/control/home')
  await page.locator('main a[href="/user/control/point"] strong').waitFor()
  expect(await page.locator('a[href="/user/control/balance"]').count()).toBe(0)
  await page.goto('/user/control/balance')
  await page.getByText(words('site.missingTitle')).first().waitFor()
  await screenshot(page, 'balance-off')
  await site.change('allowCash', true)
  await context.close()
})

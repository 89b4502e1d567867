import { expect, test } from 'vitest'
import { workOff } from '#payment/testing/factories.ts'
import { otherLooks } from './look-of.ts'
import { begin, check, enterSandboxCode, topUps, unfinishedPayments } from './payment-journey.ts'
import { builtForum } from './site.ts'

const site = await builtForum({ listens: true })

topUps(site, otherLooks(import.meta.url))
unfinishedPayments(site, otherLooks(import.meta.url))

test.each([320, 1440])('the pages of a payment have room in a window of %i', async (width) => {
  const language = width === 320 ? 'en' : 'zh'
  const { page, complaints, context } = await site.visit({
    language,
    theme: width === 320 ? 'light' : 'dark',
    as: 'laochen',
  })
  await page.setViewportSize({ width, height: 800 })
  const number = await begin(page, '6')
  await check(page, `payment-sandbox-${width}`)
  for (const [name, address] of [
    ['form', '/user/control/payment?amount=12.50'],
    ['one', `/user/control/payment?number=${number}`],
    ['waiting', `/paymentCompleted/sandbox/topUp/${number}`],
  ] as const) {
    await page.goto(address)
    await page.getByText('¥6.00').first().waitFor()
    await check(page, `payment-${name}-${width}`)
  }
  await page.goto(`/payment/sandbox?number=${number}`)
  await enterSandboxCode(page, language)
  await page.locator('main li button').first().click()
  await page.waitForURL(/\/paymentCompleted\//)
  await workOff(site.database)
  await page.locator('main dl').waitFor()
  await check(page, `payment-paid-${width}`)
  expect(complaints).toEqual([])
  await context.close()
})

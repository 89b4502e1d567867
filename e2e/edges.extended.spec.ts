import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitAsStaff } from './staff-visit.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const topicId = await site.topic('一条 SQL')

const insets = { top: 32, right: 44, bottom: 21, left: 59 }

/** A phone that is held sideways, with a notch on its left. */
async function holdSideways(page: Page): Promise<void> {
  await page.setViewportSize({ width: 844, height: 390 })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride' as never, { insets } as never)
}

/** How far the box of an element is from each edge of the window. */
const edgesOf = (element: Locator) =>
  element.first().evaluate((one) => {
    const { top, right, bottom, left } = one.getBoundingClientRect()
    return { top, right: innerWidth - right, bottom: innerHeight - bottom, left }
  })

async function expectClear(element: Locator, ...sides: (keyof typeof insets)[]): Promise<void> {
  const edges = await edgesOf(element)
  for (const side of sides) expect([side, edges[side] >= insets[side]]).toEqual([side, true])
}

test('a phone held sideways has nothing under its notch: frame, text, bar and dialogs', async () => {
  const { page, context } = await site.visit({ as: 'laochen', width: 'phone', isNew: true })
  await holdSideways(page)
  await page.goto(`/thread?topicId=${topicId}`)
  await expectClear(page.locator('header a').first(), 'left', 'top')
  await expectClear(page.getByRole('heading', { level: 1 }), 'left', 'right')
  await expectClear(page.locator('main').getByRole('button', { name: '更多' }).first(), 'right')
  await page.goto('/user/control/home')
  const bar = page.locator('nav a[href="/index"] >> visible=true').last()
  await expectClear(bar, 'left', 'bottom')
  await page.goto('/index')
  await page.getByRole('button', { name: '账号菜单' }).click()
  await expectClear(page.locator('[popover]:popover-open'), 'right', 'top')
  await context.close()
})

test('a phone that is held upright, without insets, has its edges as before', async () => {
  const { page, context } = await site.visit({ width: 'phone' })
  await page.goto(`/thread?topicId=${topicId}`)
  expect((await edgesOf(page.getByRole('heading', { level: 1 }))).left).toBe(16)
  expect((await edgesOf(page.locator('header'))).top).toBe(0)
  await context.close()
})

test('controls of the screen are not printed', async () => {
  const { page, context } = await site.visit({ language: 'en' })
  await page.goto(`/thread?topicId=${topicId}`)
  // As for a browser that prefers the other language.
  await page.evaluate(() => document.documentElement.setAttribute('data-speaks', ''))
  const offer = page.locator('aside[lang="zh-CN"]')
  await offer.waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const part of [offer, page.getByRole('banner'), page.getByRole('contentinfo')]) expect(await part.isVisible()).toBe(false)
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  await page.emulateMedia({ media: null })
  await context.close()
})

test('a provider’s card shows its figures beside a name with a serial number of forty digits', async () => {
  const name = 'WeChat Pay certificate 7132D72A03E93CDDF8C03BBD1F37EEDF00000000'
  const endings = JSON.stringify([{ name, endsAt: '2031-01-01T00:00:00.000Z' }])
  await site.write((tx) => tx.insertInto('payment_provider').values({ name: 'wechat', endings }).execute())
  await site.change('allowCash', true)
  const { page } = await visitAsStaff(site, { language: 'en' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/admin/payment/provider')
  const card = page.locator('section', { has: page.getByText(name) })
  const whole = await card.evaluate((one) => {
    const edge = one.getBoundingClientRect().right
    return [...one.querySelectorAll('dt, dd')].every((each) => {
      const { right, width } = each.getBoundingClientRect()
      return width > 60 && right <= edge && each.scrollWidth <= each.clientWidth
    })
  })
  expect(whole).toBe(true)
})

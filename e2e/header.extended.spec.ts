import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'
import { untilIdle } from './idle.ts'

const site = await builtForum()
const say = { zh: wordsIn('zh'), en: wordsIn('en') }

type Moved = { is: string; by: number }

/** Records layout shifts from the first paint on, with the browser's own API. */
async function heedMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved: Moved[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as { value: number; sources: { node: Node | null }[] }[])
        for (const { node } of sources)
          moved.push({ is: node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent), by: value })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const moves = (page: Page) => page.evaluate(() => (window as unknown as { moved: Moved[] }).moved)

/** Forgets what moved before now: a busy browser paints a page that it has parsed in part. */
const forgetMoves = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const forget = () => {
          ;(window as unknown as { moved: Moved[] }).moved.length = 0
          done()
        }
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(forget)))
      }),
  )

/** The positions of everything in the header, including placeholders. */
const places = (page: Page) =>
  page
    .locator('header > div')
    .first()
    .evaluate((bar) =>
      [...bar.querySelectorAll('a, button, input')]
        .filter((one) => !one.closest('[popover]') && one.getBoundingClientRect().width > 0)
        .map((one) => {
          const { x, width } = one.getBoundingClientRect()
          return {
            href: one.getAttribute('href')?.split('?')[0] ?? one.getAttribute('aria-label'),
            x: Math.round(x),
            width: Math.round(width),
          }
        }),
    )

const readers = [1440, 390].flatMap((width) =>
  (['zh', 'en'] as const).flatMap((language) => [undefined, 'linxi_dev'].map((as) => [width, language, as] as const)),
)

test.each(readers)('%i wide, in %s, as %s, nothing moves after the page is drawn', async (width, language, as) => {
  const { page, context } = await site.visit({ language, isNew: true, ...(as && { as }), width: width < 1024 ? 'phone' : 'desktop' })
  await page.setViewportSize({ width, height: 844 })
  await heedMoves(page)
  for (const path of ['/index', '/askList', `/thread?topicId=${await site.topic('一条 SQL')}`]) {
    // As drawn before any script has loaded.
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      if (!/theme/.test(route.request().url())) await scripts.promise
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('footer').waitFor({ state: 'attached' })
    await forgetMoves(page)
    const drawn = await places(page)
    scripts.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await (
      as
        ? page.locator(`header [aria-label^="${say[language]('notification.bell', { count: 0, shown: '' })}"]:visible`)
        : page.locator('header a[href^="/login?"]')
    ).waitFor()
    await untilIdle(page)
    const links = await places(page)
    const stayed = links.filter(({ href }) => drawn.some((one) => one.href === href))
    expect([path, stayed]).toEqual([path, drawn])
    expect([path, (await moves(page)).filter(({ is }) => /header|corner|bar|nav/.test(is))]).toEqual([path, []])
  }
  await context.close()
})

test.each([
  ['a visitor', undefined],
  ['a member', 'linxi_dev'],
])('%s on a phone has language and theme in the menu, and not in the header', async (_, as) => {
  const { page, context, complaints } = await site.visit({ width: 'phone', ...(as && { as }) })
  await page.goto('/index')
  const header = page.getByRole('banner')
  await header.getByRole(as ? 'button' : 'link', { name: as ? say.zh('site.menu') : say.zh('site.logIn') }).waitFor()
  expect(await header.getByRole('button', { name: say.zh('site.languageLabel') }).isVisible()).toBe(false)
  if (as) await header.getByRole('button', { name: say.zh('site.menu') }).click()
  else await page.getByRole('button', { name: say.zh('site.everything'), exact: true }).click()
  const menu = page.locator('[popover]:popover-open')
  await menu.getByRole('button', { name: say.zh('site.themeSystem') }).click()
  await menu.getByRole('button', { name: say.zh('site.themeLight') }).click()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await screenshot(page, `menu-${as ? 'member' : 'visitor'}`)
  await menu.getByRole('button', { name: say.zh('site.languageLabel') }).click()
  await menu.getByRole('button', { name: say.en('site.languageLabel') }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

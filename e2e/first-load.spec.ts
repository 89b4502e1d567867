import type { Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { addUp, loadFirst, type PageRequest } from './load-first.ts'
import { untilIdle } from './idle.ts'
import { lookOf } from './look-of.ts'
import { builtForum } from './site.ts'
import { slowFirstLoads } from './slow-first-loads.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const topicId = await site.topic('欢迎')

slowFirstLoads(site, lookOf(import.meta.url).width)

// On the wire, with the requests made without a touch. Pictures do not count: their number depends on the avatars, and some browsers without
// a window fetch the icon of the site.
const budgets = [
  { who: 'visitor', path: '/index', kilobytes: 149, requests: 13 },
  { who: 'visitor', path: '/thread', kilobytes: 147, requests: 15 },
  { who: 'member', path: '/index', kilobytes: 175, requests: 22 },
  { who: 'member', path: '/thread', kilobytes: 178, requests: 28 },
] as const

test.each(budgets)('a first visit of $path as a $who keeps to its budget', async ({ who, path, kilobytes, requests }) => {
  const { page, context, complaints } = await site.visit({ isNew: true, width: 'phone', ...(who === 'member' && { as: 'linxi_dev' }) })
  const fetched = (await loadFirst(page, path === '/thread' ? `/thread?topicId=${topicId}` : path, untilIdle)).filter(
    ({ kind, path: its }) => kind !== 'image' && its !== '/favicon.svg',
  )
  const sum = addUp(fetched)
  expect(sum.bytes, report(fetched)).toBeLessThanOrEqual(kilobytes * 1_000)
  expect(sum.requests, report(fetched)).toBeLessThanOrEqual(requests)
  expect(complaints).toEqual([])
  await context.close()
})

test('on a phone the tools of a thread come with the first touch', async () => {
  const words = wordsIn('zh')
  const { page, context } = await site.visit({ isNew: true, width: 'phone' })
  await page.goto(`/thread?topicId=${topicId}`)
  await untilIdle(page)
  const bar = page.getByRole('navigation', { name: words('comment.threadBar') })
  const menu = page
    .locator('main article')
    .first()
    .getByRole('button', { name: words('share.more') })
  expect([await bar.count(), await menu.count()]).toEqual([0, 0])
  await page.touchscreen.tap(200, 400)
  await bar.waitFor()
  await menu.waitFor()
  await context.close()
})

test('a touch before the program has loaded is kept for it', async () => {
  const { page, context } = await site.visit({ isNew: true, width: 'phone' })
  const touch = Promise.withResolvers<void>()
  await page.route(/\/assets\/browser-/, async (route) => {
    await touch.promise
    await route.continue()
  })
  await page.goto(`/thread?topicId=${topicId}`, { waitUntil: 'commit' })
  await page.locator('main article').first().waitFor()
  await page.touchscreen.tap(200, 400)
  expect(await page.evaluate(() => 'touched' in document.documentElement.dataset)).toBe(true)
  touch.resolve()
  await page.getByRole('navigation', { name: wordsIn('zh')('comment.threadBar') }).waitFor()
  await context.close()
})

test('a script and a style sheet carry no headers of a document', async () => {
  const { page, context } = await site.visit({ isNew: true })
  const answers: Response[] = []
  page.on('response', (answer) => void answers.push(answer))
  await page.goto('/index')
  const files = answers.filter((answer) => new URL(answer.url()).pathname.startsWith('/assets/'))
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) {
    const headers = file.headers()
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
    expect(headers['content-security-policy']).toBe("default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
  }
  expect(files.every((file) => file.headers()['permissions-policy'] === undefined)).toBe(true)
  await context.close()
})

/** On failure lists the requests; `node bench/first-load.ts` shows the composition of each script. */
function report(fetched: readonly PageRequest[]): string {
  return fetched.map(({ isIdle, path, bytes }) => `${isIdle ? 'later' : 'first'} ${path} ${bytes}`).join('\n')
}

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import * as topics from '#topic/server/publish.ts'
import { go } from './go.ts'
import { untilIdle } from './idle.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum({ listens: true })
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

const titles = (page: Page) =>
  page.locator('main article h2 a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

/** Records layout shifts except for the number itself, with the browser's own API. */
async function heedMoves(page: Page): Promise<void> {
  await page.evaluate(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as unknown as { sources: { node: Node | null }[] }[])
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement
          if (!element?.closest('[role=status]')) moved.push(element?.outerHTML.slice(0, 120) ?? '')
        }
    }).observe({ type: 'layout-shift' })
  })
}

test('the button at the end of a list extends it, and going back from a topic far down restores the position', async () => {
  const { page, complaints, context } = await site.visit({ width: 'phone' })
  await page.goto('/index')
  await untilIdle(page)
  const first = await titles(page)
  const more = page.getByRole('link', { name: zh('site.showMore') })
  await more.tap()
  await expect.poll(async () => (await titles(page)).length).toBeGreaterThan(first.length)
  const longer = await titles(page)
  await more.tap()
  await expect.poll(async () => (await titles(page)).length).toBeGreaterThan(longer.length)
  const all = await titles(page)
  expect(all.slice(0, first.length)).toEqual(first)
  expect(new Set(all).size).toBe(all.length)
  expect(new URL(page.url()).search).toBe('')
  await screenshot(page, 'list-longer')
  const far = page.locator(`main article h2 a[href="${all.at(-3)}"]`)
  await far.scrollIntoViewIfNeeded()
  const top = async () => Math.round((await far.boundingBox())?.y ?? -1)
  const before = await top()
  await far.tap()
  await page.waitForURL('**/thread?**')
  await page.goBack()
  await far.waitFor()
  await expect.poll(top).toBe(before)
  expect(await titles(page)).toEqual(all)

  // Another navigation to the list resets it, and the keyboard continues at the first new row.
  await go(page, '/index?sort=new')
  await untilIdle(page)
  const newest = await titles(page)
  await more.focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await titles(page)).length).toBeGreaterThan(newest.length)
  const next = (await titles(page))[newest.length]
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(next)
  expect(complaints).toEqual([])
  await context.close()
})

test('without a script the button leads to the next page, which has its number in the address', async () => {
  const { page, context } = await site.visit({ javaScript: false, language: 'en' })
  await page.goto('/index?sort=new')
  const first = await titles(page)
  await page.getByRole('link', { name: en('site.showMore') }).click()
  await page.waitForURL('**/index?sort=new&page=2')
  expect((await titles(page)).some((one) => first.includes(one))).toBe(false)
  await context.close()
})

test('a list announces new topics as they arrive, without moving, and a tap puts them on top', async () => {
  const { database } = site
  const { id } = await database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
  const { id: tagId } = await database.app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()
  const author = { id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
  const publish = (title: string) =>
    site.write((tx) => topics.publish(tx, author, { tagId, title, body: fromMarkdown('Two leaves and a bud.') }))
  const [visitor, member] = [await site.visit({ width: 'phone' }), await site.visit({ as: 'linxi_dev', language: 'en' })]
  const elsewhere = await site.visit({ language: 'en' })
  await elsewhere.page.goto('/index?sort=hot')
  for (const { page } of [visitor, member]) {
    const newsResponse = page.waitForResponse('**/api/topic/news**')
    await page.goto('/index')
    await newsResponse
    await untilIdle(page)
    await heedMoves(page)
  }
  await publish('A first new topic')
  await visitor.page.getByRole('button', { name: zh('topic.newTopics', { count: 1, shown: '1' }) }).waitFor()
  await publish('A second new topic')
  const two = visitor.page.getByRole('button', { name: zh('topic.newTopics', { count: 2, shown: '2' }) })
  await two.waitFor()
  await member.page.getByRole('button', { name: en('topic.newTopics', { count: 2, shown: '2' }) }).waitFor()
  for (const { page } of [visitor, member]) expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])
  await screenshot(visitor.page, 'new-topics-phone')
  await screenshot(member.page, 'new-topics-desktop')
  await two.tap()
  await two.waitFor({ state: 'hidden' })
  const headings = visitor.page.locator('main article h2')
  await expect.poll(() => headings.filter({ hasText: 'A second new topic' }).count()).toBe(1)
  expect(await elsewhere.page.getByRole('button', { name: /new topics?$/ }).count()).toBe(0)
  for (const { complaints, context } of [visitor, member, elsewhere]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

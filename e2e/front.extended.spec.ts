import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { settings } from '#setting/staff-contract.ts'
import { builtForum } from './site.ts'
import { screenshot } from './shot.ts'
import { wordsIn } from './words.ts'
import { writeComment } from './write-comment.ts'
import { nextFrame, untilIdle } from './idle.ts'

const site = await builtForum()
const zh = wordsIn('zh')

const hello = (page: Page) => page.locator('[data-welcome]')

test('a new visitor reads a description of the site, once: closed here, it never comes again', async () => {
  const { page, complaints } = await site.visit()
  await page.goto('/index')
  await hello(page).getByText(settings.welcomeZh.default).waitFor()
  expect(await hello(page).getByRole('listitem').count()).toBe(3)
  // One primary button: the one to register.
  await expect.poll(() => primary(page)).toEqual([zh('about.join')])
  await screenshot(page, 'front-visitor')
  await page.getByRole('button', { name: zh('about.dismiss') }).click()
  await hello(page).waitFor({ state: 'hidden' })
  await expect.poll(() => primary(page)).toEqual([zh('site.register')])
  await page.reload()
  await page.locator('main article').first().waitFor()
  expect(await hello(page).isVisible()).toBe(false)
  expect(complaints).toEqual([])
})

test('the description is there without a script too; members never see it, and their page is served without their data', async () => {
  const quiet = await site.visit({ javaScript: false })
  await quiet.page.goto('/index')
  expect(await hello(quiet.page).isVisible()).toBe(true)
  const { page } = await site.visit({ as: 'linxi_dev' })
  const html = await (await page.goto('/index'))?.text()
  await page.getByText(zh('topic.notRead'), { exact: true }).first().waitFor()
  expect(html).toContain('data-welcome')
  expect(html).not.toContain(zh('topic.notRead'))
  expect(await hello(page).isVisible()).toBe(false)
  await expect.poll(() => primary(page)).toEqual([zh('site.post')])
})

test('a row shows its read state, and all can be marked as read and restored, by keyboard', async () => {
  const { page, complaints } = await site.visit({ as: 'linxi_dev' })
  await page.goto('/index')
  const unread = page.getByText(zh('topic.notRead'), { exact: true })
  await unread.first().waitFor()
  const before = await unread.count()
  const rows = page.locator('main article')
  const row = rows
    .filter({ has: unread })
    .filter({ hasNotText: zh('topic.pinned') })
    .first()
  const title = await row.getByRole('heading').getByRole('link').textContent()
  // A post counts as viewed after being visible for a moment.
  const noted = page.waitForResponse((response) => response.url().endsWith('/api/comment/read'))
  await row.getByRole('heading').getByRole('link').click()
  await noted
  await page.goBack()
  const same = rows.filter({ has: page.getByRole('link', { name: title ?? '', exact: true }) })
  await expect.poll(() => same.getByText(zh('topic.notRead'), { exact: true }).count()).toBe(0)
  await expect.poll(() => same.getAttribute('data-read')).toBe('true')
  await screenshot(page, 'front-member')

  await page.getByRole('button', { name: zh('topic.listMenu') }).focus()
  await page.keyboard.press('Enter')
  await page.locator(`[role="menuitem"]:focus`, { hasText: zh('topic.markAllRead') }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => unread.count()).toBe(0)
  // Pinned topics that were read take one line.
  expect(
    (
      await rows
        .filter({ hasText: zh('topic.pinned') })
        .first()
        .boundingBox()
    )?.height,
  ).toBeLessThan(48)
  await page.getByRole('button', { name: zh('topic.undo') }).click()
  await expect.poll(() => unread.count()).toBe(before - 1)
  expect(complaints).toEqual([])
})

test('new comments since the last visit are counted, and lead to the last read floor', async () => {
  const id = await site.topic('一条 SQL')
  const { page } = await site.visit({ as: 'moshu' })
  await page.goto(`/thread?topicId=${id}`)
  await page.locator('#comments').waitFor()
  const noted = page.waitForResponse((response) => response.url().endsWith('/api/comment/read'))
  await page.locator('footer').scrollIntoViewIfNeeded()
  await noted
  await writeComment(site, '建一个覆盖索引试试')
  await page.goto('/index')
  const row = page.locator('main article').filter({ hasText: '一条 SQL' })
  const way = row.getByRole('link', { name: zh('topic.fresh', { count: 1 }), exact: true })
  await way.waitFor()
  expect(await way.getAttribute('href')).toMatch(/&floor=\d+$/)
})

test('a tag shows its description and its counts, and a topic from there has it chosen', async () => {
  const { page, complaints } = await site.visit({ as: 'linxi_dev' })
  await page.goto('/index')
  await page.locator('main nav ul a').first().click()
  await page.waitForURL(/tagId=\d+/)
  const tagId = new URL(page.url()).searchParams.get('tagId') ?? ''
  const { description_zh, topic_count } = await site.database.app
    .selectFrom('tag')
    .select(['description_zh', 'topic_count'])
    .where('id', '=', tagId)
    .executeTakeFirstOrThrow()
  const head = page.locator('main header').first()
  await head.getByText(description_zh).waitFor()
  await head.getByText(`${topic_count} 个话题`).waitFor()
  await screenshot(page, 'front-tag')
  await page.getByRole('link', { name: '在这里发帖' }).click()
  await expect.poll(() => page.locator('select[name="tagId"]').inputValue()).toBe(tagId)
  await page.goBack()
  await page.getByRole('button', { name: zh('topic.listMenu') }).click()
  await page.getByRole('menuitem', { name: zh('topic.muteTag') }).click()
  await page.getByText(zh('topic.tagMuted')).waitFor()
  await page.getByRole('button', { name: zh('topic.listMenu') }).click()
  await page.getByRole('menuitem', { name: zh('topic.unmuteTag') }).click()
  await page.getByText(zh('topic.tagUnmuted')).waitFor()
  expect(complaints).toEqual([])
})

test('header and content begin at one edge, and no rail or row is cut, from 1440 to 320 wide', async () => {
  const { page } = await site.visit()
  const id = await site.topic('一条 SQL')
  for (const path of ['/index', '/askList', `/thread?topicId=${id}`, '/search?keyword=SQL', '/search', '/index?tagId=2']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await page.locator('main').locator('article, h1').first().waitFor()
    // Late content is measured too.
    await untilIdle(page)
    for (const width of [1440, 1280, 1100, 820, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await nextFrame(page)
      const { header, content, isWide, cut, highest } = await page.evaluate(measure)
      // On the narrowest phone the header is a few pixels higher, for the whole name.
      expect([path, width, content - header]).toEqual([path, width, width === 320 ? 4 : 0])
      expect([path, width, isWide, cut]).toEqual([path, width, false, []])
      const isHigh = width > 600 && /index|askList/.test(path) && highest > 88
      expect([path, width, isHigh]).toEqual([path, width, false])
    }
  }
})

/** Runs in the page: the beginnings of elements, and clipped text. */
function measure() {
  const left = (element: Element | null | undefined) => element?.getBoundingClientRect().left ?? Number.NaN
  const main = document.querySelector('main')
  const rows = [...document.querySelectorAll('main article:has(> div > h2)')].map((row) => row.getBoundingClientRect().height)
  const blocks = [...(main?.querySelectorAll(':scope > div > *, :scope > section') ?? [])].filter(
    (one) => one.getBoundingClientRect().width > 0,
  )
  const padding = main ? Number.parseFloat(getComputedStyle(main).paddingLeft) : 0
  const bar = document.querySelector('header > div')
  return {
    header: left(bar) + (bar ? Number.parseFloat(getComputedStyle(bar).paddingLeft) : 0),
    content: Math.min(left(main) + padding, ...blocks.map((one) => Math.max(left(main) + padding, left(one)))),
    isWide: document.documentElement.scrollWidth > innerWidth,
    cut: [...document.querySelectorAll('main > div > *')]
      .filter((rail) => getComputedStyle(rail).overflowY === 'hidden' || getComputedStyle(rail).maskImage !== 'none')
      .map((rail) => rail.className),
    highest: Math.max(0, ...rows),
  }
}

test('the description of the site, its numbers and its operator are a page of their own, linked from the foot', async () => {
  const { page, complaints } = await site.visit()
  await site.change('runByZh', '茶馆编辑部\n北京')
  await page.goto('/index')
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: zh('site.about') })
    .click()
  await page.getByRole('heading', { level: 1, name: zh('about.title') }).waitFor()
  await page.getByText('茶馆编辑部').waitFor()
  expect(await page.getByRole('definition').count()).toBe(3)
  expect(complaints).toEqual([])
})

/** The visible buttons in the primary colour, in one snapshot. */
function primary(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('a'))
    probe.className = 'button'
    const strong = getComputedStyle(probe).backgroundColor
    probe.remove()
    return [...document.querySelectorAll('.button:not(.quiet, .danger)')]
      .filter((one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible')
      .filter((one) => getComputedStyle(one).backgroundColor === strong)
      .map((one) => one.textContent ?? '')
  })
}

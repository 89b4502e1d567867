import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addOtherComment, addComments } from './long-topic.ts'
import { untilIdle } from './idle.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
await site.change('commentsPerPage', 20)
const long = await site.topic('你手边那杯茶')
const short = await site.topic('一条 SQL')
await addComments(site, long, 400)
const scrolling = { reading: '{"flow":"scroll"}' }

test('a new comment announces itself without moving the text, and is shown on request', async () => {
  const { page, context, complaints } = await site.visit()
  const newsResponse = page.waitForResponse((response) => response.url().includes('/comment/news'))
  await page.goto(`/thread?topicId=${short}`)
  await newsResponse
  await page.evaluate('scrollTo(0, 700)')
  const before = await tops(page)
  await addOtherComment(site, short)
  const bar = page.getByRole('button', { name: '1 条新评论' })
  await bar.waitFor()
  await addOtherComment(site, short)
  await page.getByRole('button', { name: '2 条新评论' }).waitFor()
  expect(await tops(page)).toEqual(before)
  await screenshot(page, 'news')

  await page.getByRole('button', { name: '2 条新评论' }).click()
  await expect.poll(() => page.getByText('This is floor 9.').isVisible()).toBe(true)
  await expect.poll(() => page.getByRole('button', { name: /条新评论/ }).count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('one of two windows at one topic listens, and both are updated', async () => {
  const { page, context, complaints } = await site.visit({ isNew: true })
  const calls: string[] = []
  context.on('request', (request) => request.url().includes('/comment/news') && calls.push(request.url()))
  const other = await context.newPage()
  for (const one of [page, other]) {
    await one.addInitScript("Object.defineProperty(document, 'visibilityState', { get: () => 'visible' })")
    await one.goto(`/thread?topicId=${short}`)
    await one.locator('[data-kind="comment"], main article').first().waitFor()
    await untilIdle(one)
  }
  await addOtherComment(site, short)
  for (const one of [page, other]) await one.getByRole('button', { name: '1 条新评论' }).waitFor()
  expect(calls).toHaveLength(1)
  expect(complaints).toEqual([])
  await context.close()
})

test('a hidden tab does not listen, and gets the missed events when it is shown again', async () => {
  const { page, context } = await site.visit({ as: 'laochen', isNew: true })
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/comment/news') && calls.push(request.url()))
  await page.addInitScript(`
    window.isSeen = true
    Object.defineProperty(document, 'visibilityState', { get: () => (window.isSeen ? 'visible' : 'hidden') })
    window.look = (isSeen) => { window.isSeen = isSeen; document.dispatchEvent(new Event('visibilitychange')) }
    const wait = window.setTimeout
    window.setTimeout = (action, ms, ...rest) => wait(action, ms === 15000 ? 10 : ms, ...rest)
  `)
  // A busy server may refuse the first one.
  const isOpen = page.waitForResponse((response) => response.url().includes('/comment/news') && response.ok())
  await page.goto(`/thread?topicId=${short}`)
  await isOpen
  const before = calls.length
  const over = page.waitForEvent('requestfailed', (request) => request.url().includes('/comment/news'))
  await page.evaluate('look(false)')
  await over
  await addOtherComment(site, short)
  await page.evaluate('look(true)')
  await page.getByRole('button', { name: '1 条新评论' }).waitFor()
  expect(calls).toHaveLength(before + 1)
  await context.close()
})

test('a returning member finds the way to their last read floor, with new comments marked', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen' })
  await page.goto(`/thread?topicId=${long}&page=2`)
  await page.locator('[data-composer] [contenteditable="true"]').waitFor()
  const positionRequest = page.waitForRequest((request) => request.postData()?.includes('floor=40') ?? false)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  expect((await positionRequest).postData()).toContain('floor=40')
  await page.getByRole('link', { name: '首页' }).first().click()
  await page.waitForURL('**/index')
  // Unread comments do not count as new for this.
  await untilIdle(page)
  expect(await page.locator(`a[href*="topicId=${long}&floor=41"]`).count()).toBe(0)

  await page.goto(`/thread?topicId=${long}`)
  await page.getByRole('button', { name: '从 41 楼继续阅读 · 360 条未读' }).click()
  await expect.poll(() => floorInView(page, 41)).toBe(true)
  const mark = page.locator('li[data-floor="41"]').getByText('上次读到这里')
  await mark.waitFor()
  expect(await page.getByText('上次读到这里').count()).toBe(1)
  await screenshot(page, 'mark')
  expect(complaints).toEqual([])
  await context.close()
})

test('a visitor finds the place on the same device', async () => {
  const { page, context } = await site.visit()
  await page.goto(`/thread?topicId=${long}&page=3`)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('readTo'))).toContain(`["${long}",60]`)
  await page.goto(`/thread?topicId=${long}`)
  await page.getByRole('button', { name: /^从 61 楼继续阅读/ }).waitFor()
  await context.close()
})

test('a reader scrolls through all pages; few are in the document, the address follows, and going back finds the line', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(`/thread?topicId=${long}`)
  await page.getByRole('button', { name: '阅读方式' }).last().click()
  await page.getByRole('menuitem', { name: '连续滚动' }).click()
  await expect.poll(() => page.locator('nav[aria-label="分页"]').count()).toBe(0)
  await page.mouse.move(400, 500)
  await scrollTo(page, 200)
  await page.locator('li[data-floor="200"]').scrollIntoViewIfNeeded()
  const standing = await page.locator('li[data-floor]').count()
  expect(standing).toBeLessThan(161)
  await page.evaluate(`document.querySelector('li[data-floor="190"]').scrollIntoView(); scrollBy(0, -60)`)
  await expect.poll(() => new URL(page.url()).searchParams.get('floor')).toBe('189')
  const top = await topOf(page, 190)
  await screenshot(page, 'scroll')

  // A pointer would have to scroll up first, because the header is hidden.
  await page.locator('header a[href="/index"]').first().dispatchEvent('click')
  await page.waitForURL('**/index')
  await page.goBack()
  await expect.poll(() => topOf(page, 190)).toBeCloseTo(top ?? 0, -1)
  await page.reload()
  await expect.poll(() => topOf(page, 190)).toBeCloseTo(top ?? 0, -1)
  expect(complaints).toEqual([])

  await page.getByRole('button', { name: '阅读方式' }).last().click()
  await page.getByRole('menuitem', { name: '分页', exact: true }).click()
  await page.getByRole('navigation', { name: '分页' }).waitFor()
  await expect.poll(() => topOf(page, 190)).toBeCloseTo(top ?? 0, -1)
  await context.close()
})

test('scrolling up from the middle loads earlier comments without moving the view', async () => {
  const { page, context } = await site.visit({ storage: scrolling })
  await page.goto(`/thread?topicId=${long}&floor=201`)
  await page.locator('li[data-floor="181"]').waitFor({ state: 'attached' })
  expect(await floorInView(page, 201)).toBe(true)
  await page.mouse.move(400, 500)
  for (let turn = 0; turn < 14; turn++) {
    const before = (await tops(page)).find(({ top }) => top > 0 && top < 400)
    await page.mouse.wheel(0, -250)
    const now = async () => (await tops(page)).find(({ floor }) => floor === before?.floor)?.top
    await expect.poll(now).toBeCloseTo((before?.top ?? 0) + 250, -1)
  }
  await page.locator('li[data-floor="161"]').waitFor({ state: 'attached' })
  await context.close()
})

test('the pages go on coming while the search box or a reply out of view has the focus', async () => {
  const { page, context } = await site.visit({ as: 'laochen', storage: scrolling })
  await page.goto(`/thread?topicId=${long}&floor=90`)
  await expect.poll(() => page.locator('nav[aria-label="分页"]').count()).toBe(0)
  await box(page).click()
  await page.mouse.move(400, 500)
  await scrollTo(page, 170)
  await page.locator('li[data-floor="170"] [data-action="reply"]').click()
  await page.locator('li[data-floor="170"] [contenteditable="true"]').click()
  await page.keyboard.type('Half a word')
  await scrollTo(page, 280)
  // Unsent text stays on the page, however far the reader scrolls.
  expect(await page.locator('li[data-floor="170"] [contenteditable="true"]').textContent()).toBe('Half a word')
  await page.locator('li[data-floor="170"]').getByRole('button', { name: '取消' }).click()
  await context.close()
})

test('while a text is being written below, nothing is inserted above', async () => {
  const { page, context } = await site.visit({ as: 'laochen', storage: scrolling })
  await page.goto(`/thread?topicId=${long}`)
  await expect.poll(() => page.locator('nav[aria-label="分页"]').count()).toBe(0)
  await page.locator('[data-composer] [contenteditable="true"]').click()
  const last = () => page.locator('li[data-floor]').last().getAttribute('data-floor')
  await untilIdle(page)
  const before = await last()
  await page.mouse.move(400, 300)
  await page.mouse.wheel(0, -20)
  await untilIdle(page)
  expect(await last()).toBe(before)
  await box(page).click()
  await expect.poll(async () => Number(await last())).toBeGreaterThan(Number(before))
  await context.close()
})

test('a quote leads away and back to the very line; the scrubber leads anywhere', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(`/thread?topicId=${long}&page=4`)
  const quoting = page.locator('li[data-floor="63"]')
  await quoting.scrollIntoViewIfNeeded()
  await page.evaluate(`document.querySelector('li[data-floor="63"]').scrollIntoView({ block: 'start' }); scrollBy(0, -40)`)
  await untilIdle(page)
  const top = await topOf(page, 63)
  await quoting.locator('div:has(> details)').getByRole('link').first().click()
  await expect.poll(() => page.evaluate('document.activeElement.dataset.floor')).toBe('61')
  await page.getByRole('slider', { name: '跳转到楼层' }).first().focus()
  await page.keyboard.press('End')
  await page
    .getByText(/^#400 \/ #400.*\d{4}年/)
    .filter({ visible: true })
    .waitFor()
  await screenshot(page, 'scrubber')
  await page.keyboard.press('Enter')
  await expect.poll(() => floorInView(page, 400)).toBe(true)
  // The scrubber's label at rest is between the comments and the side column.
  expect(await page.getByText(/\d{4}年/).count()).toBe(0)
  const label = await page.locator('div:has(> input[type="range"]) > p').first().boundingBox()
  const text = await page.locator('li[data-floor="400"]').boundingBox()
  const beside = await page.locator('main aside').first().boundingBox()
  expect(label?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0))
  expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThan(beside?.x ?? 0)
  await screenshot(page, 'way-back')
  await page.getByRole('button', { name: /^回到/ }).click()
  await expect.poll(() => floorInView(page, 61)).toBe(true)
  await page.goBack()
  await expect.poll(() => topOf(page, 63)).toBeCloseTo(top ?? 0, -1)
  expect(complaints).toEqual([])
  await context.close()
})

test('a floor is reached by its number on a phone', async () => {
  const { page, context, complaints } = await site.visit({ width: 'phone', language: 'en' })
  await page.goto(`/thread?topicId=${long}`)
  await page.getByRole('button', { name: 'Jump to a comment by number: #1 / #400' }).click()
  await page.getByRole('spinbutton', { name: 'Number' }).fill('311')
  await untilIdle(page)
  await screenshot(page, 'phone-panel')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await expect.poll(() => floorInView(page, 311)).toBe(true)
  await screenshot(page, 'phone-back')
  await page.getByRole('button', { name: 'Back to where I was' }).click()
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeCloseTo(0, -1)
  expect(complaints).toEqual([])
  await context.close()
})

test('comments are a tree by their quotes; the position stays, and so does the choice', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(`/thread?topicId=${long}&page=4`)
  await page.evaluate(`document.querySelector('li[data-floor="70"]').scrollIntoView()`)
  await untilIdle(page)
  const top = await topOf(page, 70)
  await page.getByRole('button', { name: '阅读方式' }).last().click()
  await page.getByRole('menuitem', { name: '树形（楼中楼）' }).click()
  await page.locator('li[data-floor="70"] li[data-floor="72"]').waitFor()
  expect(await topOf(page, 70)).toBeCloseTo(top ?? 0, -1)
  await screenshot(page, 'tree')
  await page.locator('li[data-floor="70"]').getByRole('button', { name: '收起下方评论' }).click()
  await page.getByRole('button', { name: '展开下方 1 条评论' }).waitFor()
  await page.goto(`/thread?topicId=${long}&page=5`)
  await page.locator('li[data-floor="82"] li[data-floor="84"]').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('the keyboard moves through comments and runs their actions; never while typing', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto(`/thread?topicId=${long}&page=6`)
  await page.locator('[data-action="reply"]').first().waitFor()
  await page.locator('[data-composer] [contenteditable="true"]').waitFor()
  await untilIdle(page)
  for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key)
  await expect.poll(() => page.evaluate('document.activeElement.dataset.floor')).toBe('102')
  await page.keyboard.press('r')
  const field = page.locator('li[data-floor="102"] [contenteditable="true"]')
  await expect
    .poll(() => page.evaluate('document.activeElement.isContentEditable && document.activeElement.closest("li").dataset.floor'))
    .toBe('102')
  await page.keyboard.type('jk?')
  expect(await field.textContent()).toBe('jk?')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.locator('li[data-floor="103"]').focus()
  await page.keyboard.press('q')
  await page.getByText('Quoting #103').waitFor()
  await page.locator('li[data-floor="103"]').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await screenshot(page, 'help')
  await page.getByRole('checkbox', { name: 'Use keyboard shortcuts on this device' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await untilIdle(page)
  expect(page.url()).toContain('/thread')
  await page.getByRole('button', { name: 'Display options' }).last().click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('checkbox', { name: 'Use keyboard shortcuts on this device' }).check()
  await page.keyboard.press('Escape')
  await page.locator('li[data-floor="103"]').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.waitForURL('**/index')
  await page.locator('article h2 a').first().waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('A')
  await page.keyboard.press('o')
  await page.waitForURL('**/thread?topicId=*')
  expect(complaints).toEqual([])
  await context.close()
})

const box = (page: Page) => page.locator('header input[type="search"]')

async function scrollTo(page: Page, floor: number): Promise<void> {
  const comment = page.locator(`li[data-floor="${floor}"]`)
  async function nearer(): Promise<boolean> {
    await page.mouse.wheel(0, 1_000)
    return comment.isVisible()
  }
  await expect.poll(nearer, { interval: 80 }).toBe(true)
}

async function tops(page: Page): Promise<{ floor: number; top: number }[]> {
  return page.evaluate(`[...document.querySelectorAll('li[data-floor]')].map((one) => ({
    floor: Number(one.dataset.floor), top: Math.round(one.getBoundingClientRect().top) }))`)
}

async function topOf(page: Page, floor: number): Promise<number | undefined> {
  return page.evaluate(`document.querySelector('li[data-floor="${floor}"]')?.getBoundingClientRect().top`)
}

async function floorInView(page: Page, floor: number): Promise<unknown> {
  return page.evaluate(`(() => {
    const at = document.querySelector('li[data-floor="${floor}"]')?.getBoundingClientRect()
    return at !== undefined && at.top >= 0 && at.top < innerHeight
  })()`)
}

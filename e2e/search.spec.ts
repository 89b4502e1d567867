import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { settledIn } from '#search/testing/engine-suite.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
await site.change('hotSearchWords', ['单丛', 'gaiwan'])
await settledIn(site.database)

const box = (page: Page) => page.locator('input[name="keyword"]').locator('visible=true').first()
const options = (page: Page) => page.getByRole('option')

test('a visitor types, chooses by keys and comes to the topic', async () => {
  const { page, complaints } = await site.visit()
  await page.goto('/index')
  await box(page).click()
  await options(page).first().waitFor()
  expect(await options(page).allTextContents()).toEqual(['单丛推荐', 'gaiwan推荐'])
  await box(page).pressSequentially('fhdc')
  await page.getByRole('option', { name: '凤凰单丛' }).waitFor()
  await page.keyboard.press('ArrowDown')
  expect(await page.locator(`#${await escaped(page)}`).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/thread?topicId=*')
  await page.locator('h1', { hasText: '凤凰单丛' }).waitFor()
  expect(complaints).toEqual([])
})

test('text typed before the suggestions, and before the page is interactive, counts', async () => {
  const { page } = await site.visit()
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/(?!theme).*\.js$/, async (route) => {
    await gate
    await route.fallback()
  })
  await page.goto('/index', { waitUntil: 'commit' })
  await box(page).pressSequentially('fhd')
  release()
  await page.getByRole('option', { name: '凤凰单丛' }).waitFor()
  expect(await box(page).inputValue()).toBe('fhd')
})

test('letters typed while the code of the suggestions comes are asked for, and no others', async () => {
  const { page } = await site.visit()
  await page.goto('/index')
  const keywords: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/search/suggest')) keywords.push(new URL(request.url()).searchParams.get('keyword') ?? '')
  })
  // The shortcuts load when the page is idle.
  await expect
    .poll(async () => {
      await page.keyboard.press('/')
      return box(page).evaluate((one) => one === document.activeElement)
    })
    .toBe(true)
  await page.keyboard.type('fhdc', { delay: 60 })
  await page.getByRole('option', { name: '凤凰单丛' }).waitFor()
  expect(keywords.at(-1)).toBe('fhdc')
})

test('suggestions for a shorter text never stand under a longer one', async () => {
  const { page } = await site.visit()
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/search/suggest?keyword=%E8%8C%B6%E5%8F%B6', async (route) => {
    await gate
    await route.fallback()
  })
  await page.goto('/index')
  await box(page).click()
  await box(page).pressSequentially('茶')
  await page.locator('[role="option"] mark').first().waitFor()
  const request = page.waitForRequest('**/search/suggest?keyword=%E8%8C%B6%E5%8F%B6')
  await page.keyboard.type('叶')
  await request
  expect(await options(page).count()).toBe(0)
  release()
})

test('Enter without a choice searches; Escape closes the suggestions; letters of a composition do neither', async () => {
  const { page } = await site.visit()
  await page.goto('/index')
  await box(page).click()
  await box(page).pressSequentially('茶')
  await options(page).first().waitFor()
  await page.keyboard.press('Escape')
  expect(await options(page).count()).toBe(0)
  expect(await box(page).getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowDown')
  await box(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true })
  expect(new URL(page.url()).pathname).toBe('/index')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?keyword=*')
  await page.locator('article mark').first().waitFor()
  expect(await page.title()).toMatch(/^茶 - /)
})

test('filters and order stand in the address, and a hit leads to its floor', async () => {
  const { page } = await site.visit({ language: 'en' })
  await page.goto('/search?keyword=keyboard')
  await page.locator('select[name="kind"]').selectOption('comment')
  await page.waitForURL('**kind=comment**')
  await page.getByRole('link', { name: 'Newest' }).click()
  await page.waitForURL('**sort=newest**')
  expect(new URL(page.url()).searchParams.get('kind')).toBe('comment')
  await page.locator('article h2 a').first().click()
  await page.waitForURL('**/thread?topicId=*commentId=*')
})

test('the page is whole without a script: hits, marks, filters by its form, and no index by search engines', async () => {
  const { page } = await site.visit({ javaScript: false })
  const answer = await page.goto('/search?keyword=' + encodeURIComponent('紫砂壺'))
  expect(answer?.headers()['cache-control']).toBe('private, no-cache')
  expect(await page.locator('article mark').first().textContent()).toBe('紫砂壶')
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex')
})

test('recent searches are stored on this device, and cleared there', async () => {
  const { page, complaints } = await site.visit({ language: 'en' })
  await page.goto('/search?keyword=keyboard')
  await page.locator('article mark').first().waitFor()
  await isRemembered(page)
  await page.goto('/search')
  await page.getByRole('heading', { name: 'Recent searches' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'keyboard', exact: true }).click()
  await page.waitForURL('**/search?keyword=keyboard')
  await page.goto('/search')
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'Recent searches' }).count()).toBe(0)
  expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBe(null)
  expect(complaints).toEqual([])
})

test('searches of a member are not shown to the next in this browser', async () => {
  const { page, complaints } = await site.visit({ as: 'laochen' })
  await page.goto('/search?keyword=keyboard')
  await page.locator('article mark').first().waitFor()
  await isRemembered(page)
  await page.goto('/search')
  await page.getByRole('heading', { name: '最近搜索' }).waitFor()
  await page.getByRole('button', { name: '账号菜单' }).click()
  await page.locator('#account-menu').getByText('退出登录').click()
  await page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor()
  await page.goto('/search')
  await page.getByRole('heading', { name: '搜索', exact: true }).waitFor()
  expect(await page.getByRole('heading', { name: '最近搜索' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('on a phone the search link leads into its box, which is as wide as the page', async () => {
  const { page, complaints } = await site.visit({ width: 'phone', language: 'en' })
  await page.goto('/index')
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click()
  await page.locator('main input[name="keyword"]:focus').waitFor()
  expect((await box(page).boundingBox())?.width).toBe(358)
  await page.keyboard.type('gaiwan')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?keyword=gaiwan')
  await page.goBack()
  await page.getByRole('heading', { name: 'Recent searches' }).waitFor()
  expect(await page.locator('main input[name="keyword"]:focus').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a search without results offers advice', async () => {
  const { page } = await site.visit({ width: 'phone' })
  await page.goto('/search?keyword=quuxzzy&kind=topic')
  await page.getByText('试试更短的词').waitFor()
  await page.getByRole('link', { name: '去掉筛选条件' }).click()
  await page.waitForURL((url) => !url.searchParams.has('kind'))
})

test('an unknown author is reported, and members are offered the names with that beginning', async () => {
  const visitor = await site.visit({ width: 'phone', javaScript: false })
  await visitor.page.goto('/search?keyword=' + encodeURIComponent('茶') + '&author=' + encodeURIComponent('老陈'))
  await visitor.page.getByText('没有叫“老陈”的成员。').waitFor()
  expect(await visitor.page.getByText('老陈泡茶').count()).toBe(0)
  const { page, complaints } = await site.visit({ as: 'azhe' })
  await page.goto('/search?keyword=' + encodeURIComponent('茶') + '&author=' + encodeURIComponent('老陈'))
  await page.getByRole('link', { name: '老陈泡茶' }).click()
  await page.locator('article').first().waitFor()
  expect(new URL(page.url()).searchParams.get('author')).toBe('老陈泡茶')
  expect(complaints).toEqual([])
})

for (const theme of ['light', 'dark'] as const)
  test(`a reader who cannot see or point is not hindered, ${theme}`, async () => {
    const { page } = await site.visit({ theme, language: theme === 'dark' ? 'en' : 'zh' })
    await page.goto('/search?keyword=oolong')
    await box(page).click()
    await options(page).first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  })

// React's ids have colons or underscores.
async function escaped(page: Page): Promise<string> {
  const id = (await box(page).getAttribute('aria-activedescendant')) ?? ''
  return page.evaluate((text) => CSS.escape(text), id)
}

// The page is there before the program that remembers.
async function isRemembered(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(localStorage).some((name) => name.startsWith('recentSearches')))
}

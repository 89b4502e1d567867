import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { builtForum } from './site.ts'

const site = await builtForum()
await site.change('commentsPerPage', 5)
const sqlTopic = await site.topic('一条 SQL')
const busyTopic = await site.topic('你手边那杯茶')
const closedTopic = await site.topic('Storing sheng')

const ways = [
  ['zh', 'phone'],
  ['zh', 'desktop'],
  ['en', 'phone'],
  ['en', 'desktop'],
] as const

test.each(ways)('a visitor reads at once, in %s on a %s', async (language, width) => {
  const { page, context, complaints } = await site.visit({ language, width })
  await page.goto('/index')
  expect(await page.locator('html').getAttribute('lang')).toBe(language === 'zh' ? 'zh-CN' : 'en')
  expect(await page.locator('article h2').count()).toBe(32)
  await page.getByRole('link', { name: '欢迎来到茶馆' }).click()
  await page.getByRole('heading', { level: 1, name: '欢迎来到茶馆' }).waitFor()
  expect(await floors(page)).toEqual([1, 2, 3, 4])
  expect(await page.locator('h2#comments').textContent()).toBe(language === 'zh' ? '11 条评论和回复' : '11 comments and replies')
  expect(complaints).toEqual([])
  await context.close()
})

test('the list, a topic, and the pages of both are readable without JavaScript', async () => {
  const { page, context } = await site.visit({ javaScript: false })
  await page.goto('/index')
  expect(await page.locator('article h2').count()).toBe(32)
  await page.getByRole('link', { name: '下一页' }).click()
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  await page.getByRole('link', { name: '泡茶', exact: true }).first().click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('泡茶')

  await page.goto(`/thread?topicId=${sqlTopic}`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('一条 SQL')
  expect(await page.locator('.prose').first().textContent()).toContain('P95')
  expect(await floors(page)).toEqual([1, 2, 3, 4, 5])
  await page.getByRole('link', { name: '下一页' }).click()
  expect(await floors(page)).toEqual([6, 7, 8])

  await page.goto('/login')
  expect(await page.getByRole('main').textContent()).toContain('浏览不需要 JavaScript')
  await context.close()
})

test('the language changes in place, and the choice is kept', async () => {
  const { page, context, complaints } = await site.visit()
  const awake = page.waitForRequest('**/api/baseInfo?**')
  await page.goto(`/thread?topicId=${sqlTopic}`)
  await awake
  await page.evaluate('window.isSamePage = true')
  await page.getByRole('button', { name: 'EN: switch to English' }).click()
  await page.getByRole('link', { name: 'Sign up' }).first().waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toMatch(/^en/)
  expect(await page.evaluate('window.isSamePage')).toBe(true)

  const served = await page.reload()
  expect(await served?.text()).toContain('<html lang="en">')
  await page.getByRole('button', { name: '切换到中文' }).click()
  await page.getByRole('link', { name: '注册' }).first().waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('the theme follows the system until one is chosen, and the choice applies from the first paint', async () => {
  const { page, context } = await site.visit({ theme: 'dark' })
  await page.goto('/index')
  expect(await ground(page)).toBe('rgb(21, 23, 26)')
  await page.getByRole('button', { name: '主题：跟随系统' }).click()
  await page.getByRole('button', { name: '主题：浅色' }).waitFor()
  expect(await ground(page)).toBe('rgb(251, 250, 247)')
  await page.reload({ waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ state: 'attached' })
  expect(await ground(page)).toBe('rgb(251, 250, 247)')
  await page.getByRole('button', { name: '主题：浅色' }).waitFor()
  await context.close()
})

test('the list is sorted, narrowed to a tag, and turned page by page', async () => {
  const { page, context, complaints } = await site.visit()
  const newest = await titlesByAge()
  await page.goto('/index')
  await page.getByRole('link', { name: '最新发布' }).click()
  await page.waitForURL('**/index?sort=new')
  await expect.poll(async () => (await rows(page)).filter((title) => newest.slice(0, 5).includes(title))).toEqual(newest.slice(0, 5))

  await page.getByRole('link', { name: '下一页' }).click()
  await page.waitForURL('**sort=new&page=2')
  await expect.poll(async () => (await rows(page))[0]).toBe(newest[30])

  await page.getByRole('navigation', { name: '全部话题' }).getByRole('link', { name: /^徒步/ }).click()
  await page.getByRole('heading', { level: 1, name: '徒步' }).waitFor()
  // Four topics, and two questions with this tag or one below it.
  expect(await rows(page)).toHaveLength(6)
  expect(await page.title()).toBe('徒步 - 茶馆 Teahouse')
  expect(complaints).toEqual([])
  await context.close()
})

test('a thread shows only its author, or the newest first, and turns pages', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(`/thread?topicId=${busyTopic}`)
  await page.getByRole('link', { name: '最新', exact: true }).click()
  await expect.poll(() => floors(page)).toEqual([18, 17, 16, 15, 14])
  await page.getByRole('link', { name: '下一页' }).click()
  await expect.poll(() => floors(page)).toEqual([13, 12, 11, 10, 9])
  await page.getByRole('link', { name: '最早', exact: true }).click()
  await expect.poll(() => floors(page)).toEqual([1, 2, 3, 4, 5])

  const own = await authorsFloors(busyTopic)
  expect(own.length).toBeGreaterThan(0)
  await page.getByRole('link', { name: '只看楼主' }).click()
  await expect.poll(() => floors(page)).toEqual(own.slice(0, 5))
  expect(complaints).toEqual([])
  await context.close()
})

test('a link to a floor brings the comment into view, on any page, and puts the focus there', async () => {
  const { page, context } = await site.visit({ width: 'phone' })
  const { id } = await comment(busyTopic, 13)
  await page.goto(`/thread?topicId=${busyTopic}&commentId=${id}`)
  const floor = page.locator(`#comment-${id}`)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`comment-${id}`)
  expect(await isInView(page, `#comment-${id}`)).toBe(true)
  expect(await floors(page)).toEqual([11, 12, 13, 14, 15])

  await page.evaluate('scrollTo(0, 0)')
  await floor.getByRole('link', { name: '13 楼的链接' }).click()
  await expect.poll(() => isInView(page, `#comment-${id}`)).toBe(true)
  await context.close()
})

test('a quote leads to the comment it quotes', async () => {
  const { page, context } = await site.visit()
  const { id } = await comment(sqlTopic, 2)
  await page.goto(`/thread?topicId=${sqlTopic}`)
  await page.locator('div:has(> details)').getByRole('link', { name: '#2' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`comment-${id}`)
  await context.close()
})

test('going back finds the list in its former position', async () => {
  const { page, context } = await site.visit()
  await page.goto('/index?sort=new')
  const last = page.locator('article h2 a').nth(25)
  const title = await last.textContent()
  await last.scrollIntoViewIfNeeded()
  const left = await page.evaluate('scrollY')
  expect(left).toBeGreaterThan(300)
  await last.click()
  await page.getByRole('heading', { level: 1, name: String(title) }).waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate('scrollY')).toBe(left)
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: String(title) }).waitFor()
  await context.close()
})

test('a typed address begins at its top, and a reloaded page keeps its position', async () => {
  const { page, context } = await site.visit()
  await page.goto(`/thread?topicId=${sqlTopic}`)
  await page.getByRole('link', { name: '注册' }).first().waitFor()
  await page.evaluate('scrollTo(0, 500)')
  await page.reload()
  await expect.poll(() => page.evaluate('scrollY')).toBe(500)
  await page.goto('/index?sort=new')
  await page.getByRole('link', { name: '注册' }).first().waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  await context.close()
})

test('a page describes itself in its head', async () => {
  const { page, context } = await site.visit({ javaScript: false, language: 'en' })
  await page.goto('/index?junk=1')
  expect(await headOf(page)).toMatchObject({ title: '茶馆 Teahouse', canonical: `${site.url}/index`, robots: null, 'og:type': 'website' })

  await page.goto(`/thread?topicId=${sqlTopic}&junk=1`)
  const thread = await headOf(page)
  expect(thread.description).toContain('P95')
  expect(thread).toEqual({
    title: '一条 SQL 从 8 秒到 40 毫秒：问题不在缺索引 - 茶馆 Teahouse',
    description: thread.description,
    canonical: `${site.url}/thread?topicId=${sqlTopic}`,
    robots: null,
    'og:title': '一条 SQL 从 8 秒到 40 毫秒：问题不在缺索引',
    'og:type': 'article',
    'og:site_name': '茶馆 Teahouse',
    'og:description': thread.description,
    'og:url': `${site.url}/thread?topicId=${sqlTopic}`,
    'og:locale': 'en_US',
    'og:image': `${site.url}/share/${sqlTopic}.png`,
  })
  await page.goto(`/thread?topicId=${await site.topic('凤凰单丛')}`)
  const image = (await headOf(page))['og:image'] ?? ''
  expect((await page.request.get(image)).headers()['content-type']).toMatch(/^image\//)
  await context.close()
})

test.each(['/thread?topicId=999999', '/thread?topicId=nonsense', '/thread', '/index?tagId=nonsense', '/index?tagId=999999'])(
  'a missing page answers 404 with a page that says so: %s',
  async (path) => {
    const { page, context } = await site.visit({ language: 'en' })
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.waitForURL('**/index')
    await context.close()
  },
)

test.each(['/', '/no/such/page', '/index/', '/Thread', '/user/control', '/askMe?x=1'])('%s leads to the index', async (path) => {
  const { page, context } = await site.visit()
  const response = await page.request.get(path, { maxRedirects: 0 })
  expect(response.status()).toBe(302)
  expect(response.headers()['location']).toBe(path === '/' ? '/index' : '/index#elsewhere')
  await context.close()
})

test('a topic for some only says so with 403, and none of its words leave the server', async () => {
  const { page, context } = await site.visit()
  const response = await page.goto(`/thread?topicId=${closedTopic}`)
  expect(response?.status()).toBe(403)
  await page.getByRole('heading', { name: '你无权查看' }).waitFor()
  const login = page.getByRole('main').getByRole('link', { name: '登录' })
  expect(await login.getAttribute('href')).toMatch(/^\/login\?jumpUrl=/)
  const pages = [
    await response?.text(),
    ...(await Promise.all(['/index', '/index?sort=new', '/index?sort=hot'].map((path) => htmlOf(page, path)))),
  ]
  for (const html of pages) expect(html).not.toMatch(/Storing sheng|humidity|wet stone|湿度自己就有七十|会员茶室/)
  await context.close()

  const member = await site.visit({ as: 'laochen' })
  await member.page.goto(`/thread?topicId=${closedTopic}`)
  await member.page.getByRole('heading', { level: 1, name: 'Storing sheng' }).waitFor()
  expect(await floors(member.page)).not.toEqual([])
  await member.context.close()
})

async function floors(page: Page): Promise<number[]> {
  const links = await page
    .locator('#content ol > li[id^="comment-"] > article > header a[href*="commentId"], #content ol > li[id^="comment-"] > p a')
    .allTextContents()
  return links.map((text) => Number(text.slice(1)))
}

function rows(page: Page): Promise<string[]> {
  return page.locator('article h2 a').allTextContents()
}

function ground(page: Page): Promise<unknown> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor')
}

function isInView(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('${selector}').getBoundingClientRect())`,
  )
}

async function titlesByAge(): Promise<string[]> {
  const open = site.database.app
    .selectFrom('topic')
    .innerJoin('tag', 'tag.id', 'tag_id')
    .where('key', '<>', 'tea-masters')
    .where('pin', '=', 0)
  return (
    await open.select('title').where('status', '=', 'published').orderBy('published_at', 'desc').orderBy('topic.id', 'desc').execute()
  ).map((row) => row.title)
}

function comment(topicId: string, floor: number): Promise<{ id: string }> {
  return site.database.app
    .selectFrom('comment')
    .select('id')
    .where('topic_id', '=', topicId)
    .where('floor', '=', floor)
    .executeTakeFirstOrThrow()
}

async function authorsFloors(topicId: string): Promise<number[]> {
  const { database } = site
  const { author_id } = await database.app.selectFrom('topic').select('author_id').where('id', '=', topicId).executeTakeFirstOrThrow()
  const own = database.app.selectFrom('comment').where('topic_id', '=', topicId).where('author_id', '=', author_id)
  return (await own.select('floor').orderBy('floor').execute()).flatMap(({ floor }) => floor ?? [])
}

async function htmlOf(page: Page, path: string): Promise<string> {
  return (await page.request.get(path)).text()
}

async function headOf(page: Page): Promise<Record<string, string | null>> {
  const meta = async (selector: string, attribute = 'content') => {
    const found = page.locator(selector)
    return (await found.count()) === 0 ? null : found.getAttribute(attribute)
  }
  const open = ['title', 'type', 'site_name', 'description', 'url', 'locale', 'image'].map((name) => `og:${name}`)
  const entries = open.map(async (name) => [name, await meta(`meta[property="${name}"]`)])
  return {
    title: await page.title(),
    description: await meta('meta[name=description]'),
    canonical: await meta('link[rel=canonical]', 'href'),
    robots: await meta('meta[name=robots]'),
    ...Object.fromEntries(await Promise.all(entries)),
  }
}

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { untilIdle } from './idle.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const topicId = await site.topic('一条 SQL')
const thread = `/thread?topicId=${topicId}`
const { tag_id: tagId } = await site.database.app.selectFrom('topic').select('tag_id').where('id', '=', topicId).executeTakeFirstOrThrow()
// A list that has it, however many are newer.
const listed = `/index?tagId=${tagId}`
const offline = '网络连接失败，请检查网络后再试。你写的内容没有丢失。'

test('a topic may be the very first page that a server makes', async () => {
  const answer = await fetch(site.url + thread)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('P95')
})

test('the foot of every page shows the registration numbers and the licence of the site', async () => {
  await site.change('icpNumber', '沪ICP备2026001号')
  await site.change('policeNumber', '沪公网安备 31000002000001号')
  await site.change('licence', '增值电信业务经营许可证 沪B2-20260001')
  for (const path of ['/index', thread, '/login']) {
    const foot = (await (await fetch(site.url + path)).text()).split('<footer')[1]
    expect(foot).toMatch(/href="https:\/\/beian\.miit\.gov\.cn\/"[^>]*>沪ICP备2026001号/)
    expect(foot).toMatch(/webSearch\?code=31000002000001"[^>]*>沪公网安备/)
    expect(foot).toContain('增值电信业务经营许可证 沪B2-20260001')
  }
})

test.each(['/login', '/register', '/addTopic', '/user/control/home', '/user/control/editUser'])(
  'without JavaScript %s is a page of the site that says so, in either language',
  async (path) => {
    const { page, context } = await site.visit({ javaScript: false })
    expect((await page.goto(path))?.status()).toBe(200)
    const isWhole = async (banner: string, needs: string) => {
      await page.getByRole('banner').getByText('茶馆').waitFor()
      await page.getByRole('contentinfo').getByText(banner).waitFor()
      expect(await page.locator('main noscript p').innerText()).toBe(needs)
      expect(await page.locator('html > body > :not(#root, script)').count()).toBe(0)
    }
    await isWhole('服务条款', '浏览不需要 JavaScript，登录和发布需要。')
    await page.getByRole('button', { name: 'EN: switch to English' }).click()
    await page.waitForURL(`**${path}`)
    await isWhole('Terms of service', 'Signing in and posting require JavaScript. Reading doesn’t.')
    await context.close()
  },
)

test('without JavaScript the language of a topic is switched in place, and stays for the next pages', async () => {
  const { page, context } = await site.visit({ javaScript: false })
  await page.goto(`${thread}&page=1`)
  await page.getByRole('button', { name: 'EN: switch to English' }).click()
  await page.waitForURL(`**${thread}&page=1`)
  await page.getByRole('link', { name: 'Terms of service' }).waitFor()
  await page.goto('/index')
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await page.getByRole('button', { name: '切换到中文' }).click()
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
  await context.close()
})

test.each(['/register', '/login', '/index', '/search?keyword=tea'])(
  'a first page at %s makes no request twice for a visitor',
  async (path) => {
    const { page, context, complaints } = await site.visit()
    const calls = callsOf(page)
    await page.goto(path)
    await settle(page)
    expect(calls).toContain('/api/baseInfo')
    expect(calls).toEqual([...new Set(calls)])
    expect(complaints).toEqual([])
    await context.close()
  },
)

test.each(['/thread?topicId=999999', '/thread', '/index?tagId=999999'])('a missing page at %s makes no further request', async (path) => {
  const { page, context } = await site.visit()
  const calls = callsOf(page)
  expect((await page.goto(path))?.status()).toBe(404)
  await settle(page)
  expect(calls.filter((call) => call !== '/api/statistic/add')).toEqual(['/api/baseInfo'])
  await context.close()
})

test.each(['/user/control/editUser', '/user/control/topicList', '/addTopic'])(
  'a first page at %s makes no request twice for a member',
  async (path) => {
    const { page, context, complaints } = await site.visit({ as: 'azhe' })
    const calls = callsOf(page)
    await page.goto(path)
    await page.getByRole('button', { name: '账号菜单' }).waitFor()
    await settle(page)
    expect(calls).toEqual([...new Set(calls)])
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('without a network a link leaves the page in place, and works on another try', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(listed)
  await settle(page)
  const link = page.getByRole('link', { name: '一条 SQL' }).first()
  await link.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  await context.setOffline(true)
  await link.click()
  await page.getByRole('status').getByText(offline).waitFor()
  const retry = page.getByRole('status').getByRole('button', { name: '重试' })
  await retry.waitFor()
  expect(page.url()).toBe(site.url + listed)
  expect(await link.isVisible()).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(place)

  await retry.click()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  await retry.waitFor()
  await context.setOffline(false)
  await retry.click()
  await page.waitForURL(`**${thread}`)
  await page.getByRole('heading', { level: 1, name: '一条 SQL' }).waitFor()
  await retry.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL(`**${listed}`)
  await page.goForward()
  await page.waitForURL(`**${thread}`)
  expect(complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  await context.close()
})

test('without a network a screen never fetched leaves the page in place, and is whole on another try', async () => {
  const { page, context } = await site.visit({ isNew: true })
  await page.goto('/index')
  await settle(page)
  await context.setOffline(true)
  const retry = page.getByRole('status').getByRole('button', { name: '重试' })
  for (const _ of ['first', 'again']) {
    await page.getByRole('banner').getByRole('link', { name: '注册' }).click()
    await retry.waitFor()
    expect(page.url()).toBe(`${site.url}/index`)
  }
  await context.setOffline(false)
  await retry.click()
  await page.waitForURL('**/register?**')
  await page.locator('.captcha button:enabled').first().waitFor()
  expect(await page.evaluate('getComputedStyle(document.querySelector("main form label")).display')).not.toBe('inline')
  await context.close()
})

test('without a network the way back says that the site cannot be reached, and tries again', async () => {
  const { page, context } = await site.visit()
  await page.goto(listed)
  await settle(page)
  await page.getByRole('link', { name: '一条 SQL' }).first().click()
  await page.waitForURL(`**${thread}`)
  await context.setOffline(true)
  await page.goBack()
  await page.getByRole('heading', { name: '无法连接网站' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('main').getByRole('link', { name: '重试' }).click()
  await page.getByRole('link', { name: '一条 SQL' }).first().waitFor()
  await context.close()
})

test('the tags beside the list can be scrolled to the last, by wheel and by keyboard, in a low window', async () => {
  const { page, context } = await site.visit()
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.goto('/index')
  await settle(page)
  const tags = page.getByRole('navigation', { name: '全部话题' }).getByRole('link')
  await tags.first().hover()
  await page.mouse.wheel(0, 3000)
  await expect.poll(() => isUncovered(tags.last())).toBe(true)
  await tags.first().focus()
  expect(await isUncovered(tags.first())).toBe(true)
  await tags.last().focus()
  expect(await isUncovered(tags.last())).toBe(true)
  await context.close()
})

test.each(['phone', 'desktop'] as const)('the focused element is covered neither by the header nor by the bar, on a %s', async (width) => {
  const { page, context } = await site.visit({ width })
  await page.goto('/index')
  await settle(page)
  const titles = page.locator('article h2 a')
  for (const place of [8, 20, 14, 3, 31, 0]) {
    await titles.nth(place).focus()
    await expect.poll(() => isUncovered(titles.nth(place)), { message: `title ${place}` }).toBe(true)
  }
  await context.close()
})

test('a topic without access for a visitor is one page that says so, without further requests', async () => {
  await site.write(async (tx) => {
    await tx
      .updateTable('tag')
      .set({ is_restricted: true })
      .where('id', '=', (topic) => topic.selectFrom('topic').select('tag_id').where('id', '=', topicId))
      .execute()
    invalidate(tx, 'tags', 'role')
  })
  const { page, context } = await site.visit()
  const calls = callsOf(page)
  expect((await page.goto(thread))?.status()).toBe(403)
  await settle(page)
  expect(calls.filter((call) => call !== '/api/statistic/add')).toEqual(['/api/baseInfo'])
  await context.close()
})

/** Whether the link is fully visible with nothing above it. */
function isUncovered(link: Locator): Promise<boolean> {
  return link.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect()
    const shows = (y: number) => element.contains(document.elementFromPoint(left + 4, y))
    return shows(top + 2) && shows(bottom - 2)
  })
}

function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

/** Waits for the first call of a page, and until it needs no further one. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/baseInfo')))
  await untilIdle(page)
}

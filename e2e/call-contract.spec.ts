import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addMember } from '#account/server/add-member.ts'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const { database } = site
const wen = await transact(database, (tx) => addMember(tx, 'wen_reads'))
const log = '/user/control/userLoginLogList'

test('an expired token is renewed once for all calls that met it, without a trace on the page', async () => {
  const { page, context } = await site.visit({ as: wen.account })
  const renewals = renewalsIn(page)
  await arrive(page, '/index')
  await letTokensRunOut()
  // Five concurrent calls.
  await choose(page, '设置')
  await page.getByRole('main').getByRole('link', { name: '账号安全' }).click()
  await page.getByRole('link', { name: '查看：设备与登录记录' }).click()
  await page.getByRole('heading', { level: 1, name: '设备与登录记录' }).waitFor()
  expect(await page.getByRole('cell', { name: '续期' }).count()).toBe(1)
  expect(renewals).toHaveLength(1)
  expect(await page.getByRole('status').textContent()).toBe('')
  await context.close()
})

test('two tabs with an expired token renew it once between them', async () => {
  const { page, context } = await site.visit({ as: wen.account })
  const other = await context.newPage()
  const renewals = [renewalsIn(page), renewalsIn(other)]
  await arrive(page, '/index')
  await arrive(other, '/index')
  await letTokensRunOut()
  await Promise.all([choose(page, '钱包'), choose(other, '草稿箱')])
  await page.getByRole('heading', { level: 1, name: '积分' }).waitFor()
  await other.getByRole('heading', { level: 1, name: '草稿箱' }).waitFor()
  expect(renewals.flat()).toHaveLength(1)
  await context.close()
})

test('a session that was ended leads to the login, and from there back', async () => {
  const { page, context } = await site.visit({ as: wen.account })
  await arrive(page, log)
  await database.app.deleteFrom('refresh_token').execute()
  await letTokensRunOut()
  await page.reload()
  await page.waitForURL(/\/login(\?|$)/)
  await page.getByRole('status').filter({ hasText: '登录已过期，请重新登录' }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('bbsToken'))).toBe(null)
  await logIn(page)
  await page.waitForURL(`**${log}`)
  await page.getByRole('heading', { level: 1, name: '设备与登录记录' }).waitFor()
  await context.close()
})

test.each([log, '/user/control/home', '/user/control/editUser', '/user/control/topicList?page=2'])(
  '%s asks a visitor to log in, and is shown then',
  async (path) => {
    const { page, context } = await site.visit()
    await page.goto(path)
    await page.waitForURL(`**/login?jumpUrl=${encodeReturnPath(path)}`)
    await logIn(page)
    await page.waitForURL(`**${path}`)
    await page.getByRole('button', { name: '账号菜单' }).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.close()
  },
)

test.each(['https://elsewhere.example/', '//elsewhere.example', '/login', 'javascript:alert(1)'])(
  'a login never leads to %s',
  async (path) => {
    const { page, context } = await site.visit()
    await page.goto(`/login?jumpUrl=${Buffer.from(path).toString('base64url')}`)
    await logIn(page)
    await page.waitForURL(`${site.url}/index`)
    await context.close()
  },
)

test('logging in and out in one tab is seen in the other', async () => {
  const { page, context } = await site.visit()
  const other = await context.newPage()
  await page.goto('/login')
  await other.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  await other.locator('[data-composer]').getByRole('link', { name: '写评论…' }).waitFor()
  await logIn(page)
  await other.getByRole('button', { name: '账号菜单' }).waitFor()
  await other.getByRole('button', { name: '回复', exact: true }).first().waitFor()
  await choose(page, '退出登录')
  await other.getByRole('link', { name: '登录' }).first().waitFor()
  await other.getByRole('button', { name: '回复', exact: true }).first().waitFor({ state: 'detached' })
  await context.close()
})

test('every visited page is reported, with the page before it', async () => {
  const { page, context } = await site.visit()
  const pageViews: URLSearchParams[] = []
  page.on('request', (request) => request.url().includes('/api/statistic/add') && pageViews.push(new URL(request.url()).searchParams))
  await page.goto('/index')
  await page.getByRole('link', { name: '热门', exact: true }).click()
  await expect.poll(() => pageViews.length).toBe(2)
  expect(pageViews.map((one) => [one.get('url'), one.get('referrer')])).toEqual([
    ['/index', ''],
    ['/index?sort=hot', `${site.url}/index`],
  ])
  await context.close()
})

test.each([
  ['with scripts', true],
  ['without', false],
])('a site for phones shows desktops that it is closed, until they go on as a phone, %s', async (_, javaScript) => {
  await site.change('supportAccessDevice', 3)
  const { page, context, complaints } = await site.visit({ javaScript })
  const response = await page.goto('/index')
  expect(await response?.text()).not.toContain('欢迎来到茶馆')
  await page.getByRole('heading', { name: '电脑端访问已关闭' }).waitFor()
  await page.getByRole('button', { name: '以手机版继续访问' }).click()
  await page.getByRole('link', { name: '欢迎来到茶馆' }).waitFor()
  expect(page.url()).toBe(`${site.url}/index`)
  expect((await context.cookies()).find(({ name }) => name === 'accessModule')?.value).toBe('mobile')
  if (javaScript) await isAsOnPhone(page)
  expect(complaints).toEqual([])
  await context.close()

  const phone = await site.visit({ width: 'phone' })
  await phone.page.goto('/index')
  await phone.page.getByRole('link', { name: '欢迎来到茶馆' }).waitFor()
  await phone.context.close()
})

test('a site for desktops shows phones its wide layout', async () => {
  await site.change('supportAccessDevice', 2)
  const { page, context } = await site.visit({ width: 'phone' })
  await page.goto('/index')
  await page.getByRole('navigation', { name: '全部话题' }).getByRole('link', { name: /^徒步/ }).waitFor()
  expect(await page.evaluate(() => innerWidth)).toBeGreaterThan(1023)
  await context.close()
  await site.change('supportAccessDevice', 1)
})

test('a new title is on the very next page', async () => {
  const { page, context } = await site.visit()
  await page.goto('/index')
  await site.change('title', '月下茶馆')
  await page.reload()
  expect(await page.title()).toBe('月下茶馆')
  await page.getByRole('banner').getByRole('link', { name: '月下茶馆' }).waitFor()
  await context.close()
})

function renewalsIn(page: Page): string[] {
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/api/refreshToken') && renewals.push(request.url()))
  return renewals
}

async function isAsOnPhone(page: Page): Promise<void> {
  expect(await page.evaluate(() => innerWidth)).toBe(1280)
  for (const [bar, way] of [
    [page.locator('nav', { has: page.getByRole('link', { name: '首页', exact: true }) }).last(), '欢迎来到茶馆'],
    // A thread has its own action bar.
    [page.getByRole('navigation', { name: '页面操作' }), '茶馆 Teahouse'],
  ] as const) {
    await bar.waitFor({ state: 'visible' })
    expect(await page.getByRole('banner').getByRole('searchbox').isVisible()).toBe(false)
    expect(await page.locator('main').evaluate((main) => main.clientWidth)).toBeLessThanOrEqual(480)
    await page.getByRole('link', { name: way }).first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
}

async function arrive(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: '账号菜单' }).waitFor()
  await page.locator('div[role=progressbar]').waitFor({ state: 'detached' })
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '账号菜单' }).click()
  await page.locator('#account-menu').getByText(name).click()
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('账号').fill(wen.account)
  await page.getByLabel('密码').fill(wen.password)
  await page.locator('main').getByRole('button', { name: '登录' }).click()
}

async function letTokensRunOut(): Promise<void> {
  await site.write(async (tx) => {
    await tx
      .updateTable('access_token')
      .set({ expires_at: new Date(0) })
      .execute()
    invalidate(tx, 'everything')
  })
}

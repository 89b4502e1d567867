import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addMember } from '#account/server/add-member.ts'
import { transact } from '#base/server/database/database.ts'
import { untilIdle } from './idle.ts'
import { builtForum } from './site.ts'

const site = await builtForum({ isQuiet: true })
const { app } = site.database

const isForgotten = (page: Page) => page.evaluate(() => !/[\w-]{43},|accessToken|refreshToken/.test(JSON.stringify(localStorage)))
const isVisitors = (page: Page) => page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor()

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: '账号菜单' }).click()
  await page.locator('#account-menu').getByText('退出登录').click()
}

async function livingSessions(memberId: string): Promise<number> {
  const rows = await app.selectFrom('session').select('id').where('member_id', '=', memberId).where('ended_at', 'is', null).execute()
  return rows.length
}

let memberCount = 0

async function twoTabs() {
  const member = await transact(site.database, (tx) => addMember(tx, `leaves_${++memberCount}`))
  const { page, context } = await site.visit({ as: member.account })
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/user/control/userLoginLogList')
    await tab.getByRole('heading', { level: 1, name: '设备与登录记录' }).waitFor()
  }
  return { member, page, other, context }
}

const answers = (status: number) => (context: BrowserContext) =>
  context.route('**/api/**', (route) => route.fulfill({ status, contentType: 'application/json', body: '{}' }))

test.each([
  ['is not there', (context: BrowserContext) => context.setOffline(true)],
  ['fails', answers(500)],
  ['is away', answers(503)],
  ['has too much to do', answers(429)],
  ['never answers', (context: BrowserContext) => context.route('**/api/**', () => undefined)],
])('a logout while the site %s works in every tab at once, and reaches the site later', async (_, breaks) => {
  const { member, page, other, context } = await twoTabs()
  await breaks(context)
  await logOut(page)
  for (const tab of [page, other]) {
    await isVisitors(tab)
    expect(await isForgotten(tab)).toBe(true)
  }
  expect(await livingSessions(member.id)).toBe(1)
  await context.setOffline(false)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  // Another page of this browser, later.
  await page.goto('/index')
  await isVisitors(page)
  await expect.poll(() => livingSessions(member.id)).toBe(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('bbsRevoke'))).toBe(null)
  await context.close()
})

test.each([
  ['is not there', (context: BrowserContext) => context.setOffline(true)],
  ['fails', answers(500)],
])('members’ data goes from the page while the site %s', async (_, breaks) => {
  const { page, other, context } = await twoTabs()
  await breaks(context)
  await logOut(page)
  for (const tab of [page, other]) await tab.getByRole('heading', { level: 1, name: '设备与登录记录' }).waitFor({ state: 'detached' })
  await context.close()
})

test('a logout with an expired token makes no refresh, and ends the session', async () => {
  const { member, page, other, context } = await twoTabs()
  // Background requests of the tabs would renew the token.
  for (const tab of [page, other]) await untilIdle(tab)
  await context.route(/\/api\/(?!account\/logout)/, () => undefined)
  await app
    .updateTable('access_token')
    .set({ expires_at: new Date(0) })
    .execute()
  const urls: string[] = []
  context.on('request', (request) => urls.push(request.url()))
  await logOut(page)
  await isVisitors(page)
  await expect.poll(() => livingSessions(member.id)).toBe(0)
  expect(urls.filter((url) => url.includes('/api/refreshToken'))).toEqual([])
  await context.close()
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const words = wordsIn('zh')

test('a chosen language applies on arrival, even without the server’s knowledge', async () => {
  const { page, context, complaints } = await site.visit()
  await context.clearCookies()
  await page.goto('/index')
  await page.getByRole('link', { name: '注册' }).first().waitFor()
  await page.evaluate(() => localStorage.setItem('language', 'en_US'))
  await page.goto('/help')
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^Help - /)
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  // The choice is stored on the server.
  expect(await (await page.request.get('/help')).text()).toContain('<html lang="en">')
  expect(complaints).toEqual([])
  await context.close()
})

test('a visit in the other language has all its texts, though the rest of the first language was on its way already', async () => {
  const { page, context, complaints } = await site.visit({ storage: { language: 'en_US' }, isNew: true })
  await context.clearCookies()
  const [rest, all] = ['zh/more', 'en/more'].map((name) => page.waitForResponse(`**/${fileOf(name)}`))
  await page.route(`**/${fileOf('en')}`, async (route) => {
    await rest
    await route.continue()
  })
  await page.goto('/about')
  await all
  await page.getByRole('heading', { level: 1, name: wordsIn('en')('about.title') }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

function fileOf(name: string): string {
  const manifest: Record<string, { file: string }> = JSON.parse(readFileSync('dist/web/.vite/manifest.json', 'utf8'))
  return manifest[`virtual:words/${name}`]?.file ?? name
}

test('the site’s keywords are on its pages', async () => {
  await site.change('keywords', '茶, "乌龙" & 普洱')
  const { page, context } = await site.visit({ javaScript: false })
  for (const path of ['/index', `/thread?topicId=${await site.topic('欢迎')}`]) {
    await page.goto(path)
    expect(await page.locator('meta[name=keywords]').getAttribute('content'), path).toBe('茶, "乌龙" & 普洱')
  }
  await site.change('keywords', '')
  await page.goto('/index')
  expect(await page.locator('meta[name=keywords]').count()).toBe(0)
  await context.close()
})

test('a refused topic is named as a topic, and a refused page as a page', async () => {
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
  await site.write(async (tx) => {
    await tx.updateTable('member').set({ shows_activity: false }).where('id', '=', id).execute()
  })
  const { page, context } = await site.visit()
  for (const [path, message] of [
    [`/user/control/topicList?userId=${id}`, '你没有查看这个页面的权限。'],
    [`/thread?topicId=${await site.topic('Storing sheng')}`, '这个话题只对特定角色的成员开放。'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('alert').getByText(message, { exact: true }).waitFor()
  }
  await context.close()
})

test('the message about an unknown address goes with the next page, and is not shown on a known one', async () => {
  const { page, context } = await site.visit()
  const message = page.getByText(words('site.elsewhere'))
  await page.goto('/no/such/page')
  await message.waitFor()
  await page.getByRole('link', { name: words('topic.byTime') }).click()
  await page.waitForURL('**/index?sort=new')
  await expect.poll(() => message.isVisible()).toBe(false)
  await page.goto('/index')
  expect(await message.isVisible()).toBe(false)
  await context.close()
})

test('a logged-in member at the login is led on to their target, or told so', async () => {
  const { page, context, complaints } = await site.visit({ as: 'linxi_dev' })
  await page.goto(`/login?jumpUrl=${encodeReturnPath('/addTopic')}`)
  await page.waitForURL('**/addTopic')
  await page.goto('/login')
  await page.getByRole('link', { name: words('account.goOn') }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

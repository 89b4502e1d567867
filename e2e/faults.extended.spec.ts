import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { builtForum } from './site.ts'

const site = await builtForum({ isQuiet: true })
const topicId = await site.topic('一条 SQL')
const otherTopic = await site.topic('番茄炒蛋')
const thread = `/thread?topicId=${topicId}`
const remark = '水凉了再续一壶，慢慢说。'

test('while the database is away, pages kept before are served, and others say that it will be back', async () => {
  const { page, context } = await site.visit()
  await page.goto('/index')
  await page.goto(thread)
  await site.line.cut()
  expect((await page.goto('/index'))?.status()).toBe(200)
  expect((await page.goto(thread))?.status()).toBe(200)
  expect((await page.request.get('/health')).status()).toBe(503)
  const unknown = await page.request.get(`/thread?topicId=${otherTopic}`)
  expect(unknown.status()).toBe(503)
  expect(unknown.headers()).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5', 'content-type': 'text/html; charset=utf-8' })
  await page.goto(`/thread?topicId=${otherTopic}`)
  await page.getByRole('heading', { name: '网站暂时无法访问' }).waitFor()
  await site.line.restore()
  await expect.poll(async () => (await page.request.get('/health')).status()).toBe(200)
  await page.getByRole('link', { name: '重试' }).click()
  await page.getByRole('heading', { level: 1, name: '番茄炒蛋' }).waitFor()
  expect((await page.request.get(`/thread?topicId=${otherTopic}`)).status()).toBe(200)
  await context.close()
})

test.each([
  ['zh', '网站暂时无法访问', '重试'],
  ['en', 'The forum is temporarily unavailable', 'Try again'],
] as const)(
  'without the site’s own data a page says so in %s, needs no script, and leads to the target page',
  async (language, title, retry) => {
    const path = `/user/control/home?userId=${language === 'zh' ? 2 : 3}`
    const { page, context, complaints } = await site.visit({ language, javaScript: false })
    await site.change('description', `Said in ${language}`)
    await site.line.cut()
    const answer = await page.goto(path)
    expect(answer?.status()).toBe(503)
    expect(await answer?.allHeaders()).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5' })
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('contentinfo').waitFor()
    expect(complaints.filter((complaint) => !complaint.includes('503'))).toEqual([])
    await site.line.restore()
    await expect.poll(async () => (await page.request.get('/health')).status()).toBe(200)
    await page.getByRole('link', { name: retry }).click()
    await page.waitForURL(`**${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'detached' })
    expect((await page.request.get(path)).status()).toBe(200)
    await context.close()
  },
)

test('a page that breaks on the server says so, and is whole once it is repaired', async () => {
  const id = await site.topic('连接池')
  const path = `/thread?topicId=${id}`
  const { segments } = await site.database.app.selectFrom('topic').select('segments').where('id', '=', id).executeTakeFirstOrThrow()
  const write = (its: unknown) =>
    site.database.app
      .updateTable('topic')
      .set({ segments: JSON.stringify(its) })
      .where('id', '=', id)
      .execute()
  const { page, context } = await site.visit({ javaScript: false })
  await write({ no: 'segments' })
  const answer = await page.goto(path)
  expect(answer?.status()).toBe(500)
  expect(await answer?.allHeaders()).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
  await page.getByRole('heading', { level: 1, name: '出错了' }).waitFor()
  await write(segments)
  await page.getByRole('main').getByRole('link', { name: '重试' }).click()
  await page.getByRole('heading', { level: 1, name: '连接池' }).waitFor()
  await context.close()
})

test('a comment that meets a database which is away is refused clearly, kept, and posted once when it is back', async () => {
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(thread)
  await write(page, remark)
  await site.line.cut()
  await post(page)
  await page.getByRole('dialog').getByText('网站暂时无法响应，内容没有丢失，请稍后再试。').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('textbox', { name: '你的评论' }).textContent()).toBe(remark)
  expect(await times(remark)).toBe(0)

  await site.line.restore()
  await post(page)
  await page.locator('li[id^="comment-"]').getByText(remark).waitFor()
  expect(await times(remark)).toBe(1)
  await context.close()
})

test('a comment sent without a network is kept, and posted once when there is one', async () => {
  const words = '断网的时候写的。'
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(thread)
  await write(page, words)
  await context.setOffline(true)
  await post(page)
  await page.getByText('网络连接失败，请检查网络后再试。你写的内容没有丢失。').waitFor()
  expect(await page.getByRole('textbox', { name: '你的评论' }).textContent()).toBe(words)
  await context.setOffline(false)
  await post(page)
  await page.locator('li[id^="comment-"]').getByText(words).waitFor()
  expect(await times(words)).toBe(1)
  await context.close()
})

test('a comment with a lost answer is not posted twice', async () => {
  const words = '这一句只说一遍。'
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(thread)
  await write(page, words)
  let isLost = false
  await page.route('**/api/comment/add', async (route) => {
    if (isLost) return route.continue()
    isLost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  await post(page)
  await page.getByText('网络连接失败').waitFor()
  expect(await times(words)).toBe(1)
  await post(page)
  await page.locator('li[id^="comment-"]').getByText(words).waitFor()
  expect(await times(words)).toBe(1)
  await context.close()
})

test('two quick clicks post one comment', async () => {
  const words = '手快了一点。'
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(thread)
  await write(page, words)
  await page.getByRole('button', { name: '发表评论' }).dblclick()
  await page.locator('li[id^="comment-"]').getByText(words).waitFor()
  expect(await times(words)).toBe(1)
  await context.close()
})

test('typed text is there again after the tab was closed while typing', async () => {
  const words = '写到一半，浏览器没了。'
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(thread)
  await write(page, words)
  const again = await context.newPage()
  await page.close()
  await again.goto(thread)
  await expect.poll(() => again.getByRole('textbox', { name: '你的评论' }).textContent()).toBe(words)
  await context.close()
})

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: '你的评论' }).click()
  await page.keyboard.type(text)
}

async function post(page: Page): Promise<void> {
  await page.getByRole('button', { name: '发表评论' }).click()
}

async function times(text: string): Promise<number> {
  const rows = await site.database.app.selectFrom('comment').select('body').where('topic_id', '=', topicId).execute()
  return rows.filter(({ body }) => JSON.stringify(body).includes(text)).length
}

import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { builtForum } from './site.ts'

const site = await builtForum()
const topicId = await site.topic('一条 SQL')
const thread = `/thread?topicId=${topicId}`
const onSite = '草稿已保存。'
const otherTab = '另一个标签页里有不同的草稿。'

let context: BrowserContext
let first: Page
let second: Page

beforeEach(async () => {
  await site.write((tx) =>
    tx
      .deleteFrom('draft')
      .execute()
      .then(() => undefined),
  )
  ;({ context, page: first } = await site.visit({ as: 'azhe' }))
  second = await context.newPage()
  await opened(first)
  await opened(second)
  return () => context.close()
})

test('texts of two tabs in one place are shown as two versions, and are there after both were killed', async () => {
  await write(first, '第一页写的很长一段。')
  await first.getByText(onSite).waitFor()
  await write(second, '第二页写的。')
  await other(second).waitFor()
  expect(await textOf(second)).toBe('第二页写的。')
  expect(await other(second).getByRole('textbox').inputValue()).toBe('第一页写的很长一段。')
  expect(await drafts()).toEqual(['第一页写的很长一段。'])

  await first.close()
  await second.close()
  const third = await context.newPage()
  await opened(third)
  await other(third).waitFor()
  expect(await textOf(third)).toBe('第二页写的。')
  expect(await other(third).getByRole('textbox').inputValue()).toBe('第一页写的很长一段。')
  await third.getByRole('button', { name: '改用那一份' }).click()
  expect(await textOf(third)).toBe('第一页写的很长一段。')
  expect(await other(third).count()).toBe(0)
})

test('a post from one tab takes nothing of the text in another', async () => {
  await write(second, '还在写的一段。')
  await second.getByText(onSite).waitFor()
  await write(first, '先发表的一段。')
  await other(first).waitFor()
  await first.getByRole('button', { name: '发表评论' }).click()
  await first.locator('li[id^="comment-"]').getByText('先发表的一段。').waitFor()
  expect(await textOf(second)).toBe('还在写的一段。')

  await second.close()
  await first.close()
  const third = await context.newPage()
  await opened(third)
  await expect.poll(() => textOf(third)).toBe('还在写的一段。')
  expect(await drafts()).toEqual(['还在写的一段。'])
})

test('a version chosen over that of another tab leaves that tab its text, with a message', async () => {
  await write(first, '第一页的。')
  await first.getByText(onSite).waitFor()
  await write(second, '第二页的。')
  await second.getByRole('button', { name: '保留这里写的' }).click()
  await second.getByText(onSite).waitFor()
  await other(first).waitFor()
  expect(await textOf(first)).toBe('第一页的。')
  expect(await first.getByText(onSite).count()).toBe(0)

  await second.getByRole('button', { name: '发表评论' }).click()
  await second.locator('li[id^="comment-"]').getByText('第二页的。').waitFor()
  await expect.poll(drafts).toEqual(['第一页的。'])
  await expect.poll(() => other(first).count()).toBe(0)
  await first.close()
  await opened(second)
  await expect.poll(() => textOf(second)).toBe('第一页的。')
})

test('without a network each tab keeps its own through a reload, and both come to light', async () => {
  await context.route('**/api/user/control/draft**', (route) => route.abort())
  await write(first, '一。')
  await write(second, '二。')
  for (const tab of [first, second]) await tab.getByText('网络已断开，草稿只保存在本机。').waitFor()
  for (const [tab, text] of [
    [first, '一。'],
    [second, '二。'],
  ] as const) {
    await opened(tab)
    expect(await textOf(tab)).toBe(text)
  }
  await first.close()
  await second.close()
  await context.unroute('**/api/user/control/draft**')
  const third = await context.newPage()
  await opened(third)
  await other(third).waitFor()
  const both = [await textOf(third), await other(third).getByRole('textbox').inputValue()]
  expect(both.sort()).toEqual(['一。', '二。'])
})

test('a tab that loads the draft late takes nothing from the tab in use', async () => {
  const answer = Promise.withResolvers<void>()
  await second.route('**/api/user/control/draft?**', async (route) => {
    await answer.promise
    await route.continue()
  })
  const request = second.waitForRequest('**/api/user/control/draft?**')
  await opened(second)
  await request
  await write(first, '甲')
  const answered = second.waitForResponse('**/api/user/control/draft?**')
  answer.resolve()
  await answered
  await write(first, '乙')
  await first.getByText(onSite).waitFor()
  expect(await drafts()).toEqual(['甲乙'])
  expect(await textOf(second)).toBe('')
  expect((await other(first).count()) + (await other(second).count())).toBe(0)
})

test('a duplicated tab is a tab of its own, which continues with its own text', async () => {
  await write(first, '原来的。')
  await first.getByText(onSite).waitFor()
  const copied = context.waitForEvent('page')
  await first.evaluate((to) => void open(to), thread)
  const copy = await copied
  await copy.getByText('已恢复你的草稿。').waitFor()
  await write(copy, '副本添的。')
  await expect.poll(drafts).toEqual(['原来的。副本添的。'])
  await expect.poll(() => textOf(first)).toBe('原来的。副本添的。')

  await write(first, '甲')
  await expect.poll(drafts).toEqual(['原来的。副本添的。甲'])
  await expect.poll(() => textOf(copy)).toBe('原来的。副本添的。甲')
  expect((await other(first).count()) + (await other(copy).count())).toBe(0)

  await copy.getByRole('button', { name: '发表评论' }).click()
  await copy.locator('li[id^="comment-"]').getByText('原来的。副本添的。甲').waitFor()
  await expect.poll(() => textOf(first)).toBe('')
  await expect.poll(drafts).toEqual([])
})

function other(page: Page) {
  return page.getByRole('region', { name: otherTab })
}

async function opened(page: Page): Promise<void> {
  await page.goto(thread)
  await page.getByRole('textbox', { name: '你的评论' }).waitFor()
}

function textOf(page: Page): Promise<string | null> {
  return page.getByRole('textbox', { name: '你的评论' }).textContent()
}

async function write(page: Page, text: string): Promise<void> {
  await page.bringToFront()
  await page.getByRole('textbox', { name: '你的评论' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

async function drafts(): Promise<string[]> {
  const rows = await site.database.app.selectFrom('draft').select('content').execute()
  return rows.flatMap(({ content }) => JSON.stringify(content).match(/(?<="text": ?")[^"{]+/g) ?? '')
}

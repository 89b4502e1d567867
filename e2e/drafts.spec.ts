import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { builtForum } from './site.ts'
import { chooseTag } from './choose-tag.ts'

const site = await builtForum()
const topicId = await site.topic('一条 SQL')
const thread = `/thread?topicId=${topicId}`
const onSite = '草稿已保存。'

test('a topic begun on one device continues on another, with title and tag', async () => {
  const desk = await site.visit({ as: 'azhe' })
  await desk.page.goto('/addTopic')
  await chooseTag(desk.page, '标签', '泡茶')
  await desk.page.getByRole('textbox', { name: '标题' }).fill('雨天的白茶')
  await write(desk.page, '正文', '写到一半。')
  await desk.page.getByText(onSite).waitFor()

  const phone = await site.visit({ as: 'azhe', width: 'phone' })
  await phone.page.goto('/addTopic')
  await phone.page.getByText('写到一半。').waitFor()
  expect(await phone.page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('雨天的白茶')
  expect(await phone.page.getByRole('list', { name: '已选标签' }).innerText()).toContain('泡茶')

  await phone.page.getByRole('button', { name: '丢弃草稿' }).click()
  // The form is on a sheet with a button of the same name.
  await phone.page.locator('dialog button.danger', { hasText: '丢弃草稿' }).click()
  await expect.poll(() => phone.page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('')
  await expect.poll(drafts).toEqual([])
  await desk.page.reload()
  await expect.poll(() => desk.page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('')
  expect(desk.complaints).toEqual([])
  await phone.context.close()
  await desk.context.close()
})

test('different drafts of two devices are both shown, and the chosen one stays', async () => {
  const [desk, phone] = [await site.visit({ as: 'azhe' }), await site.visit({ as: 'azhe', width: 'phone' })]
  await desk.page.goto(thread)
  await phone.page.goto(thread)
  await phone.page.locator('#thread-bar button').first().click()
  await write(phone.page, '你的评论', '手机上写的。')
  await phone.page.getByText(onSite).waitFor()
  await write(desk.page, '你的评论', '电脑上写的。')
  await desk.page.getByText('另一台设备上有不同的草稿。').first().waitFor()
  expect(await desk.page.getByRole('region', { name: '另一台设备上有不同的草稿。' }).getByRole('textbox').inputValue()).toBe('手机上写的。')
  expect(await drafts()).toEqual(['手机上写的。'])

  await desk.page.getByRole('button', { name: '保留这里写的' }).click()
  await expect.poll(drafts).toEqual(['电脑上写的。'])

  await write(phone.page, '你的评论', '又添了一句。')
  await phone.page.getByRole('button', { name: '改用那一份' }).click()
  expect(await phone.page.getByRole('textbox', { name: '你的评论' }).textContent()).toBe('电脑上写的。')
  expect(await drafts()).toEqual(['电脑上写的。'])
  await desk.context.close()
  await phone.context.close()
})

test('the list of drafts leads back to each, and a posted one is gone from it', async () => {
  const { page, context, complaints } = await site.visit({ as: 'azhe', language: 'en', width: 'phone' })
  await page.goto('/index')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('link', { name: 'Drafts' }).click()
  await page.getByText('电脑上写的。').waitFor()
  await page.getByRole('link', { name: 'Continue writing' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Your comment' }).textContent()).toBe('电脑上写的。')
  await page.getByRole('button', { name: 'Post comment' }).click()
  await page.locator('li[id^="comment-"]').getByText('电脑上写的。').waitFor()
  await expect.poll(drafts).toEqual([])
  await page.goto('/user/control/draftList')
  await page.getByText('No drafts.').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('a posted draft is gone, even if its tab is closed at once', async () => {
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(thread)
  await write(page, '你的评论', '发完就走。')
  await page.getByText(onSite).waitFor()
  await page.getByRole('button', { name: '发表评论' }).click()
  await page.locator('li[id^="comment-"]').getByText('发完就走。').waitFor()
  await page.close()
  await expect.poll(drafts).toEqual([])
  await context.close()
})

test('text written offline is saved on the site once it is online', async () => {
  const { page, context } = await site.visit({ as: 'laochen' })
  await page.goto(thread)
  await page.getByRole('textbox', { name: '你的评论' }).waitFor()
  await context.setOffline(true)
  await write(page, '你的评论', '地铁里写的。')
  await page.getByText('草稿已保存在本机。').waitFor()
  expect(await drafts()).toEqual([])
  await context.setOffline(false)
  await expect.poll(drafts).toEqual(['地铁里写的。'])
  await context.close()
})

async function write(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: field }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

async function drafts(): Promise<string[]> {
  const rows = await site.database.app.selectFrom('draft').select('content').execute()
  return rows.flatMap(({ content }) => JSON.stringify(content).match(/(?<="text": ?")[^"{]+/g) ?? '')
}

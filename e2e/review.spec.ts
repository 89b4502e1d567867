import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { atTheDesk } from './at-the-desk.ts'
import { shot } from './shot.ts'
import { aSite } from './site.ts'

const site = await aSite()
const topicId = await site.topic('一条 SQL')

// What is found wrong for those who do not see or cannot use a mouse.
async function wrongs(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

async function comments(page: Page, text: string): Promise<void> {
  await page.goto(`/thread?topicId=${topicId}`)
  await page.getByRole('textbox', { name: '你的评论' }).click()
  await page.keyboard.type(text)
  await page.getByRole('button', { name: '发表评论' }).click()
  await page.getByText('已提交，审核通过后大家就能看到。').waitFor()
}

async function sees(text: string): Promise<boolean> {
  const { page, context } = await site.visit()
  await page.goto(`/thread?topicId=${topicId}`)
  const isThere = await page.getByText(text).isVisible()
  await context.close()
  return isThere
}

test('staff list words that ask for a look, and try a text on them', async () => {
  const { page, context, complaints } = await atTheDesk(site)
  await page.goto('/admin/sensitiveList')
  await page.getByRole('button', { name: '新建词表' }).click()
  await page.getByRole('textbox', { name: '名称' }).fill('招揽')
  await page.getByRole('combobox', { name: '处理方式' }).selectOption({ label: '转入审核' })
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '对「招揽」的操作' }).click()
  await page.getByRole('menuitem', { name: '添加词' }).click()
  await page.getByRole('textbox', { name: '词', exact: true }).fill('加微信\n代开发票')
  await page.getByRole('button', { name: '添加词' }).click()
  await page.getByText('添加了 2 个词').waitFor()
  await page.getByRole('textbox', { name: '正文' }).fill('有意的＋加 薇信，不，加*微*信')
  await page.getByRole('button', { name: '试一下' }).click()
  await page.getByText('转入审核。').waitFor()
  await page.getByRole('cell', { name: '加*微*信' }).waitFor()
  await shot(page, 'words')
  expect(await wrongs(page)).toEqual([])
  await page.getByRole('link', { name: '招揽' }).click()
  await page.getByRole('cell', { name: '代开发票', exact: true }).waitFor()
  await shot(page, 'words-list')
  expect(complaints).toEqual([])
  await context.close()
})

test('a comment waits, is its author’s alone, is approved by key, and is there for all', async () => {
  const { page, context } = await site.visit({ as: 'azhe' })
  await comments(page, '想要索引的例子可以加微信问我。')
  const mine = page.getByRole('region', { name: '你的待审核内容' })
  await mine.getByText('想要索引的例子').waitFor()
  expect(await sees('想要索引的例子')).toBe(false)
  await shot(page, 'thread-waiting')

  const desk = await atTheDesk(site, { rights: ['content.review'] })
  await desk.page.goto('/admin/review')
  await desk.page.getByRole('article').getByText('想要索引的例子').waitFor()
  expect(await desk.page.locator('mark').allTextContents()).toEqual(['加微信'])
  expect(await desk.page.evaluate(() => CSS.highlights.get('sensitive-words')?.size)).toBe(1)
  await shot(desk.page, 'queue')
  expect(await wrongs(desk.page)).toEqual([])
  await desk.page.keyboard.press('a')
  await desk.page.getByText('没有待审核的内容。').waitFor()
  expect(await sees('想要索引的例子')).toBe(true)
  await page.reload()
  await page.getByText('想要索引的例子').waitFor()
  expect(await mine.count()).toBe(0)
  expect(desk.complaints).toEqual([])
  await desk.context.close()
  await context.close()
})

test('a comment is rejected with a reason, written anew, and sent again', async () => {
  const { page, context } = await site.visit({ as: 'azhe' })
  await comments(page, '顺便说一句，代开发票找我。')
  const desk = await atTheDesk(site)
  await desk.page.goto('/admin/review')
  await desk.page.getByRole('article').getByText('代开发票找我').waitFor()
  await desk.page.keyboard.press('?')
  await desk.page.getByRole('dialog', { name: '快捷键' }).getByText('驳回').waitFor()
  await shot(desk.page, 'queue-keys')
  await desk.page.keyboard.press('Escape')
  await expect.poll(() => desk.page.locator('dialog:modal').count()).toBe(0)
  await desk.page.keyboard.press('r')
  const dialog = desk.page.getByRole('dialog', { name: '驳回' })
  await dialog.getByRole('button', { name: '广告或推广' }).waitFor()
  await shot(desk.page, 'queue-reject')
  await desk.page.keyboard.press('1')
  await desk.page.getByText('没有待审核的内容。').waitFor()

  await page.goto('/user/control/waitingList')
  await page.getByText('未通过审核').waitFor()
  await page.getByText('广告或推广').waitFor()
  await shot(page, 'waiting-list')
  expect(await wrongs(page)).toEqual([])
  await page.getByRole('link', { name: '修改' }).click()
  const mine = page.getByRole('region', { name: '你的待审核内容' })
  await mine.getByRole('button', { name: '修改' }).click()
  await page.getByRole('textbox', { name: '编辑' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('换个说法：先看执行计划。')
  await page.getByRole('button', { name: '保存' }).click()
  await mine.getByText('等待审核').waitFor()

  await desk.page.reload()
  await desk.page.getByRole('article').getByText('先看执行计划').waitFor()
  await desk.page.keyboard.press('e')
  await desk.page.getByRole('textbox', { name: '正文（Markdown）' }).fill('换个说法：**先看**执行计划。')
  await desk.page.getByRole('button', { name: '保存' }).click()
  await desk.page.locator('[data-waiting] strong').waitFor()
  await desk.page.keyboard.press('x')
  await desk.page.getByText('已选 1 条').waitFor()
  await desk.page.keyboard.press('b')
  await desk.page.getByRole('button', { name: '通过 1 条' }).waitFor()
  await shot(desk.page, 'queue-several')
  expect(await wrongs(desk.page)).toEqual([])
  await desk.page.keyboard.press('Enter')
  await desk.page.getByText('没有待审核的内容。').waitFor()
  expect(await sees('执行计划。')).toBe(true)
  await desk.context.close()
  await context.close()
})

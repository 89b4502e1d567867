import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitAsStaff, type StaffVisit } from './staff-visit.ts'
import { nextFrame } from './idle.ts'
import { builtForum } from './site.ts'
import { writeComment } from './write-comment.ts'

const site = await builtForum()
await site.change('reviewComments', 'everybody')

async function opened(page: Page, text: string) {
  await page.goto('/admin/review')
  await page.getByRole('list', { name: '审核' }).getByRole('link').filter({ hasText: text }).click()
  await page.getByRole('article').getByText(text).first().waitFor()
  await page.keyboard.press('e')
  const editor = page.getByRole('dialog', { name: '编辑' }).getByRole('textbox', { name: '正文' })
  await editor.waitFor()
  return editor
}

async function begin({ page }: StaffVisit, post: string, text: string): Promise<void> {
  const editor = await opened(page, post)
  await editor.press('Control+End')
  await page.keyboard.type(text)
  await editor.getByText(text).waitFor()
}

async function leaveIt({ page }: StaffVisit): Promise<void> {
  await page.getByRole('dialog', { name: '编辑' }).getByRole('button', { name: '关闭' }).click()
  await page.getByRole('button', { name: '离开', exact: true }).click()
  await expect.poll(() => page.locator('dialog:modal').count()).toBe(0)
}

const storedText = (page: Page) => page.evaluate(() => Object.entries(localStorage).flat().join('\n'))

/** Another member of staff signs in on the same browser. */
async function comesAfter(context: BrowserContext, next: StaffVisit): Promise<void> {
  await context.addCookies((await next.context.cookies()).filter(({ name }) => name === 'teahouse_staff'))
}

test('a draft is gone for the next member of staff after a sign-out', async () => {
  await writeComment(site, '水要开')
  const [first, next] = [await visitAsStaff(site), await visitAsStaff(site)]
  await begin(first, '水要开', '，茶要新')
  expect(await storedText(first.page)).toContain('茶要新')
  await leaveIt(first)
  await first.page.getByRole('button', { name: `已登录：${first.account}` }).click()
  await first.page.getByRole('menuitem', { name: '退出登录' }).click()
  await first.page.getByRole('textbox', { name: '账号' }).waitFor()
  expect(await storedText(first.page)).not.toContain('茶要新')

  await comesAfter(first.context, next)
  const editor = await opened(first.page, '水要开')
  expect(await editor.innerText()).toBe('水要开')
  expect(await first.page.getByText('已恢复你的草稿。').count()).toBe(0)
  for (const { context } of [first, next]) await context.close()
})

test('a draft of an expired session is hidden from the next member of staff, and its author finds it again', async () => {
  await writeComment(site, '壶要温')
  const [first, next] = [await visitAsStaff(site), await visitAsStaff(site)]
  await begin(first, '壶要温', '，杯要净')
  await leaveIt(first)
  await first.page.reload()
  expect(await (await opened(first.page, '壶要温')).innerText()).toBe('壶要温，杯要净')

  await comesAfter(first.context, next)
  expect(await (await opened(first.page, '壶要温')).innerText()).toBe('壶要温')
  expect(await storedText(first.page)).not.toContain('杯要净')
  for (const { context } of [first, next]) await context.close()
})

test('a draft about a post is dropped once it is decided, by anyone', async () => {
  await writeComment(site, '叶要展')
  await writeComment(site, '汤要清')
  const [first, other] = [await visitAsStaff(site), await visitAsStaff(site)]
  await begin(first, '叶要展', '，色要亮')
  await leaveIt(first)
  await other.page.goto('/admin/review')
  await other.page.getByRole('list', { name: '审核' }).getByRole('link').filter({ hasText: '叶要展' }).click()
  await other.page.getByRole('article').getByText('叶要展').waitFor()
  await first.page.goto('/admin/review')
  await first.page.getByRole('article').waitFor()
  expect(await storedText(first.page)).toContain('色要亮')
  await other.page.keyboard.press('a')
  await other.page.getByRole('list', { name: '审核' }).getByText('叶要展').waitFor({ state: 'detached' })

  // The session is known last.
  await first.page.route('**/api/admin/me?**', async (route) => {
    await first.page.waitForLoadState('load')
    await nextFrame(first.page)
    await route.continue()
  })
  await first.page.goto('/admin/review')
  await first.page.getByRole('article').waitFor()
  await expect.poll(() => storedText(first.page)).not.toContain('色要亮')
  for (const { context } of [first, other]) await context.close()
})

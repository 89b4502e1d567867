import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { choose, menuOf } from './post-menu.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const topicId = await site.topic('一条 SQL')
const aPicture = fileURLToPath(new URL('../docs/pictures/dashboard.png', import.meta.url))

async function strangersComment(account: string) {
  return site.database.app
    .selectFrom('comment')
    .innerJoin('member', 'member.id', 'author_id')
    .select(['comment.id', 'member.account'])
    .where('topic_id', '=', topicId)
    .where('status', '=', 'published')
    .where('account', '<>', account)
    .orderBy('floor')
    .executeTakeFirstOrThrow()
}

test('a member reports a comment with a picture, and finds it on their list', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen' })
  const { id } = await strangersComment('laochen')
  await page.goto(`/thread?topicId=${topicId}`)
  const comment = page.locator(`#comment-${id}`)
  await choose(comment, '举报')
  const dialog = page.getByRole('dialog', { name: '举报评论' })
  await dialog.getByRole('button', { name: '提交举报' }).click()
  await expect.poll(() => dialog.getByRole('alert').first().isVisible()).toBe(true)
  await screenshot(page, 'report-empty')
  await dialog.getByRole('radio', { name: '其他问题' }).check()
  await dialog.getByRole('textbox', { name: '请说明情况' }).fill('和话题无关，而且重复了很多遍。')
  await dialog.locator('input[type=file]').setInputFiles(aPicture)
  await expect.poll(() => dialog.getByRole('progressbar').count()).toBe(0)
  await screenshot(page, 'report-filled')
  await dialog.getByRole('button', { name: '提交举报' }).click()
  await expect.poll(() => page.getByText('谢谢，工作人员会尽快处理').isVisible()).toBe(true)

  await page.goto('/user/control/reportList')
  await expect.poll(() => page.getByText('待处理').isVisible()).toBe(true)
  const picture = page.getByRole('img', { name: '图片 1' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)).toBe(true)
  await screenshot(page, 'report-list')
  // Its address needs a key, which is then requested.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  await context.close()
})

test('the current comment is reported by keyboard; a second report is not offered', async () => {
  const { page, context } = await site.visit({ as: 'maya_r', language: 'en', theme: 'dark' })
  const { id } = await strangersComment('maya_r')
  await page.goto(`/thread?topicId=${topicId}&commentId=${id}`)
  await menuOf(page.locator(`#comment-${id}`)).waitFor()
  await page.locator(`#comment-${id}`).focus()
  const dialog = page.getByRole('dialog', { name: 'Report this comment' })
  // The shortcuts load after the text.
  async function press(): Promise<boolean> {
    if (!(await dialog.isVisible())) await page.keyboard.press('!')
    return dialog.isVisible()
  }
  await expect.poll(press).toBe(true)
  await dialog.getByRole('radio', { name: 'Off topic' }).check()
  await screenshot(page, 'report-by-keys')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect.poll(() => dialog.isVisible()).toBe(false)
  await choose(page.locator(`#comment-${id}`), 'Report')
  await expect.poll(() => dialog.getByRole('link', { name: 'View my reports' }).isVisible()).toBe(true)
  await dialog.getByRole('link', { name: 'View my reports' }).click()
  await expect.poll(() => page.getByText('Waiting', { exact: true }).isVisible()).toBe(true)
  await screenshot(page, 'report-list-dark')
  await context.close()
})

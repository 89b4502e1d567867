import { expect, test } from 'vitest'
import { cheapViolations } from '#base/testing/accessibility-checks.ts'
import { choose } from './post-menu.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'
import { writeComment } from './write-comment.ts'

const site = await builtForum()
const zh = wordsIn('zh')

test('an author who deletes a comment restores it at once, or later from their deleted posts', async () => {
  await writeComment(site, '删错了就麻烦了')
  const { page, context, complaints } = await site.visit({ as: 'azhe', width: 'phone' })
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  const comment = page.locator('li[data-floor]', { hasText: '删错了就麻烦了' })
  async function remove(): Promise<void> {
    await choose(comment, zh('comment.remove'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: zh('comment.remove') })
      .click()
    await comment.waitFor({ state: 'detached' })
  }

  await remove()
  const undo = page.getByRole('status').getByRole('button', { name: zh('post.undo') })
  await undo.waitFor()
  expect(await cheapViolations(page)).toEqual([])
  await screenshot(page, 'undo')
  await undo.click()
  await comment.waitFor()
  await page.locator('li[id^="comment-"]:focus', { hasText: '删错了就麻烦了' }).waitFor()

  await remove()
  await page.goto('/user/control/deletedList')
  const row = page.locator('li', { hasText: '删错了就麻烦了' })
  await screenshot(page, 'deleted-list')
  await row.getByRole('button', { name: zh('post.restore') }).click()
  await page.getByText(zh('post.noneDeleted')).waitFor()
  await page.goBack()
  await comment.waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

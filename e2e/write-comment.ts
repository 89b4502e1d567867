import type { Site } from './site.ts'

/** Writes a comment in the browser that waits for staff, as the site has comments reviewed. */
export async function writeComment(site: Site, text: string): Promise<void> {
  const { page, context } = await site.visit({ as: 'azhe' })
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  await page.getByRole('textbox', { name: '你的评论' }).click()
  await page.keyboard.type(text)
  await page.getByRole('button', { name: '发表评论' }).click()
  await page.getByText('已提交，审核通过后大家就能看到。').waitFor()
  await context.close()
}

import { expect, test } from 'vitest'
import { blemishesInBoth } from './blemishes.ts'
import { atTheDesk } from './at-the-desk.ts'
import { aSite } from './site.ts'

const site = await aSite()

const titleOf = async (topicId: string) =>
  (await site.database.app.selectFrom('topic').select('title').where('id', '=', topicId).executeTakeFirstOrThrow()).title

async function aPublished(): Promise<{ id: string; title: string }> {
  return site.database.app
    .selectFrom('topic')
    .select(['id', 'title'])
    .where('status', '=', 'published')
    .where('pin', '=', 0)
    .where('comment_count', '>', 1)
    .orderBy('id')
    .executeTakeFirstOrThrow()
}

test('staff find a topic, mend its title, pin it, remove it with a reason and put it back', async () => {
  const { id, title } = await aPublished()
  const { page, context, complaints } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/topic')
  await page.getByRole('textbox', { name: 'Words in title or text' }).fill(title)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()

  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Title' }).fill(`${title} (mended)`)
  await page.getByRole('textbox', { name: 'Reason' }).fill('clearer')
  const theirs = { title: `${title} (theirs)`, version: 2 }
  await site.database.app.updateTable('topic').set(theirs).where('id', '=', id).execute()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText(theirs.title).waitFor()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(`${title} (mended)`)
  await page.getByRole('button', { name: 'Go on with mine' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: `${title} (mended)` }).waitFor()
  await page.getByText('1 earlier version').waitFor()
  expect(await titleOf(id)).toBe(`${title} (mended)`)

  await page.getByRole('button', { name: 'What can be done with', exact: false }).first().click()
  await page.getByRole('menuitem', { name: 'Pin …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Pinned', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('a trial')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Removed by staff', { exact: true }).waitFor()
  expect((await page.request.get(`/thread?topicId=${id}`)).status()).toBe(404)

  await page.getByRole('button', { name: 'Restore', exact: true }).first().click()
  await page.getByText('It is back where it was.').waitFor()
  expect((await page.request.get(`/thread?topicId=${id}`)).status()).toBe(200)
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([])
  await context.close()
})

test('staff comment as the official member, mend what another wrote, and take it down, in place', async () => {
  const { id } = await aPublished()
  const { page, context, complaints, account } = await atTheDesk(site, { language: 'en' })
  await page.goto(`/admin/topic/view?topicId=${id}`)
  await page.getByRole('button', { name: 'Comment as staff' }).click()
  await page.getByRole('textbox', { name: 'Comment as staff' }).fill('Please stay with tea here.')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const own = page.getByRole('article', { name: new RegExp(`by ${account}`) })
  await own.getByText('Please stay with tea here.').waitFor()

  const first = page.getByRole('article', { name: /^#1 by/ })
  await first.getByRole('button', { name: 'What can be done with #1' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await first.getByRole('textbox', { name: 'Text' }).fill('Mended words')
  await first.getByRole('button', { name: 'Save' }).click()
  await first.getByText(`Edited by ${account}`).waitFor()
  await first.getByText('Mended words').waitFor()

  await first.getByRole('button', { name: 'What can be done with #1' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('off topic')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await first.getByText('Removed by staff').waitFor()
  await first.getByText('off topic').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('from a comment in the list one comes to it in its topic, and back', async () => {
  const { page, context } = await atTheDesk(site, { language: 'en', width: 'phone' })
  const { id, topic_id } = await site.database.app
    .selectFrom('comment')
    .select(['id', 'topic_id'])
    .where('status', '=', 'published')
    .where('floor', '>', 5)
    .orderBy('published_at', 'desc')
    .executeTakeFirstOrThrow()
  await page.goto('/admin/comment?size=200')
  await page.locator(`a[href$="#comment-${id}"]`).click()
  await page.waitForURL(new RegExp(`topicId=${topic_id}&commentId=${id}`))
  const there = page.locator(`#comment-${id}`)
  await there.waitFor()
  await expect.poll(async () => (await there.boundingBox())?.y ?? 0).toBeLessThan(700)
  expect((await there.boundingBox())?.y).toBeGreaterThan(0)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor()
  await context.close()
})

test('a batch is done to what is selected, and undone by keyboard and mouse alike', async () => {
  const { page, context } = await atTheDesk(site, { language: 'zh' })
  await page.goto('/admin/comment')
  const boxes = page.getByRole('row').getByRole('checkbox')
  await boxes.nth(1).check()
  await boxes.nth(2).press('Space')
  await page.getByText('已选 2 条').waitFor()
  await boxes.nth(4).click({ modifiers: ['Shift'] })
  await page.getByText('已选 4 条').waitFor()
  await page.getByRole('combobox', { name: '操作…' }).selectOption({ label: '删除' })
  await page.getByRole('dialog').getByRole('textbox', { name: '原因' }).fill('广告')
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await page.getByText('已处理 4 项。').waitFor()
  await page.goto('/admin/comment?state=deletedByStaff')
  await page.getByRole('row').nth(2).waitFor()

  await page.goto('/admin/batch')
  await page.getByRole('row').getByRole('button', { name: '撤销' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click()
  await page.getByText('已撤销 4 项。').waitFor()
  await page.getByRole('button', { name: '撤销' }).waitFor({ state: 'detached' })
  await page.goto('/admin/comment?state=deletedByStaff')
  await page.getByRole('heading', { level: 1, name: '评论' }).waitFor()
  expect(await page.getByText('广告').count()).toBe(0)
  await context.close()
})

test('comments make a topic of their own, it goes into another, and the old address leads there', async () => {
  const { id } = await aPublished()
  const { page, context, complaints } = await atTheDesk(site, { language: 'zh', width: 'phone' })
  await page.goto(`/admin/topic/view?topicId=${id}`)
  await page.getByRole('button', { name: '选择评论' }).click()
  for (const name of ['选择 1 楼', '选择 2 楼']) await page.getByRole('checkbox', { name, exact: true }).check()
  await page.getByText('已选 2 条').waitFor()
  await page.getByRole('button', { name: '移动…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: '标题' }).fill('另开一桌')
  await dialog.getByRole('combobox', { name: '标签' }).fill('brew')
  await dialog.getByRole('option', { name: '泡茶' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: '拆成新话题' }).click()
  await page.getByRole('heading', { level: 1, name: '另开一桌' }).waitFor()
  const made = new URL(page.url()).searchParams.get('topicId')

  await page.getByRole('button', { name: '可以对「另开一桌」做的操作' }).click()
  await page.getByRole('menuitem', { name: '并入另一个话题' }).click()
  await dialog.getByRole('combobox', { name: '并入哪个话题' }).fill((await titleOf(id)).slice(0, 8))
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('button', { name: '合并话题' }).click()
  await page.waitForURL((url) => url.searchParams.get('topicId') !== made)
  const led = await page.request.get(`/thread?topicId=${made}`, { maxRedirects: 0 })
  expect([led.status(), led.headers()['location']]).toEqual([301, expect.stringMatching(/^\/thread\?topicId=\d+&commentId=\d+$/)])
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  await context.close()
})

test('a tag is made, moved up and removed, and its topics go to another one', async () => {
  const { page, context, complaints } = await atTheDesk(site, { language: 'en', width: 'phone' })
  await page.goto('/admin/tag')
  await page.getByRole('button', { name: 'Add a tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name in Chinese' }).fill('临时')
  await dialog.getByRole('textbox', { name: 'Name in English' }).fill('For a while')
  await dialog.getByRole('textbox', { name: 'Short name' }).fill('for-a-while')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'What can be done with For a while' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await page.getByText('Saved.').waitFor()

  const { id } = await aPublished()
  await page.goto(`/admin/topic/view?topicId=${id}`)
  await page.getByRole('button', { name: 'What can be done with', exact: false }).first().click()
  await page.getByRole('menuitem', { name: 'Move to another tag' }).click()
  await dialog.getByRole('combobox', { name: 'To which tag' }).fill('临时')
  await dialog.getByRole('option', { name: 'For a while' }).click()
  await dialog.getByRole('button', { name: 'Move to another tag' }).click()
  await page.getByText('Tag For a while').waitFor()

  await page.goto('/admin/tag')
  await page.getByRole('button', { name: 'What can be done with For a while' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog.getByRole('combobox', { name: 'To which tag' }).fill('brew')
  await dialog.getByRole('option', { name: 'Brewing' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'What can be done with For a while' }).waitFor({ state: 'detached' })
  await page.goto(`/admin/topic/view?topicId=${id}`)
  await page.getByText('Tag Brewing').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test.each([
  ['zh', 'phone'],
  ['en', 'desktop'],
] as const)('a checker finds nothing wrong with the screens of content, in %s on a %s, light and dark', async (language, width) => {
  const { page, context } = await atTheDesk(site, { language, width })
  const { id } = await aPublished()
  const faults: string[] = []
  for (const path of ['/admin/topic', '/admin/comment', '/admin/reply', `/admin/topic/view?topicId=${id}`, '/admin/tag', '/admin/batch']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    faults.push(...(await blemishesInBoth(page)))
  }
  expect(faults).toEqual([])
  await context.close()
})

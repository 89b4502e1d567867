import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { builtForum } from './site.ts'
import { screenshot } from './shot.ts'
import { wordsIn } from './words.ts'

const site = await builtForum({ listens: true })
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('a member likes and replies on a computer, and the other is notified on a phone, goes there, and marks and undoes', async () => {
  const other = await site.visit({ as: 'laochen', width: 'phone' })
  const { page } = other
  await page.goto('/user/control/remindList')
  await page.getByRole('heading', { name: zh('notification.events') }).waitFor()
  await screenshot(page, 'notifications-phone')
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])
  await page.getByRole('button', { name: zh('notification.markAll') }).click()
  await page.getByRole('button', { name: zh('notification.undo') }).waitFor()
  const nothing = zh('notification.bell', { count: 0, shown: '0' })
  const named = page.locator('header').getByRole('link', { name: nothing })
  await expect.poll(() => named.getAttribute('aria-label')).toBe(nothing)

  // New notifications arrive without a reload.
  const mei = await site.visit({ as: 'azhe', language: 'en' })
  const { database } = site
  const { id } = await database.app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
  const own = await database.app
    .selectFrom('topic')
    .select(['id', 'title'])
    .where('author_id', '=', id)
    .where('status', '=', 'published')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await mei.page.goto(`/thread?topicId=${own.id}`)
  await mei.page.locator('form [contenteditable="true"]').first().fill('I would like to try this at the weekend.')
  await mei.page.getByRole('button', { name: en('comment.post'), exact: true }).click()
  await mei.page.locator('main').getByText('I would like to try this').first().waitFor()
  await expect.poll(() => named.getAttribute('aria-label')).toContain('1')
  await screenshot(page, 'bell-rings')
  await named.click()
  await page.locator('li[data-unread]').getByRole('link').first().click()
  await page.waitForURL('**/thread?**commentId=**')
  await page.getByText('I would like to try this at the weekend.').first().waitFor()
  await expect.poll(() => named.getAttribute('aria-label')).toBe(nothing)
  await screenshot(page, 'notification-followed')

  await page.goto('/user/control/remindSettings')
  const likes = page.getByRole('checkbox', { name: `${zh('like.notificationLikedLabel')}: ${zh('notification.inForum')}` })
  await likes.uncheck()
  await page.getByText(zh('notification.saved')).waitFor()
  await page.reload()
  await expect.poll(() => likes.isChecked()).toBe(false)
  await screenshot(page, 'notification-settings')
  // An element half covered by the bottom bar would count as too small.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  expect(await accessibilityViolations(page, { within: 'main' })).toEqual([])
  await page.goto('/user/control/systemNotifyList')
  await page.getByRole('heading', { name: zh('notification.notices') }).waitFor()
  await screenshot(page, 'notices-tabs')

  await mei.page.goto('/user/control/remindList')
  await mei.page.getByRole('heading', { name: en('notification.events') }).waitFor()
  await screenshot(mei.page, 'notifications-en')
  expect(await accessibilityViolations(mei.page, { within: 'main' })).toEqual([])
  for (const { complaints, context } of [other, mei]) {
    expect(complaints).toEqual([])
    await context.close()
  }
})

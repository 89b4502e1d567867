import { expect, test } from 'vitest'
import { builtForum } from './site.ts'
import { screenshot } from './shot.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('a visitor who likes a comment is asked to log in, and is back at it with the like given', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  await page
    .locator('li[data-floor="2"]')
    .getByRole('button', { name: zh('like.like') })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: zh('account.logIn') })
    .click()
  await page.waitForURL('**/login?**')
  const member = await site.visit({ as: 'azhe' })
  await member.page.goto('/index')
  const pair = await member.page.evaluate(() => localStorage.getItem('bbsToken') ?? '')
  await page.evaluate((value) => localStorage.setItem('bbsToken', value), pair)
  // Logged in from another tab: the return path is the same.
  const back = await page.evaluate(() => atob(new URLSearchParams(location.search).get('jumpUrl') ?? ''))
  await page.goto(back)
  const heart = page
    .locator('li[data-floor="2"]')
    .getByRole('button', { name: zh('like.like') })
    .first()
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true')
  await screenshot(page, 'liked')
  await page.reload()
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true')
  expect(complaints).toEqual([])
  await Promise.all([context.close(), member.context.close()])
})

test('a like shows at once, is undone by a refusal, and shows the likers', async () => {
  const { page, context } = await site.visit({ as: 'laochen', language: 'en', width: 'phone' })
  await page.goto(`/thread?topicId=${await site.topic('欢迎')}`)
  const heart = page
    .locator('article')
    .first()
    .getByRole('button', { name: en('like.like'), exact: true })
  await heart.waitFor()
  await expect.poll(() => page.locator('[data-action="reply"]').count()).toBeGreaterThan(0)
  if ((await heart.getAttribute('aria-pressed')) === 'true') await heart.click()
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false')
  await site.change('allowLikes', false)
  await heart.click()
  await page.getByRole('status').filter({ hasText: /\w/ }).waitFor()
  await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false')
  await site.change('allowLikes', true)
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/like/add', async (route) => {
    await answer.promise
    await route.continue()
  })
  await heart.click()
  expect(await heart.getAttribute('aria-pressed')).toBe('true')
  answer.resolve()
  await heart.locator('xpath=following-sibling::button').click()
  await page.getByRole('dialog').getByRole('link', { name: '老陈泡茶' }).waitFor()
  await screenshot(page, 'who-likes')
  await context.close()
})

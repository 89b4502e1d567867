import { expect, test } from 'vitest'
import { aSite } from './site.ts'
import { shot } from './shot.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('on a phone in zh a member follows a thread, a tag and a person, and finds what is new there', async () => {
  const { page, context, complaints } = await site.visit({ as: 'azhe', width: 'phone' })
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  const follows = page.locator('main article [data-deed="follow"]').first()
  await expect.poll(() => page.locator('[data-deed="reply"]').count()).toBeGreaterThan(0)
  if ((await follows.getAttribute('aria-pressed')) === 'true') await follows.click()
  await expect.poll(() => follows.textContent()).toBe(zh('follow.follow'))
  await follows.click()
  await expect.poll(() => follows.textContent()).toBe(zh('follow.watching'))
  await shot(page, 'follow-thread')
  await page.locator('main article').first().getByRole('link').first().click()
  await page.waitForURL('**/user/control/home**')
  await page.locator('section.column [data-deed="follow"]').waitFor()
  await shot(page, 'follow-home')
  await page.goto('/index?following=true')
  await page
    .getByRole('link', { name: zh('follow.followingTab'), exact: true })
    .and(page.locator('[aria-current]'))
    .waitFor()
  await shot(page, 'follow-feed')
  expect(await page.locator('main article').count()).toBeGreaterThan(0)
  await page.goto('/user/control/followList?of=topic')
  await page.getByRole('link', { name: '一条 SQL' }).waitFor()
  await shot(page, 'follow-list')
  // Thumbnails of what lies in closed tags are missing in this list: their addresses carry no key.
  expect(complaints.filter((one) => !/404 .*\/file\/f_[\w-]+\?w=240$/.test(one))).toEqual([])
  await context.close()
})

test('on a desktop in en a member blocks another, reads theirs folded, and ends it', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}`)
  await page.locator('aside [data-deed="follow"]').waitFor()
  await shot(page, 'thread-en')
  await page.locator('aside section').first().getByRole('link').first().click()
  await page.waitForURL('**/user/control/home**')
  const address = page.url()
  await page.getByRole('button', { name: en('follow.block'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('follow.block'), exact: true })
    .click()
  await page.getByRole('button', { name: en('follow.unblock'), exact: true }).waitFor()
  await shot(page, 'blocked-home')
  await page.goto('/index')
  await page.getByText(en('follow.folded')).first().waitFor()
  await shot(page, 'folded')
  await page
    .getByRole('button', { name: en('follow.unfold'), exact: true })
    .first()
    .click()
  await page.goto('/user/control/blockList')
  await page.locator('main ol li').first().waitFor()
  await shot(page, 'block-list')
  await page.goto(address)
  await page.getByRole('button', { name: en('follow.unblock'), exact: true }).click()
  await page.getByRole('button', { name: en('follow.mute'), exact: true }).waitFor()
  await page.goto('/user/control/userDynamicList')
  await page.locator('main ol li').first().waitFor()
  await shot(page, 'activity')
  expect(complaints).toEqual([])
  await context.close()
})

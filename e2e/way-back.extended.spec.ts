import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'
import { untilIdle } from './idle.ts'

const site = await builtForum()
const zh = wordsIn('zh')
const thread = `/thread?topicId=${await site.topic('一条 SQL')}`

/** The return path of the current login page. */
const ledBack = (page: Page) => decodeReturnPath(new URL(page.url()).searchParams.get('jumpUrl'))

async function register(page: Page, account: string): Promise<void> {
  await page.getByLabel(zh('account.account'), { exact: true }).fill(account)
  await page.getByLabel(zh('account.password'), { exact: true }).fill('a-quiet-evening')
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill('a-quiet-evening')
  await page.getByLabel(zh('account.agreeStart')).check()
  await page
    .locator('main')
    .getByRole('button', { name: zh('account.register') })
    .click()
  await page.getByText(`欢迎，${account}。`).waitFor()
}

test('a visitor who registers from the header is back at the same page and position', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(thread)
  await page
    .getByRole('banner')
    .getByRole('link', { name: zh('site.logIn') })
    .waitFor()
  await untilIdle(page)
  await page.evaluate(() => scrollTo({ top: 700, behavior: 'instant' }))
  await untilIdle(page)
  const before = await page.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(200)
  // By script, because Playwright would scroll to it first.
  await page.evaluate(() => document.querySelector<HTMLElement>('header a[href^="/login?"]')?.click())
  // Follows the login page's own link, once the thread with its links is gone.
  await page.getByLabel(zh('account.password'), { exact: true }).waitFor()
  await page
    .locator('main')
    .getByRole('link', { name: zh('account.register') })
    .click()
  await page.waitForURL('**/register?**')
  expect(ledBack(page)).toBe(thread)
  await register(page, 'back_again')
  await page.waitForURL(`**${thread}`)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  expect(complaints).toEqual([])
  await context.close()
})

test('a visitor who registers from the comment box finds the comment begun', async () => {
  const { page, context } = await site.visit()
  await page.goto(thread)
  await page
    .locator('[data-composer]')
    .getByRole('link', { name: zh('comment.begin') })
    .click()
  await page.getByText(zh('account.toWrite')).waitFor()
  await page
    .locator('main')
    .getByRole('link', { name: zh('account.register') })
    .click()
  await page.waitForURL('**/register?**')
  await register(page, 'to_comment')
  // The thread may have removed the reply's parameter from its address by now.
  await page.waitForURL(`**${thread}*`)
  await page.locator('[data-composer] [contenteditable="true"]:focus').waitFor()
  await context.close()
})

test('every way in of a visitor leads back', async () => {
  const { page, context } = await site.visit()
  for (const path of ['/index', '/index?sort=hot', '/user/control/point', thread, '/addTopic?tagId=2', '/help']) {
    await page.goto(path)
    await page
      .getByRole('banner')
      .getByRole('link', { name: zh('site.logIn') })
      .waitFor()
    await untilIdle(page)
    const ways = await page.locator('a[href^="/login"], a[href^="/register"]').evaluateAll((links) => links.map((one) => one.outerHTML))
    const bare = ways.filter((one) => !/href="\/(login|register)\?jumpUrl=[\w-]+"/.test(one))
    expect([path, bare]).toEqual([path, []])
    const inHeader = await page
      .getByRole('banner')
      .locator('a[href^="/login"], a[href^="/register"]')
      .evaluateAll((links) => links.map((one) => new URL((one as HTMLAnchorElement).href).searchParams.get('jumpUrl')))
    expect(inHeader.map(decodeReturnPath)).toEqual([path, path])
  }
  await context.close()
})

test('links between login and registration keep the way back, and the way to a page for members leads to that page', async () => {
  const { page, context } = await site.visit()
  await page.goto(thread)
  await page
    .getByRole('banner')
    .getByRole('link', { name: zh('site.register') })
    .click()
  for (const name of [zh('site.logIn'), zh('site.register')]) {
    await page.getByRole('banner').getByRole('link', { name }).click()
    await page.waitForURL(name === zh('site.logIn') ? '**/login?**' : '**/register?**')
    expect(ledBack(page)).toBe(thread)
  }
  await page.goto('/index')
  await page.locator('header a[href^="/login?"]').first().waitFor()
  await untilIdle(page)
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'))
    Object.assign(link, { href: '/user/control/topicList?page=2', textContent: 'mine' })
  })
  await page.getByRole('link', { name: 'mine' }).click()
  await page.waitForURL('**/login?**')
  expect(ledBack(page)).toBe('/user/control/topicList?page=2')
  await context.close()
})

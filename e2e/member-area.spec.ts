import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isPublicPage, memberTree, memberPagePath } from '#apps/web/member-pages.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { lookOf } from './look-of.ts'
import { idOf, listed, namesOfPages, stillPages, tabsOf } from './member-area-journey.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const other = await idOf(site, 'linxi_dev')
const look = lookOf(import.meta.url)
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

namesOfPages(site, [look])
stillPages(site, [look.width])

test('one page shows the state of each login method and security setting', async () => {
  const { page, complaints } = await site.visit({ language: 'en', as: 'laochen' })
  await site.change('smsProvider', 'outbox')
  await page.goto(memberPagePath('security'))
  await page.getByRole('heading', { level: 1, name: 'Account security' }).waitFor()
  const lines = await page
    .locator('main section.column li')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.split(/\n+/)))
  expect(lines.map(([what, , action]) => [what, action])).toEqual([
    ['Password', 'Change'],
    ['Sign-in methods', 'Manage'],
    ['Passkeys', 'Add'],
    ['Two-step verification', 'Set up'],
    ['Phone', 'Add'],
    ['Devices and sign-ins', 'View'],
    ['Identity verification', 'View'],
  ])
  expect(lines.map(([, state]) => state)).toEqual([
    'Set',
    'No linked accounts',
    'Not set',
    'Off',
    'Not set',
    expect.stringMatching(/^Signed in on \d+ devices?$/),
    'Not required',
  ])
  await page.getByRole('link', { name: 'Add: Phone' }).click()
  await page.waitForURL(`**${memberPagePath('phoneBinding')}`)
  expect(await accessibilityViolations(page)).toEqual([])
  await site.change('smsProvider', 'none')
  expect(complaints).toEqual([])
})

test('the menu of a member leads to their page, content, drafts, favorites, wallet and settings', async () => {
  const { page } = await site.visit({ language: 'en', as: 'laochen' })
  await page.goto('/index')
  await page.getByRole('button', { name: 'Account menu' }).click()
  const groups = await page
    .locator('#account-menu ul')
    .evaluateAll((all) => all.map((ul) => [...ul.querySelectorAll('a')].map((a) => a.text)))
  expect(groups).toEqual([
    ['Profile', 'Content', 'Drafts', 'Favorites'],
    ['Wallet', 'Settings'],
  ])
})

test('on a phone a member’s own page shows head, numbers, tabs and latest posts on its first screen', async () => {
  const { page, complaints } = await site.visit({ language: 'en', as: 'azhe', width: 'phone' })
  await page.goto('/user/control/home')
  const latest = page.getByRole('heading', { name: 'Latest activity' })
  await latest.waitFor()
  expect(await latest.evaluate((one) => one.getBoundingClientRect().bottom / innerHeight)).toBeLessThan(0.85)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const name of ['home', 'draftList', 'followerList', 'membershipCardOrderList', 'settings', 'security', 'editUser'] as const) {
    await page.goto(memberPagePath(name))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await overflow(page), name).toBe(0)
  }
  expect(complaints).toEqual([])
})

test('the settings on a phone are one list, and each page leads back to its origin, by the keyboard too', async () => {
  const { page, complaints } = await site.visit({ language: 'en', as: 'linxi_dev', width: 'phone' })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await page.goto(memberPagePath('draftList'))
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await heading('Settings')
  expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThanOrEqual(8)
  await page.getByRole('link', { name: /^Account security/ }).focus()
  await page.keyboard.press('Enter')
  await heading('Account security')
  await page.getByRole('link', { name: 'Change: Password' }).click()
  await heading('Password')
  await page.getByRole('main').getByRole('link', { name: 'Account security' }).click()
  await heading('Account security')
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await heading('Settings')
  expect(await accessibilityViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('on a phone the row of pages is pushed along to the current one', async () => {
  const { page } = await site.visit({ language: 'en', as: 'laochen', width: 'phone' })
  await page.goto(memberPagePath('reportList'))
  const current = page.getByRole('navigation', { name: 'Content', exact: true }).locator('[aria-current]')
  await expect.poll(() => current.evaluate((one) => one.getBoundingClientRect().right <= innerWidth)).toBe(true)
  expect(await current.textContent()).toBe('Reports and appeals')
})

test('a wide screen gives the row of pages its full width', async () => {
  const { page } = await site.visit({ as: 'laochen' })
  await page.setViewportSize({ width: 820, height: 900 })
  await page.goto(memberPagePath('commentList'))
  const row = page.getByRole('navigation', { name: wordsIn('zh')('user.content'), exact: true }).getByRole('list')
  const [list, heading] = await Promise.all([row.boundingBox(), page.getByRole('main').boundingBox()])
  expect(list?.width).toBeGreaterThan((heading?.width ?? 0) - 64)
})

test('a member without accepted answers shows their number, and another the percentage', async () => {
  const { page } = await site.visit({ language: 'en' })
  for (const [account, expected] of [
    ['moshu', '0 accepted'],
    ['laochen', '50% accepted'],
  ] as const) {
    const id = await idOf(site, account)
    await page.goto(memberPagePath('home', id))
    const last = await page
      .locator(`main a[href="${memberPagePath('answerList', id)}"]`)
      .last()
      .innerText()
    expect(last.replaceAll(/\s+/g, ' ')).toBe(expected)
  }
})

test('the focus continues in the page that a link led to', async () => {
  const { page } = await site.visit({ language: 'en', as: 'laochen' })
  await page.goto(memberPagePath('settings'))
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Edit profile/ })
    .press('Enter')
  await page.waitForURL(`**${memberPagePath('editUser')}`)
  await page.getByRole('main').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('a page of another member shows only their public parts, under their avatar', async () => {
  const { page } = await site.visit({ as: 'laochen' })
  await page.goto(memberPagePath('topicList', other))
  const words = wordsIn('zh')
  const { content, activity, favorites, following } = memberTree.tabs
  await tabsOf(page).waitFor()
  expect(await tabsOf(page).getByRole('link').allTextContents()).toEqual(
    [activity, content, favorites, following].map(({ word }) => words(word)),
  )
  const beside = page.getByRole('navigation', { name: words(content.word), exact: true })
  expect(await beside.getByRole('link').allTextContents()).toEqual(
    listed('content')
      .filter(({ name }) => isPublicPage(name))
      .map(({ word }) => words(word)),
  )
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: words('user.settings'), exact: true })
      .count(),
  ).toBe(0)
  await page.getByRole('main').getByRole('link', { name: '林夕', exact: true }).first().click()
  await page.waitForURL(`**${memberPagePath('home', other)}`)
  await page.getByRole('heading', { level: 1, name: '林夕' }).waitFor()
  await tabsOf(page)
    .getByRole('link', { name: words(following.word), exact: true })
    .click()
  await page.getByRole('main').getByRole('link', { name: '粉丝', exact: true }).click()
  await page.waitForURL(`**${memberPagePath('followerList', other)}`)
  await page.goto(memberPagePath('home', other))
  await page.getByRole('heading', { name: '最受欢迎' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a private page is one’s own, whichever member the address names', async () => {
  const { page, complaints } = await site.visit({ as: 'laochen' })
  for (const place of ['point', 'draftList'] as const) {
    await page.goto(memberPagePath(place, other))
    await tabsOf(page).waitFor()
    expect(await tabsOf(page).getByRole('link').count()).toBe(Object.keys(memberTree.tabs).length)
    await page.getByRole('main').getByRole('link', { name: '老陈泡茶' }).first().waitFor()
  }
  expect(complaints).toEqual([])
})

test('a visitor finds the ways without a script too, on a phone below the head alone, and on the page about points none', async () => {
  const { page } = await site.visit({ width: 'phone', javaScript: false })
  await page.goto(memberPagePath('home', other))
  expect(await tabsOf(page).getByRole('link', { name: '内容', exact: true }).isVisible()).toBe(true)
  const latest = page.getByRole('heading', { name: '最新动态' })
  expect(await latest.evaluate((one) => one.getBoundingClientRect().bottom / innerHeight)).toBeLessThan(0.85)
  await page.goto(memberPagePath('point'))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('积分')
  expect(await tabsOf(page).count()).toBe(0)
})

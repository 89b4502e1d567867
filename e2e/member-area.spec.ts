import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { memberPlaces, placePath } from '#apps/web/member-places.ts'
import { blemishes } from '#base/testing/blemishes.ts'
import { aSite } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const { id: other } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'linxi_dev').executeTakeFirstOrThrow()
// Messages need the whole width, so no rail stands beside them.
const besideRail = (place: string) => place !== 'privateMessageList'
// Where everybody may register, nobody invites.
const inRail = [...memberPlaces.shown, ...memberPlaces.kept, ...memberPlaces.settings].filter(([name]) => name !== 'invitations')

const railOf = (page: Page, language: 'zh' | 'en' = 'zh') =>
  page.getByRole('navigation', { name: wordsIn(language)('user.pages'), exact: true })
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.each(['zh', 'en'] as const)('rail, heading and title call each page of mine by one name, in %s', async (language) => {
  const words = wordsIn(language)
  const { page, complaints } = await site.visit({ language, theme: language === 'zh' ? 'light' : 'dark', as: 'laochen' })
  await page.goto('/user/control/home')
  await railOf(page, language).waitFor()
  const names = await railOf(page, language).getByRole('link').allTextContents()
  expect(names).toEqual(inRail.map(([, word]) => words(word)))
  for (const [place, word] of inRail.filter(([name]) => name !== 'home' && besideRail(name))) {
    await railOf(page, language)
      .getByRole('link', { name: words(word), exact: true })
      .click()
    await page.waitForURL((url) => url.pathname === placePath(place))
    await page.getByRole('heading', { level: 1, name: words(word), exact: true }).waitFor()
    await expect.poll(() => page.title()).toContain(words(word))
    expect(await railOf(page, language).locator('[aria-current]').allTextContents()).toEqual([words(word)])
  }
  expect(await blemishes(page)).toEqual([])
  await railOf(page, language)
    .getByRole('link', { name: words('message.messages'), exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: words('message.messages'), exact: true }).waitFor()
  await expect.poll(() => page.title()).toContain(words('message.messages'))
  expect(complaints).toEqual([])
})

test('the menu of a member has the same names, in the same two groups', async () => {
  const { page } = await site.visit({ language: 'en', as: 'laochen' })
  await page.goto('/index')
  await page.getByRole('button', { name: 'Account menu' }).click()
  const groups = await page
    .locator('#account-menu ul')
    .evaluateAll((all) => all.map((ul) => [...ul.querySelectorAll('a')].map((a) => a.text)))
  expect(groups).toEqual([
    ['Profile', 'Topics', 'Favorites', 'Drafts'],
    ['Points', 'Balance', 'Edit profile', 'Devices and sign-in history'],
  ])
})

test('on a phone the list is open on the first page of mine, and elsewhere behind one button, which the keyboard opens too', async () => {
  const { page, complaints } = await site.visit({ language: 'en', as: 'laochen', width: 'phone' })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/user/control/home')
  const rail = railOf(page, 'en')
  await rail.getByRole('link', { name: 'Muted and blocked', exact: true }).waitFor()
  expect(await rail.getByRole('button').count()).toBe(0)
  expect(await overflow(page)).toBe(0)
  await rail.getByRole('link', { name: 'Drafts', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  const fold = rail.getByRole('button', { name: 'All pages', expanded: false })
  await fold.waitFor()
  expect(await rail.getByRole('link').count()).toBe(0)
  await fold.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Profile')
  expect(await rail.getByRole('link').count()).toBe(inRail.length)
  expect(await overflow(page)).toBe(0)
  await rail.getByRole('link', { name: 'Likes', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Likes' }).waitFor()
  expect(await rail.getByRole('link').count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: '老陈泡茶' }).first().click()
  await page.waitForURL('**/user/control/home')
  expect(complaints).toEqual([])
})

test('of another member there is what they show alone, under their face', async () => {
  const { page } = await site.visit({ as: 'laochen' })
  await page.goto(placePath('topicList', other))
  const rail = railOf(page)
  await rail.waitFor()
  const words = wordsIn('zh')
  expect(await rail.getByRole('link').allTextContents()).toEqual(memberPlaces.shown.map(([, word]) => words(word)))
  await page.getByRole('main').getByRole('link', { name: '林夕', exact: true }).first().click()
  await page.waitForURL(`**${placePath('home', other)}`)
  await page.getByRole('heading', { level: 1, name: '林夕' }).waitFor()
  await rail.getByRole('link', { name: '粉丝', exact: true }).click()
  await page.waitForURL(`**${placePath('followerList', other)}`)
  await page.goto(placePath('home', other))
  await page.getByRole('heading', { name: '最受欢迎' }).waitFor()
  expect(await blemishes(page)).toEqual([])
})

test('a page that nobody shows is one’s own, whomever the address names', async () => {
  const { page, complaints } = await site.visit({ as: 'laochen' })
  const words = wordsIn('zh')
  for (const place of ['point', 'draftList', 'editUser'] as const) {
    await page.goto(placePath(place, other))
    await railOf(page).waitFor()
    expect(await railOf(page).getByRole('link').allTextContents()).toEqual(inRail.map(([, word]) => words(word)))
  }
  expect(complaints).toEqual([])
})

test('a visitor finds the ways without a script too, and on the page about points none', async () => {
  const { page } = await site.visit({ width: 'phone', javaScript: false })
  await page.goto(placePath('home', other))
  expect(await railOf(page).getByRole('link', { name: '话题', exact: true }).isVisible()).toBe(true)
  await page.goto(placePath('point'))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('积分')
  expect(await railOf(page).count()).toBe(0)
})

test('where a member comes by a page that visitors have too, hardly anything moves when they are known', async () => {
  for (const width of ['phone', 'desktop'] as const) {
    const { page } = await site.visit({ width, as: 'laochen', isNew: true })
    await page.addInitScript(() => {
      const moved: number[] = []
      Object.assign(window, { moved })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(placePath('home', other))
    await railOf(page).waitFor()
    await page.getByRole('button', { name: '关注', exact: true }).first().waitFor()
    const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved.reduce((sum, one) => sum + one, 0))
    expect(moved, width).toBeLessThan(0.1)
  }
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { memberPages, memberTree, memberPagePath } from '#apps/web/member-pages.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import type { Look } from './look-of.ts'
import type { Site } from './site.ts'
import { wordsIn } from './words.ts'

// Without invitations while registration is open, and without tokens until staff enable them.
const offered = memberPages.filter(({ name }) => name !== 'invitations' && name !== 'tokens')

/** The pages of a group that are listed beside each other. */
export const listed = (group: string) => offered.filter((one) => one.group === group && one.from === null)

export const tabsOf = (page: Page, language: 'zh' | 'en' = 'zh') =>
  page.getByRole('navigation', { name: wordsIn(language)('user.pages'), exact: true })

/** On a desktop, where tabs and lists stand beside each page. */
export function namesOfPages(site: Site, looks: readonly Look[]): void {
  test.each(looks)(
    'tabs, rows, heading and title call each page of a member by one name, in $language, $theme',
    async ({ language, theme }) => {
      const words = wordsIn(language)
      const { page, complaints } = await site.visit({ language, theme, as: 'laochen' })
      await page.goto('/user/control/home')
      await tabsOf(page, language).waitFor()
      const tabs = Object.entries(memberTree.tabs)
      expect(await tabsOf(page, language).getByRole('link').allTextContents()).toEqual(tabs.map(([, { word }]) => words(word)))
      for (const [group, { word }] of tabs) {
        await tabsOf(page, language)
          .getByRole('link', { name: words(word), exact: true })
          .click()
        await page.waitForURL((url) => url.pathname === memberPagePath(listed(group)[0]?.name ?? 'home'))
        if (group === 'activity') continue
        const beside = page.getByRole('navigation', { name: words(word), exact: true })
        await beside.waitFor()
        expect(await beside.getByRole('link').allTextContents()).toEqual(listed(group).map((one) => words(one.word)))
        await walk(page, words, beside, listed(group))
        expect(await tabsOf(page, language).locator('[aria-current]').allTextContents()).toEqual([words(word)])
      }
      expect(await accessibilityViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test.each(looks)('the settings are five groups beside each of their pages, in $language, $theme', async ({ language, theme }) => {
    const words = wordsIn(language)
    const { page, complaints } = await site.visit({ language, theme, as: 'laochen' })
    await page.goto('/user/control/home')
    await page
      .getByRole('main')
      .getByRole('link', { name: words('user.settings'), exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: words('user.settings'), exact: true }).waitFor()
    const { overview, ...groups } = memberTree.settings
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(Object.values(groups).map(({ word }) => words(word)))
    expect(await accessibilityViolations(page)).toEqual([])
    await page.locator(`main a[href="${memberPagePath('editUser')}"]`).click()
    const beside = page.getByRole('navigation', { name: words(overview.word), exact: true })
    await beside.waitFor()
    for (const [group, { word }] of Object.entries(groups)) {
      const list = beside.getByRole('list', { name: words(word), exact: true })
      const pages = offered.filter((one) => one.group === group && (one.from === null || one.from === 'security'))
      expect(await list.getByRole('link').allTextContents()).toEqual(pages.map((one) => words(one.word)))
      await walk(page, words, list, pages)
    }
    await page.goto(memberPagePath('hintQuestion'))
    await expect.poll(() => beside.locator('[aria-current]').allTextContents()).toEqual([words('account.password')])
    await page
      .getByRole('main')
      .locator(`a[href="${memberPagePath('password')}"] >> visible=true`)
      .last()
      .click()
    await page.getByRole('heading', { level: 1, name: words('account.password'), exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
}

export function stillPages(site: Site, widths: readonly Look['width'][]): void {
  test.each(widths)('on a page that visitors have too hardly anything moves when a member is known, on a %s', async (width) => {
    const other = await idOf(site, 'linxi_dev')
    const [home, point] = [memberPagePath('home', other), memberPagePath('point')]
    for (const path of [home, point]) {
      const { page } = await site.visit({ width, as: 'laochen', isNew: true })
      await page.addInitScript(() => {
        const moved: number[] = []
        Object.assign(window, { moved })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(path)
      await tabsOf(page).waitFor()
      if (path === home) await page.getByRole('button', { name: '关注', exact: true }).first().waitFor()
      const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved.reduce((sum, one) => sum + one, 0))
      expect(moved, `${path} ${width}`).toBeLessThan(path === home ? 0.02 : 0.05)
    }
  })
}

export async function idOf({ database }: Pick<Site, 'database'>, account: string): Promise<string> {
  return (await database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}

/** Opens each page, and checks that its title equals its name in the list. */
async function walk(page: Page, words: ReturnType<typeof wordsIn>, list: ReturnType<Page['getByRole']>, pages: typeof memberPages) {
  for (const { name, word } of pages) {
    await list.getByRole('link', { name: words(word), exact: true }).click()
    await page.waitForURL((url) => url.pathname === memberPagePath(name))
    await page.getByRole('heading', { level: 1, name: words(word), exact: true }).waitFor()
    await expect.poll(() => page.title()).toContain(words(word))
    await expect.poll(() => list.locator('[aria-current]').allTextContents()).toEqual([words(word)])
  }
}

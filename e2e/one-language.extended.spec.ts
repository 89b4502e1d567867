import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cheapViolations } from '#base/testing/accessibility-checks.ts'
import { visitAsStaff, type StaffVisit } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
let desk: StaffVisit
let page: Page

beforeAll(async () => {
  await site.change('languages', ['en_US'])
  await site.change('defaultLanguage', 'en_US')
  desk = await visitAsStaff(site, { language: 'zh' })
  page = desk.page
})
afterAll(() => desk.context.close())

/** The visible controls, by name. */
const controls = () =>
  page.locator('main, dialog').evaluateAll((places) =>
    places
      .flatMap((place) => [...place.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea')])
      .filter((control) => control.checkVisibility())
      .map(({ name }) => name),
  )
const inChinese = (names: readonly string[]) => names.filter((name) => /^zh$|Zh$/.test(name))

describe('on a site in English, with a browser in Chinese,', () => {
  test.each([
    '/admin/tag',
    '/admin/role',
    '/admin/staffRole',
    '/admin/section',
    '/admin/reportCategory',
    '/admin/field',
    '/admin/identityProvider',
    '/admin/help',
  ])('the form at %s asks for a name in English alone', async (path) => {
    await page.goto(path)
    await page.locator('main .button:visible, main header button').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    expect(inChinese(await controls())).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Name', exact: true }).getAttribute('aria-invalid'), { message: 'It is needed' })
      .toBe('true')
    expect(await cheapViolations(page)).toEqual([])
  })

  test.each([
    '/admin/terms',
    '/admin/notice/edit',
    '/admin/help/edit',
    '/admin/slot',
    '/admin/setting?group=site',
    '/admin/setting?group=sms',
  ])('%s asks for nothing in Chinese', async (path) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(inChinese(await controls())).toEqual([])
    expect(await page.getByRole('button', { name: '中文' }).count()).toBe(0)
  })

  test('a tag has the name of the one language in both, until the other is offered and has its own', async () => {
    await page.goto('/admin/tag')
    await page.locator('main .button:visible').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Teapots')
    await dialog.locator('[name=key]').fill('teapots')
    await screenshot(page, 'one-language-tag')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Teapots').first().waitFor()
    expect(await namesOf('teapots')).toEqual({ name_zh: 'Teapots', name_en: 'Teapots' })
    await site.database.app.updateTable('tag').set({ name_zh: '茶壶' }).where('key', '=', 'teapots').execute()

    await page.goto('/admin/tag')
    await edits('Teapots', 'Pots')
    expect(await namesOf('teapots')).toEqual({ name_zh: '茶壶', name_en: 'Pots' })
    expect(desk.complaints).toEqual([])
  })

  test('terms are published in it', async () => {
    await page.goto('/admin/terms')
    await page.getByRole('textbox').first().fill('# Terms\n\nBe kind.')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await screenshot(page, 'one-language-terms')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish this version' }).click()
    await page.getByText('Published.').first().waitFor()
    const row = await site.database.app.selectFrom('terms').select(['body_zh', 'body_en']).orderBy('id', 'desc').executeTakeFirst()
    expect(row).toEqual({ body_zh: '# Terms\n\nBe kind.', body_en: '# Terms\n\nBe kind.' })
  })
})

function namesOf(key: string) {
  return site.database.app.selectFrom('tag').select(['name_zh', 'name_en']).where('key', '=', key).executeTakeFirst()
}

async function edits(name: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(to)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { aStaffRole } from '#staff/testing/factories.ts'

const site = await builtForum()

test.each(['light', 'dark'] as const)(
  'the colour that a site chooses is on every page, members’ and staff’s, and keeps to the policy, in the %s',
  async (theme) => {
    await site.change('mainColour', '#1d4ed8')
    const desk = await visitAsStaff(site, { theme })
    const { page, complaints, context } = await site.visit({ theme })
    for (const [one, path] of [
      [page, '/index'],
      [desk.page, '/admin/maintenance/health'],
    ] as const) {
      await one.goto(path)
      const name = one.getByRole('banner').getByRole('link').filter({ hasText: '茶馆' })
      await name.waitFor()
      const nameColour = await name.evaluate((link) => getComputedStyle(link).color)
      expect(nameColour === 'rgb(29, 78, 216)').toBe(theme === 'light')
      expect(nameColour).not.toBe('rgb(124, 195, 157)')
      await screenshot(one, `colour-${theme}${path.replaceAll('/', '-')}`)
      expect(await accessibilityViolations(one)).toEqual([])
    }
    const colour = await page.locator(`meta[name="theme-color"][media*="${theme}"]`).getAttribute('content')
    expect(colour).toMatch(theme === 'light' ? /^#1d4ed8$/ : /^#(?!1d4ed8)\w{6}$/)
    expect([...complaints, ...desk.complaints]).toEqual([])
    await site.change('mainColour', '')
    await desk.context.close()
    await context.close()
  },
)

test('of two changes to one setting at once, the later one sees the first, and chooses', async () => {
  const [ann, ben] = await Promise.all([visitAsStaff(site, { language: 'en' }), visitAsStaff(site, { language: 'en' })])
  const save = ({ page }: typeof ann) => page.getByRole('button', { name: 'Save' }).click()
  await Promise.all([ann, ben].map(({ page }) => page.goto('/admin/setting?group=lists')))
  const fieldOf = ({ page }: typeof ann, name: string) => page.getByRole('spinbutton', { name, exact: true })
  await fieldOf(ann, 'Topics per page').fill('25')
  await fieldOf(ann, 'Comments per page').fill('35')
  await save(ann)
  await ann.page.getByText('Saved.').waitFor()
  await fieldOf(ben, 'Topics per page').fill('26')
  await fieldOf(ben, 'Heat per comment').fill('7')
  await save(ben)
  await ben.page.getByRole('alert').getByText(ann.account).waitFor()
  expect(await ben.page.getByRole('definition').allTextContents()).toEqual(['It was: 30', `${ann.account} changed it to: 25`, 'Yours: 26'])
  await ben.page.getByRole('button', { name: 'Continue with mine' }).click()
  expect(await fieldOf(ben, 'Comments per page').inputValue()).toBe('35')
  await save(ben)
  await ben.page.getByText('Saved.').waitFor()
  expect([await fieldOf(ben, 'Topics per page').inputValue(), await fieldOf(ben, 'Heat per comment').inputValue()]).toEqual(['26', '7'])

  await aStaffRole(site.database, ['audit.view'], 'Porter')
  const open = async ({ page }: typeof ann) => {
    await page.getByRole('link', { name: 'Roles', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for Porter' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
  }
  await Promise.all([open(ann), open(ben)])
  await ann.page.getByRole('checkbox', { name: 'View members', exact: true }).check()
  await save(ann)
  await ann.page.getByRole('dialog').waitFor({ state: 'detached' })
  await ben.page.getByRole('textbox', { name: 'Chinese name' }).fill('门房')
  await save(ben)
  await ben.page.getByRole('alert').getByText(ann.account).waitFor()
  await ben.page.getByRole('button', { name: 'Continue with mine' }).waitFor()
  const differ = await ben.page.locator('[data-differs]').allTextContents()
  expect(differ.map((text) => text.trim())).toEqual(['Chinese name', 'View members'])
  await ben.page.getByRole('button', { name: 'Use this one and discard mine' }).click()
  expect(await ben.page.getByRole('checkbox', { name: 'View members', exact: true }).isChecked()).toBe(true)
  await ben.page.getByRole('textbox', { name: 'Chinese name' }).fill('门卫')
  await save(ben)
  await ben.page.getByRole('dialog').waitFor({ state: 'detached' })
  expect([...ann.complaints, ...ben.complaints].filter((complaint) => !complaint.includes('409'))).toEqual([])
  await Promise.all([ann, ben].map(({ context }) => context.close()))
})

test('every group of settings can be saved unchanged, and not without a required value', async () => {
  const { page, context } = await visitAsStaff(site, { language: 'en' })
  await page.goto('/admin/setting?group=site')
  const groups = page.getByRole('navigation', { name: 'Groups of settings' }).getByRole('link')
  await groups.first().waitFor()
  const title = page.getByRole('textbox', { name: 'Site name' })
  await title.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => title.getAttribute('aria-invalid')).toBe('true')
  await title.fill('Tea')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  for (const group of await groups.all()) {
    await group.click()
    await page.getByRole('region', { name: (await group.textContent()) ?? '', exact: true }).waitFor()
    const saved = page.waitForResponse((answer) => answer.url().includes('/admin/setting/change'))
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status(), (await group.textContent()) ?? '').toBe(200)
  }
  await context.close()
})

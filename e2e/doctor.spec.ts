import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()

const texts = {
  en: {
    button: 'Run the checks',
    empty: 'The checks haven’t run yet.',
    problem: 'TEAHOUSE_URL isn’t set',
    cure: 'Set it to the public address',
    fine: 'checks were fine',
  },
  zh: { button: '开始检查', empty: '尚未检查。', problem: '没有设置 TEAHOUSE_URL', cure: '把它设为公开地址', fine: '项检查通过' },
} as const

test.each([
  ['en', 'desktop', 'light'],
  ['zh', 'phone', 'dark'],
] as const)('staff run the checks and read problems first, each with its cure, in %s on a %s', async (language, width, theme) => {
  const { page, context, complaints } = await visitAsStaff(site, { language, width, theme, rights: ['site.maintain'] })
  const its = texts[language]
  await page.goto('/admin/maintenance/doctor')
  await page.getByText(its.empty).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: its.button }).click()
  await page.getByText(its.fine).waitFor()
  await page.getByRole('button', { name: its.button, disabled: false }).waitFor()
  const items = page.getByRole('main').getByRole('listitem')
  expect(await items.filter({ hasText: its.problem }).textContent()).toContain(its.cure)
  const states = await items.locator('[data-is]').evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-is')))
  const order = ['bad', 'warn', 'unknown', 'ok']
  expect(states).toEqual(order.flatMap((state) => states.filter((one) => one === state)))
  const folded = page.locator('details li')
  expect(await folded.first().isVisible()).toBe(false)
  await page.getByText(its.fine).click()
  expect(await folded.first().isVisible()).toBe(true)
  await screenshot(page, `doctor-${language}`)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

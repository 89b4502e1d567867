import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#base/server/config.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
beforeAll(async () => {
  setSiteAddress(readConfig({ HOST: '0.0.0.0' }))
  await site.change('administratorSecondFactor', true)
})
afterAll(() => setSiteAddress(readConfig({})))

const labels = {
  zh: {
    account: '账号',
    password: '密码',
    why: '请先开启两步验证',
    begin: '开始设置',
    code: '验证码',
    turnOn: '开启',
    saved: '我已保存',
    there: '成员',
  },
  en: {
    account: 'Username',
    password: 'Password',
    why: 'Set up two-step verification to continue.',
    begin: 'Set up',
    code: 'Code',
    turnOn: 'Turn on',
    saved: 'I have saved them',
    there: 'Members',
  },
} as const

test.each([
  ['zh', 'phone'],
  ['en', 'desktop'],
] as const)(
  'in %s on a %s, an administrator of a public site is led to the second factor, and on to the target page',
  async (language, width) => {
    const desk = await visitAsStaff(site)
    const { page, context, complaints } = await site.visit({ language, width })
    const words = labels[language]
    await page.goto('/admin/member?state=banned')
    await page.getByRole('textbox', { name: words.account, exact: true }).fill(desk.account)
    await page.getByRole('textbox', { name: words.password, exact: true }).fill(desk.password)
    await page.keyboard.press('Enter')
    await page.getByText(words.why).waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/self')
    await screenshot(page, `owing-${language}-${width}`)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.goto('/admin')
    await page.getByText(words.why).waitFor()
    await page.goto('/admin/member?state=banned')
    await page.getByRole('button', { name: words.begin }).click()
    const secret = await page.locator('.note code').textContent()
    await page.getByRole('textbox', { name: words.code, exact: true }).fill(new TOTP({ secret: secret ?? '' }).generate())
    await screenshot(page, `owing-begun-${language}-${width}`)
    await page.getByRole('button', { name: words.turnOn, exact: true }).click()
    await page.getByRole('button', { name: words.saved }).waitFor()
    await screenshot(page, `owing-codes-${language}-${width}`)
    await page.getByText(words.why).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: words.saved }).click()
    await page.getByRole('heading', { level: 1, name: words.there, exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=banned')
    await screenshot(page, `owing-done-${language}-${width}`)
    expect(complaints.filter((complaint) => !/40[13]/.test(complaint))).toEqual([])
    await context.close()
    await desk.context.close()
  },
)

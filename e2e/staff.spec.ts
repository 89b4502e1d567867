import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { toolsOf } from '#apps/server/maintenance.ts'
import { workDone } from '#maintenance/server/example.ts'
import { deedsWith } from '#maintenance/server/tools.ts'
import { blemishesInBoth } from './blemishes.ts'
import { atTheDesk } from './at-the-desk.ts'
import { aSite } from './site.ts'

const site = await aSite()
const deeds = deedsWith(toolsOf({ config: { dataDir: site.dataDir, store: null }, ownerUrl: site.ownerUrl }))

test('staff sign in apart from members, set up a second factor, and need its code from then on', async () => {
  const desk = await atTheDesk(site)
  const { page, context, complaints } = await site.visit()
  await page.goto('/admin')
  await page.getByRole('textbox', { name: '账号' }).fill(desk.account)
  await page.getByRole('textbox', { name: '密码' }).fill('not-the-password')
  await page.keyboard.press('Enter')
  await page.getByText('账号和密码不匹配。').waitFor()
  await page.getByRole('textbox', { name: '密码' }).fill(desk.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '概览' }).waitFor()
  await page.getByText('有 1 次用你的账号登录失败').waitFor()

  await page.getByRole('button', { name: `已登录：${desk.account}` }).click()
  await page.getByRole('menuitem', { name: '我的账号' }).click()
  await page.getByRole('button', { name: '开始设置' }).click()
  await page.getByRole('img', { name: '给验证器应用扫描的二维码' }).waitFor()
  const secret = await page.locator('.note code').textContent()
  await page.getByRole('textbox', { name: '验证码' }).fill(new TOTP({ secret: secret ?? '' }).generate())
  await page.getByRole('button', { name: '开启' }).click()
  await page.getByText('两步验证已开启。').waitFor()
  const [recovery = ''] = await page.locator('.note li').allTextContents()
  await page.getByRole('button', { name: '我已保存好' }).click()

  await page.getByRole('button', { name: '已登录' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('textbox', { name: '账号' }).fill(desk.account)
  await page.getByRole('textbox', { name: '密码' }).fill(desk.password)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: '验证码' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('textbox', { name: '验证码' }).fill(recovery)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '概览' }).waitFor()
  expect(complaints.filter((complaint) => !/401|422/.test(complaint))).toEqual([])
  await context.close()
  await desk.context.close()
})

test('a session that ends in the middle of a form takes nothing away, and a dangerous deed asks for the password once more', async () => {
  const { page, context, account, password } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/staffRole')
  await page.getByRole('button', { name: 'Add a role' }).click()
  await page.getByRole('textbox', { name: 'Name in Chinese' }).fill('夜班')
  await page.getByRole('textbox', { name: 'Name in English' }).fill('Night watch')
  await page.getByRole('checkbox', { name: 'See members' }).check()

  await site.database.app
    .updateTable('staff_session')
    .set({ proved_at: new Date(0) })
    .execute()
  await page.getByRole('button', { name: 'Save' }).click()
  const again = page.getByRole('dialog', { name: 'Show that it is you' })
  await again.getByRole('textbox', { name: 'Password' }).fill(password)
  await again.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('cell', { name: 'Night watch', exact: true }).waitFor()

  await context.clearCookies({ name: 'teahouse_staff' })
  await page.getByRole('button', { name: 'What can be done with Night watch' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Name in English' }).fill('Owls')
  await page.getByRole('button', { name: 'Save' }).click()
  const signIn = page.getByRole('dialog', { name: 'Your session has ended' })
  await signIn.getByRole('textbox', { name: 'Account' }).fill(account)
  await signIn.getByRole('textbox', { name: 'Password' }).fill(password)
  await signIn.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('cell', { name: 'Owls', exact: true }).waitFor()
  await context.close()
})

test('who has a right only for some screens sees the way to those alone, and is told so elsewhere', async () => {
  const { page, context } = await atTheDesk(site, { rights: ['audit.view'], width: 'phone' })
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1, name: '操作日志' }).waitFor()
  await page.getByRole('button', { name: '菜单' }).click()
  expect(await page.getByRole('navigation', { name: '菜单' }).getByRole('link').allTextContents()).toEqual(['操作日志'])
  await page.goto('/admin/staff')
  await page.getByRole('heading', { name: '你无权查看' }).waitFor()
  await context.close()
})

test('the log is narrowed, walked through, and taken along as a file; the palette leads anywhere', async () => {
  const { page, context, complaints } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/audit')
  await page.getByRole('combobox', { name: 'Deed' }).selectOption({ label: 'Roles of staff: all' })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.waitForURL(/deed=staffRole/)
  await expect.poll(() => page.getByRole('cell', { name: 'Signed in' }).count()).toBe(0)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('audit-list.csv')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('rol')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('a setting is found, changed, refused where it cannot be, and given back; the site follows at once', async () => {
  const { page, context, complaints } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('topics on a page')
  await page.getByRole('option', { name: /Topics on a page/ }).click()
  const field = page.getByRole('spinbutton', { name: 'Topics on a page' })
  await field.fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Default: 30').waitFor()
  const visitor = await site.visit()
  await visitor.page.goto('/index')
  await expect.poll(() => visitor.page.locator('main article').count()).toBeLessThanOrEqual(14)
  await visitor.context.close()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('from 30 to 12').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Return to the default' }).click()
  await expect.poll(() => field.inputValue()).toBe('30')
  await field.fill('20')
  await page.getByRole('link', { name: 'Roles', exact: true }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor()
  expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
  await context.close()
})

test('every group of settings can be saved as it stands', async () => {
  const { page, context } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/setting')
  const groups = page.getByRole('navigation', { name: 'Groups of settings' }).getByRole('link')
  await groups.first().waitFor()
  for (const group of await groups.all()) {
    await group.click()
    await page.getByRole('region', { name: (await group.textContent()) ?? '', exact: true }).waitFor()
    const saved = page.waitForResponse((answer) => answer.url().includes('/admin/setting/change'))
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status(), (await group.textContent()) ?? '').toBe(200)
  }
  await context.close()
})

test('a form in a dialog is not thrown away unasked', async () => {
  const { page, context } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/role')
  await page.getByRole('button', { name: 'Add a role' }).click()
  const name = page.getByRole('textbox', { name: 'Name in English' })
  await name.fill('Gardener')
  for (const close of [() => page.keyboard.press('Escape'), () => page.getByRole('button', { name: 'Close' }).click()]) {
    await close()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
    expect(await name.inputValue()).toBe('Gardener')
  }
  await page.getByRole('textbox', { name: 'Name in Chinese' }).fill('园丁')
  await page.getByRole('checkbox', { name: 'Comment without review' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Gardener', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add a role' }).click()
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
  await context.close()
})

test('who keeps the forum sees that all is well, empties its caches, and begins a backup that is rehearsed and fetched', async () => {
  const { page, context, complaints, account } = await atTheDesk(site, { language: 'en', rights: ['site.maintain', 'site.backup'] })
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  await page.getByRole('button', { name: 'Clear caches' }).click()
  await page.getByText('All caches are empty').waitFor()
  await page.getByRole('link', { name: 'All backups' }).click()
  await page.getByText('There is no backup yet.').waitFor()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('status').getByText('A backup is being written').waitFor()
  expect(await page.getByRole('button', { name: 'Back up now' }).isDisabled()).toBe(true)

  await workDone(site, deeds)
  await page.getByText(/[\d,]+ rows, \d+ files/).waitFor()
  expect(await page.getByRole('menuitem').count()).toBe(0)
  await page.getByRole('button', { name: /^What can be done with/ }).click()
  await page.getByRole('menuitem', { name: 'Rehearse a restore' }).click()
  await page
    .getByRole('status')
    .getByText(/^The restore of .* is being rehearsed/)
    .waitFor()
  await workDone(site, deeds)
  await page.getByText('Can be restored').first().waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: /^What can be done with/ }).click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^2.*\.tar$/)
  expect(await page.getByText(account).count()).toBeGreaterThan(0)
  expect(complaints).toEqual([])
  await context.close()
})

test.each([
  ['zh', 'phone'],
  ['en', 'desktop'],
] as const)('a checker finds nothing wrong at the desk, in %s on a %s, light and dark', async (language, width) => {
  const { page, context } = await atTheDesk(site, { language, width })
  const faults: string[] = []
  for (const path of [
    '/admin/dashboard',
    '/admin/pageView',
    '/admin/setting',
    '/admin/staff',
    '/admin/staffRole',
    '/admin/audit',
    '/admin/maintenance/health',
    '/admin/maintenance/job',
    '/admin/maintenance/backup',
    '/admin/self',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    faults.push(...(await blemishesInBoth(page)))
  }
  expect(faults).toEqual([])
  await context.close()
})

import { expect, test } from 'vitest'
import { maintenanceTools } from '#apps/server/maintenance.ts'
import { workDone } from '#maintenance/testing/factories.ts'
import { actionsWith } from '#maintenance/server/tools.ts'
import { visitAsStaff } from './staff-visit.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const actions = actionsWith(maintenanceTools({ config: { dataDir: site.dataDir, store: null }, ownerUrl: site.ownerUrl }))

test('the log is narrowed, walked through, and taken along as a file; the palette leads anywhere', async () => {
  const { page, context, complaints } = await visitAsStaff(site, { language: 'en' })
  await page.goto('/admin/audit')
  await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Staff roles: all' })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.waitForURL(/action=staffRole/)
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

test('a form in a dialog is not thrown away unasked', async () => {
  const { page, context } = await visitAsStaff(site, { language: 'en' })
  await page.goto('/admin/role')
  await page.getByRole('button', { name: 'Add a role' }).click()
  const name = page.getByRole('textbox', { name: 'English name' })
  await name.fill('Gardener')
  for (const close of [() => page.keyboard.press('Escape'), () => page.getByRole('button', { name: 'Close' }).click()]) {
    await close()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
    expect(await name.inputValue()).toBe('Gardener')
  }
  await page.getByRole('textbox', { name: 'Chinese name' }).fill('园丁')
  await page.getByRole('checkbox', { name: 'Comment without review' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Gardener', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add a role' }).click()
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
  await context.close()
})

test('a member of staff sees that all is well, empties the caches, and makes a backup, which is rehearsed and downloaded', async () => {
  const { page, context, complaints, account } = await visitAsStaff(site, { language: 'en', rights: ['site.maintain', 'site.backup'] })
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  await page.getByRole('button', { name: 'Clear caches' }).click()
  await page.getByText('The caches of all processes').waitFor()
  await page.getByRole('link', { name: 'All backups' }).click()
  await page.getByText('No backups yet.').waitFor()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByRole('status').getByText('Backing up').waitFor()
  expect(await page.getByRole('button', { name: 'Back up now' }).isDisabled()).toBe(true)

  await workDone(site, actions)
  await page.getByText(/[\d,]+ rows, \d+ files/).waitFor()
  expect(await page.getByRole('menuitem').count()).toBe(0)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Test restore' }).click()
  await page
    .getByRole('status')
    .getByText(/^Testing the restore of /)
    .waitFor()
  await workDone(site, actions)
  await page.getByText('Can be restored').first().waitFor()
  await page.getByRole('button', { name: /^Actions for/ }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Test restore', 'Delete'])
  expect(await page.getByText(account).count()).toBeGreaterThan(0)
  const chief = await visitAsStaff(site, { language: 'en' })
  await chief.page.goto('/admin/maintenance/backup')
  const saved = chief.page.waitForEvent('download')
  await chief.page.getByRole('button', { name: /^Actions for/ }).click()
  await chief.page.getByRole('menuitem', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^2.*\.tar$/)
  await chief.context.close()
  expect(complaints).toEqual([])
  await context.close()
})

import { expect, test } from 'vitest'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()

test('a preference chosen on one device applies on another', async () => {
  const zh = wordsIn('zh')
  const { page, complaints } = await site.visit({ as: 'laochen', width: 'phone' })
  await page.goto('/user/control/preferences')
  await page.getByLabel(zh('preferences.themeDark')).check()
  await page.getByLabel(zh('preferences.sizeLarger')).check()
  await screenshot(page, 'preferences-dark')
  const preference = () => site.database.app.selectFrom('preference').select(['theme', 'text_size']).executeTakeFirst()
  await expect.poll(preference).toEqual({ theme: 'dark', text_size: 'larger' })
  const other = await site.visit({ as: 'laochen' })
  await other.page.goto('/user/control/personalData')
  await other.page.locator('html[data-theme="dark"][data-text="larger"]').waitFor({ state: 'attached' })
  await screenshot(other.page, 'personal-data-dark')
  expect([...complaints, ...other.complaints]).toEqual([])
})

test('a member deactivates the account, after reading the consequences', async () => {
  const en = wordsIn('en')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/user/control/userLoginLogList')
  await page.getByRole('link', { name: en('account.kindRenewal'), exact: true }).waitFor()
  await screenshot(page, 'sessions')
  await page.goto('/user/control/leave')
  await page.getByLabel(en('leaving.erase'), { exact: false }).first().check()
  await page.getByText(en('leaving.whatStays')).waitFor()
  await screenshot(page, 'leave-erase')
  await page.locator('input[name="way"][value="away"]').check()
  await page.getByRole('button', { name: en('leaving.doAway') }).click()
  await page.waitForURL('**/index')
  await page.getByText(en('leaving.goneAway')).waitFor()
  await screenshot(page, 'leave-gone')
  expect(complaints).toEqual([])
})

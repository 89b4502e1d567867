import { expect, test } from 'vitest'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { transact } from '#base/server/database/database.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, lastTo } from '#delivery/testing/factories.ts'
import { lookOf } from './look-of.ts'
import { noWayToRecover } from './no-way-to-recover.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const password = 'rain-on-the-roof'
const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
await transact(site.database, (tx) => contact.bind(tx, id, { kind: 'email', address: 'chen@example.org' }))
await site.change('allowLoginAccountType', ['account', 'phone', 'email'])

noWayToRecover(site, [lookOf(import.meta.url)])

test('a member who forgot the password sets another by a code, and comes back to the page they left', async () => {
  const zh = wordsIn('zh')
  await site.change('emailProvider', 'outbox')
  await site.change('smsProvider', 'outbox')
  const { page, complaints } = await site.visit({ width: 'phone' })
  await page.goto(`/login?jumpUrl=${encodeReturnPath('/help')}`)
  await screenshot(page, 'recover-login')
  await page.getByRole('link', { name: zh('account.forgotPassword') }).click()
  await page.getByRole('link', { name: zh('account.byEmail'), exact: true }).click()
  await page.getByLabel(zh('contact.newEmail'), { exact: true }).fill('chen@example.org')
  await screenshot(page, 'recover-step1')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('chen@example.org').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, 'chen@example.org'))
  await page.getByRole('button', { name: zh('account.goOn'), exact: true }).click()
  await page.getByLabel(zh('account.newPassword'), { exact: true }).fill('password')
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill('password')
  await page.getByRole('button', { name: zh('account.setNewPassword') }).click()
  await page.getByText(zh('account.passwordCommon')).waitFor()
  await screenshot(page, 'recover-common')
  await page.getByLabel(zh('account.newPassword'), { exact: true }).fill(password)
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill(password)
  await page.getByRole('button', { name: zh('account.setNewPassword') }).click()
  // The message goes by itself.
  await Promise.all([page.getByText(zh('account.recovered')).waitFor(), page.waitForURL('**/login?**')])
  await page.getByLabel(zh('account.account'), { exact: true }).fill('laochen')
  await page.getByLabel(zh('account.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: zh('account.logIn'), exact: true }).click()
  await page.waitForURL('**/help')
  expect(await lastTo(site, 'chen@example.org', /重置/)).not.toBe('')
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

test('step two without step one leads back to the beginning', async () => {
  const en = wordsIn('en')
  const { page, complaints } = await site.visit({ language: 'en', theme: 'dark' })
  await page.goto('/findPassWord/step2')
  await page.getByText(en('account.recoveryExpired')).waitFor()
  await screenshot(page, 'recover-expired')
  await page.getByRole('link', { name: en('account.startAgain') }).click()
  await page.getByLabel(en('contact.newPhone'), { exact: true }).waitFor()
  await screenshot(page, 'recover-phone')
  expect(complaints).toEqual([])
})

test('a member sets a hint question, and recovers the account by it if staff allow it', async () => {
  const zh = wordsIn('zh')
  await site.change('recoverByHint', true)
  await site.write(async (tx) => void (await tx.deleteFrom('attempt').execute()))
  const own = await site.visit({ as: 'laochen', width: 'phone' })
  await own.page.goto('/user/control/hintQuestion')
  await own.page.getByLabel(zh('account.hintQuestion'), { exact: true }).fill('第一饼老茶是谁送的？')
  await own.page.getByLabel(zh('account.hintAnswer'), { exact: true }).fill('隔壁的李伯伯家')
  await screenshot(own.page, 'recover-hint-own')
  await own.page.getByRole('button', { name: zh('account.setHint'), exact: true }).click()
  await own.page.getByText('第一饼老茶是谁送的？').waitFor()
  const { page, complaints } = await site.visit({ width: 'phone' })
  await page.goto('/findPassWord/step1?by=account')
  await page.getByLabel(zh('account.account'), { exact: true }).fill('laochen')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: zh('account.goOn'), exact: true }).click()
  await page.getByText('第一饼老茶是谁送的？').waitFor()
  await page.getByLabel(zh('account.hintAnswer'), { exact: true }).fill('隔壁的 李伯伯家')
  await page.locator('.captcha button:enabled').first().waitFor()
  await screenshot(page, 'recover-hint')
  await page.getByRole('button', { name: zh('account.goOn'), exact: true }).click()
  await page.getByText(zh('account.wrongHint')).waitFor()
  await page.getByLabel(zh('account.hintAnswer'), { exact: true }).fill('隔壁的李伯伯家')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: zh('account.goOn'), exact: true }).click()
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).waitFor()
  expect([...own.complaints, ...complaints].filter((one) => !one.includes('status of 422'))).toEqual([])
})

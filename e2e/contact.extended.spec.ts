import { expect, test } from 'vitest'
import { codeTo, lastTo } from '#delivery/testing/factories.ts'
import { hashOnce } from '#account/testing/factories.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const password = 'rain-on-the-roof'
await site.change('emailProvider', 'outbox')
await site.change('smsProvider', 'outbox')
const password_hash = await hashOnce(password)
await site.write(async (tx) => void (await tx.updateTable('member').set({ password_hash }).where('account', '=', 'laochen').execute()))

async function loggedInLongAgo(): Promise<void> {
  await site.write(
    async (tx) =>
      void (await tx
        .updateTable('session')
        .set({ started_at: new Date(0) })
        .execute()),
  )
}

test('a member binds a number on a phone, and changes it later', async () => {
  const zh = wordsIn('zh')
  const { page, complaints } = await site.visit({ as: 'laochen', width: 'phone' })
  await page.goto('/user/control/signInMethods')
  await page.getByRole('link', { name: zh('contact.bindOf', { what: zh('contact.phone') }) }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('138 0000 0001')
  await screenshot(page, 'contact-bind')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 138 0000 0001').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000001'))
  await loggedInLongAgo()
  await screenshot(page, 'contact-code')
  await page.getByRole('button', { name: zh('contact.bind'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: zh('secondFactor.proveTitle') })
  await dialog.getByLabel(zh('secondFactor.password'), { exact: true }).fill('another-evening')
  await dialog.getByRole('button', { name: zh('secondFactor.goOn') }).click()
  await dialog.getByText(zh('secondFactor.passwordWrong')).waitFor()
  await screenshot(page, 'contact-prove')
  await dialog.getByLabel(zh('secondFactor.password'), { exact: true }).fill(password)
  await dialog.getByRole('button', { name: zh('secondFactor.goOn') }).click()
  await page.waitForURL('**/signInMethods')
  await page.getByText('+86****0001').waitFor()
  await screenshot(page, 'contact-bound')

  await page.getByRole('link', { name: zh('contact.changeOf', { what: zh('contact.phone') }) }).click()
  await page.getByRole('button', { name: zh('contact.goOn') }).click()
  await page.waitForURL('**/step2')
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('13800000002')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 13800000002').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000002'))
  await page.getByRole('button', { name: zh('contact.change'), exact: true }).click()
  await page.getByText('+86****0002').waitFor()
  expect(await lastTo(site, '+8613800000001')).toContain('换绑')
  expect(complaints.filter((one) => !/status of (422|428)/.test(one))).toEqual([])
})

test('an e-mail address is bound on a computer, after a wrong code', async () => {
  const en = wordsIn('en')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/user/control/emailBinding')
  await page.getByLabel(en('contact.newEmail'), { exact: true }).fill('Chen@Example.org')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: en('contact.sendCode') }).click()
  const field = page.getByLabel(en('contact.code'), { exact: true })
  await field.waitFor()
  const code = await codeTo(site, 'chen@example.org')
  await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await page.getByRole('button', { name: en('contact.bind'), exact: true }).click()
  await page.getByText(en('contact.codeWrong')).waitFor()
  await screenshot(page, 'contact-wrong-code')
  await field.fill(code)
  await page.getByRole('button', { name: en('contact.bind'), exact: true }).click()
  await page.getByText('c***@example.org').waitFor()
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

test('a member logs in by number with a code, if staff allow it', async () => {
  const zh = wordsIn('zh')
  await site.change('allowLoginAccountType', ['account', 'phone', 'email'])
  await site.write(async (tx) => void (await tx.deleteFrom('attempt').execute()))
  const { page, complaints } = await site.visit({ width: 'phone' })
  await page.goto('/login')
  await page.getByRole('link', { name: zh('account.byPhone'), exact: true }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).waitFor()
  await screenshot(page, 'contact-login')
  await page.getByRole('button', { name: zh('account.withCode') }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('138 0000 0002')
  await page.locator('.captcha button:enabled').first().waitFor()
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 138 0000 0002').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000002'))
  await page.getByRole('button', { name: zh('account.logIn'), exact: true }).click()
  await page.waitForURL('**/index')
  const other = await site.visit({ language: 'en' })
  await other.page.goto('/login?by=email')
  await other.page.getByLabel('Email address', { exact: true }).fill('chen@example.org')
  await other.page.getByLabel('Password', { exact: true }).fill(password)
  await screenshot(other.page, 'contact-login-email')
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.page.waitForURL('**/index')
  expect([...complaints, ...other.complaints]).toEqual([])
})

import { expect, test } from 'vitest'
import { codeTo } from '#delivery/testing/factories.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const password = 'rain-on-the-roof'

test('a visitor registers by number on a phone, and by e-mail on a computer', async () => {
  await site.change('emailProvider', 'outbox')
  await site.change('smsProvider', 'outbox')
  await site.change('allowRegisterAccountType', ['account', 'phone', 'email'])
  const zh = wordsIn('zh')
  const { page, complaints } = await site.visit({ width: 'phone' })
  await page.goto('/register')
  await page.getByRole('link', { name: zh('account.byPhone'), exact: true }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('138 0000 0009')
  await screenshot(page, 'register-by-phone')
  await page.locator('.captcha').waitFor()
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 138 0000 0009').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000009'))
  await page.getByRole('button', { name: zh('account.goOn'), exact: true }).click()
  await page.getByLabel(zh('account.nickname')).fill('门边人')
  await page.getByLabel(zh('account.password'), { exact: true }).fill('12345678')
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill('12345678')
  await page.getByLabel(new RegExp(zh('account.agreeStart'))).check()
  await page.getByRole('button', { name: zh('account.register'), exact: true }).click()
  await page.getByText(zh('account.passwordCommon')).waitFor()
  await screenshot(page, 'register-by-phone-form')
  await page.getByLabel(zh('account.password'), { exact: true }).fill(password)
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill(password)
  await page.getByRole('button', { name: zh('account.register'), exact: true }).click()
  await page.waitForURL('**/index')

  const en = wordsIn('en')
  const other = await site.visit({ language: 'en', theme: 'dark' })
  await other.page.goto('/register?by=email')
  await other.page.getByLabel(en('contact.newEmail'), { exact: true }).fill('gate@example.org')
  await other.page.locator('.captcha').waitFor()
  await other.page.getByRole('button', { name: en('contact.sendCode') }).click()
  await other.page.getByText('gate@example.org').waitFor()
  await other.page.getByLabel(en('contact.code'), { exact: true }).fill(await codeTo(site, 'gate@example.org'))
  await other.page.getByRole('button', { name: en('account.goOn'), exact: true }).click()
  await other.page.getByLabel(en('account.accountOptional'), { exact: true }).waitFor()
  await screenshot(other.page, 'register-by-email-form')
  await other.page.getByLabel(en('account.password'), { exact: true }).fill(password)
  await other.page.getByLabel(en('site.passwordAgain'), { exact: true }).fill(password)
  await other.page.getByLabel(new RegExp(en('account.agreeStart'))).check()
  await other.page.getByRole('button', { name: en('account.register'), exact: true }).click()
  await other.page.waitForURL('**/index')
  expect([...complaints, ...other.complaints].filter((one) => !one.includes('status of 422'))).toEqual([])
})

import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { hashOnce } from '#account/testing/factories.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const password = 'rain-on-the-roof'
const password_hash = await hashOnce(password)
await site.write(async (tx) => void (await tx.updateTable('member').set({ password_hash }).where('account', '=', 'laochen').execute()))

test('a member adds a passkey on a phone, and logs in by it alone', async () => {
  const zh = wordsIn('zh')
  const { page, complaints } = await site.visit({ as: 'laochen', width: 'phone' })
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // A passkey needs a domain name, not an IP address.
  const origin = site.url.replace('127.0.0.1', 'localhost')
  const pair = (await page.evaluate(() => localStorage.getItem('bbsToken'))) ?? ''
  await page.goto(`${origin}/about`)
  await page.evaluate((value) => localStorage.setItem('bbsToken', value), pair)
  await page.goto(`${origin}/user/control/passkeys`)
  await page.getByRole('button', { name: zh('accountSecurity.addPasskey') }).click()
  const dialog = page.getByRole('dialog', { name: zh('accountSecurity.addPasskey') })
  await dialog.getByLabel(zh('accountSecurity.passkeyName')).fill('我的手机')
  await screenshot(page, 'passkey-name')
  await dialog.getByRole('button', { name: zh('accountSecurity.addIt'), exact: true }).click()
  await page.getByText(zh('accountSecurity.passkeyAdded')).waitFor()
  await page.getByText('我的手机').waitFor()
  await screenshot(page, 'passkey-added')

  // The page being left may still make a request for its own data.
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${origin}/login`)
  await page.getByRole('button', { name: zh('secondFactor.withPasskey') }).waitFor()
  await screenshot(page, 'passkey-login')
  await page.getByRole('button', { name: zh('secondFactor.withPasskey') }).click()
  await page.waitForURL('**/index')
  await page.goto(`${origin}/user/control/passkeys`)
  await page.getByText(zh('accountSecurity.usedAt')).waitFor()
  expect(complaints.filter((one) => !one.includes('status of 401'))).toEqual([])
})

test('codes of an app are turned on on a computer, and asked for after the password', async () => {
  const en = wordsIn('en')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/user/control/secondFactor')
  await page.getByRole('button', { name: en('secondFactor.beginFactor') }).click()
  await page.getByRole('img', { name: en('secondFactor.scanLabel') }).waitFor()
  await screenshot(page, 'second-factor-begun')
  const secret = (await page.locator('code').first().textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.getByLabel(en('secondFactor.code'), { exact: true }).fill(totp.generate())
  await page.getByRole('button', { name: en('secondFactor.confirmFactor') }).click()
  await page.getByText(en('secondFactor.recoveryWhat')).waitFor()
  await screenshot(page, 'second-factor-codes')
  const recovery = (await page.locator('code').first().textContent()) ?? ''
  await page.getByRole('button', { name: en('secondFactor.kept') }).click()
  await page.getByRole('button', { name: en('secondFactor.renewCodes') }).waitFor()
  await screenshot(page, 'second-factor-on')

  const other = await site.visit({ language: 'en' })
  await other.page.goto('/login')
  await other.page.getByLabel(en('account.account'), { exact: true }).fill('laochen')
  await other.page.getByLabel(en('account.password'), { exact: true }).fill(password)
  await other.page.getByRole('button', { name: en('account.logIn'), exact: true }).click()
  await other.page.getByLabel(en('secondFactor.code'), { exact: true }).fill(recovery)
  await other.page.getByLabel(en('account.trusts')).check()
  await screenshot(other.page, 'second-factor-login')
  await other.page.getByRole('button', { name: en('account.logIn'), exact: true }).click()
  await other.page.waitForURL('**/index')
  await other.page.goto('/user/control/secondFactor')
  await other.page.getByText(en('accountSecurity.thisDevice')).waitFor()
  await screenshot(other.page, 'second-factor-devices')
  expect([...complaints, ...other.complaints]).toEqual([])
})

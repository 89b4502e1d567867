import { expect, test } from 'vitest'
import { codeTo, lastTo } from '#delivery/server/example.ts'
import { hashOnce } from '#account/server/example.ts'
import { shot } from './shot.ts'
import { aSite } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const password = 'rain-on-the-roof'
const password_hash = await hashOnce(password)
await site.write(async (tx) => void (await tx.updateTable('member').set({ password_hash }).where('account', '=', 'laochen').execute()))

test('a member binds a number on a phone, and changes it later', async () => {
  const zh = wordsIn('zh')
  const { page, complaints } = await site.visit({ as: 'laochen', width: 'phone' })
  await page.goto('/user/control/signInMethods')
  await page.getByRole('link', { name: zh('contact.bindOf', { what: zh('contact.phone') }) }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('138 0000 0001')
  await shot(page, 'contact-bind')
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 138 0000 0001').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000001'))
  await page.getByLabel(zh('contact.password'), { exact: true }).fill(password)
  await shot(page, 'contact-code')
  await page.getByRole('button', { name: zh('contact.bind'), exact: true }).click()
  await page.waitForURL('**/signInMethods')
  await page.getByText('+86****0001').waitFor()
  await shot(page, 'contact-bound')

  await page.getByRole('link', { name: zh('contact.changeOf', { what: zh('contact.phone') }) }).click()
  await page.getByLabel(zh('contact.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: zh('contact.goOn') }).click()
  await page.waitForURL('**/step2')
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('13800000002')
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 13800000002').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000002'))
  await page.getByRole('button', { name: zh('contact.change'), exact: true }).click()
  await page.getByText('+86****0002').waitFor()
  expect(await lastTo(site, '+8613800000001')).toContain('换绑')
  expect(complaints).toEqual([])
})

test('an e-mail address is bound at the desk, after a wrong code', async () => {
  const en = wordsIn('en')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/user/control/emailBinding')
  await page.getByLabel(en('contact.newEmail'), { exact: true }).fill('Chen@Example.org')
  await page.getByRole('button', { name: en('contact.sendCode') }).click()
  const field = page.getByLabel(en('contact.code'), { exact: true })
  await field.waitFor()
  const code = await codeTo(site, 'chen@example.org')
  await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await page.getByLabel(en('contact.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: en('contact.bind'), exact: true }).click()
  await page.getByText(en('contact.codeWrong')).waitFor()
  await shot(page, 'contact-wrong-code')
  await field.fill(code)
  await page.getByRole('button', { name: en('contact.bind'), exact: true }).click()
  await page.getByText('c***@example.org').waitFor()
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

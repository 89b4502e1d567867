import { expect, test } from 'vitest'
import { tellOfDevelopment } from '#base/server/development.ts'
import { codeTo } from '#delivery/server/example.ts'
import { shot } from './shot.ts'
import { aSite } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()

test('who may not post yet is led to bind a phone and back, and what was written is still there', async () => {
  const zh = wordsIn('zh')
  await site.change('realNameForPosting', 'phone')
  const { page, complaints } = await site.visit({ as: 'laochen', width: 'phone' })
  await page.goto(`/thread?topicId=${await site.topic('一条 SQL')}#write`)
  const editor = page.locator('[contenteditable="true"]').first()
  await editor.click()
  await editor.pressSequentially('雨停了再走')
  await page
    .getByRole('button', { name: zh('comment.post'), exact: true })
    .locator('visible=true')
    .last()
    .click()
  await page.getByText(zh('realName.phoneFirst')).waitFor()
  await shot(page, 'real-name-first')
  await page.getByRole('link', { name: zh('realName.verifyNow') }).click()
  await page.getByText(zh('realName.askedPhone')).waitFor()
  await shot(page, 'real-name-page')
  await page.getByRole('link', { name: zh('contact.bindOf', { what: zh('contact.phone') }) }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('138 0000 0001')
  await page.locator('.captcha').waitFor()
  await page.getByRole('button', { name: zh('contact.sendCode') }).click()
  await page.getByText('+86 138 0000 0001').waitFor()
  await page.getByLabel(zh('contact.code'), { exact: true }).fill(await codeTo(site, '+8613800000001'))
  await page.getByRole('button', { name: zh('contact.bind'), exact: true }).click()
  await page.waitForURL('**/thread?**')
  await page.locator('[contenteditable="true"]', { hasText: '雨停了再走' }).waitFor()
  await page
    .getByRole('button', { name: zh('comment.post'), exact: true })
    .locator('visible=true')
    .last()
    .click()
  await page.locator('article', { hasText: '雨停了再走' }).first().waitFor()
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

test('an identity is checked at the desk, after a wrong number, and withdrawn', async () => {
  const en = wordsIn('en')
  tellOfDevelopment(true)
  await site.change('identityChecker', 'standIn')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/user/control/realNameAuthentication')
  await page.getByLabel(en('realName.name'), { exact: true }).fill('陈小茶')
  const number = page.getByLabel(en('realName.number'), { exact: true })
  await number.fill('110101199003070019')
  await page.getByLabel(en('realName.agrees')).check()
  await page.getByRole('button', { name: en('realName.check'), exact: true }).click()
  await page.getByText(en('realName.wrongIdNumber')).waitFor()
  await shot(page, 'real-name-wrong')
  await number.fill('110101199003070011')
  await page.getByRole('button', { name: en('realName.check'), exact: true }).click()
  await page.getByText('陈**').waitFor()
  await shot(page, 'real-name-checked')
  await page.getByRole('button', { name: en('realName.withdraw') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('realName.withdraw') })
    .click()
  await number.waitFor()
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

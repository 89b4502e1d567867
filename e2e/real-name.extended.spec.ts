import { expect, test } from 'vitest'
import { setDevelopment } from '#base/server/development.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { codeTo } from '#delivery/testing/factories.ts'
import { anIdNumber } from '#real-name/testing/factories.ts'
import * as realName from '#real-name/server/real-name.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()

test('a member who may not post yet is led to bind a phone and back, and the text is still there', async () => {
  const zh = wordsIn('zh')
  await site.change('smsProvider', 'outbox')
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
  await screenshot(page, 'real-name-first')
  await page.getByRole('link', { name: zh('realName.verifyNow') }).click()
  await page.getByText(zh('realName.askedPhone')).waitFor()
  await screenshot(page, 'real-name-page')
  await page.getByRole('link', { name: zh('contact.bindOf', { what: zh('contact.phone') }) }).click()
  await page.getByLabel(zh('contact.newPhone'), { exact: true }).fill('138 0000 0001')
  await page.locator('.captcha button:enabled').first().waitFor()
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

test('an identity is checked on a computer, after a wrong number, and withdrawn', async () => {
  const en = wordsIn('en')
  setDevelopment(true)
  await site.change('realNameProvider', 'standIn')
  const { page, complaints } = await site.visit({ as: 'laochen', language: 'en' })
  await page.goto('/user/control/realNameAuthentication')
  await page.getByLabel(en('realName.name'), { exact: true }).fill('陈小茶')
  const number = page.getByLabel(en('realName.number'), { exact: true })
  await number.fill('110101199003070019')
  await page.getByLabel(en('realName.agrees')).check()
  await page.getByRole('button', { name: en('realName.check'), exact: true }).click()
  await page.getByText(en('realName.wrongIdNumber')).waitFor()
  await screenshot(page, 'real-name-wrong')
  await number.fill('110101199003070011')
  await page.getByRole('button', { name: en('realName.check'), exact: true }).click()
  await page.getByText('陈**').waitFor()
  await screenshot(page, 'real-name-checked')
  await page.getByRole('button', { name: en('realName.withdraw') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('realName.withdraw') })
    .click()
  await number.waitFor()
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

test('staff give a reason and read a name until they leave the page, and its owner is notified', async () => {
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()
  const number = anIdNumber(`${new Date().getFullYear() - 16}0101`)
  const claim = { document: 'chineseId', name: '欧阳小茶', number, birthday: `${new Date().getFullYear() - 16}-01-01` } as const
  await site.write((tx) => realName.store(tx, id, claim, 'webhook'))
  for (const [language, width, theme] of [
    ['en', 'desktop', 'light'],
    ['zh', 'phone', 'dark'],
  ] as const) {
    const words = wordsIn(language)
    const { page, context, complaints } = await visitAsStaff(site, { language, width, theme })
    await page.goto(`/admin/member/view?memberId=${id}`)
    await page.getByText(words('memberAdmin.minorIs', { isMinor: 'true' })).waitFor()
    await screenshot(page, `real-name-staff-${language}-${width}`)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.getByText(claim.name).count()).toBe(0)
    await page.getByRole('button', { name: words('memberAdmin.showName') }).click()
    const dialog = page.getByRole('dialog')
    const reason = dialog.getByLabel(words('memberAdmin.reasonForLog'), { exact: true })
    await dialog.getByRole('button', { name: words('memberAdmin.showNameNow'), exact: true }).click()
    await dialog.getByRole('alert').first().waitFor()
    await screenshot(page, `real-name-staff-ask-${language}-${width}`)
    await reason.fill('7/12')
    await dialog.getByRole('button', { name: words('memberAdmin.showNameNow'), exact: true }).click()
    await page.getByText(claim.name).waitFor()
    await page.getByText(number).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('real-name')
    await screenshot(page, `real-name-staff-shown-${language}-${width}`)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('link', { name: words('memberAdmin.record'), exact: true }).click()
    await page.getByText(words('memberAdmin.recordWhat')).waitFor()
    await page.getByRole('link', { name: words('memberAdmin.overview'), exact: true }).click()
    await page.getByRole('button', { name: words('memberAdmin.showName') }).waitFor()
    expect(await page.getByText(claim.name).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  }
  const zh = wordsIn('zh')
  const { page } = await site.visit({ as: 'azhe', width: 'phone' })
  await page.goto('/user/control/systemNotifyList')
  await page.getByText(zh('notification.realNameRead')).first().waitFor()
  await screenshot(page, 'real-name-read-notice')
})

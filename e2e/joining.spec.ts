import { expect, test } from 'vitest'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const password = 'rain-on-the-roof'
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('a visitor registers with the link of an invitation by staff', async () => {
  await site.change('registrationMode', 'invitation')
  const chief = await visitAsStaff(site, { language: 'en' })
  await chief.page.goto('/admin/invitations')
  await chief.page.getByRole('button', { name: en('invitationAdmin.add') }).click()
  await chief.page.getByRole('textbox', { name: en('invitationAdmin.note') }).fill('The tea fair')
  await screenshot(chief.page, 'invitations-making')
  const response = chief.page.waitForResponse((answer) => answer.url().includes('/admin/invitation/add'))
  await chief.page.getByRole('button', { name: en('invitationAdmin.make'), exact: true }).click()
  const { code } = (await (await response).json()) as { code: string }
  await chief.page.getByRole('cell', { name: 'The tea fair' }).waitFor()
  await screenshot(chief.page, 'invitations')

  const { page, complaints } = await site.visit({ width: 'phone' })
  await page.goto('/register')
  await page.getByLabel(zh('invitation.code'), { exact: true }).waitFor()
  await page.goto(`/register?invite=${code}`)
  await expect.poll(() => page.getByLabel(zh('invitation.code'), { exact: true }).inputValue()).toBe(code)
  await page.getByLabel(zh('account.account'), { exact: true }).fill('from_the_fair')
  await page.getByLabel(zh('account.password'), { exact: true }).fill(password)
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill(password)
  await page.getByLabel(new RegExp(zh('account.agreeStart'))).check()
  await screenshot(page, 'invited')
  await page.getByRole('button', { name: zh('account.register'), exact: true }).click()
  await page.waitForURL('**/index')
  await page.goto('/user/control/invitations')
  await page.getByText(zh('invitation.mayNot')).waitFor()
  expect([...complaints, ...chief.complaints]).toEqual([])
})

test('a member registered with approval reads, sees that they wait, and is approved by staff', async () => {
  await site.change('registrationMode', 'approval')
  const { page, complaints } = await site.visit({ width: 'phone', theme: 'dark' })
  await page.goto('/register')
  await page.getByLabel(zh('account.account'), { exact: true }).fill('at_the_door')
  await page.getByLabel(zh('account.password'), { exact: true }).fill(password)
  await page.getByLabel(zh('site.passwordAgain'), { exact: true }).fill(password)
  await page.getByLabel(new RegExp(zh('account.agreeStart'))).check()
  await page.getByRole('button', { name: zh('account.register'), exact: true }).click()
  await page.waitForURL('**/index')
  await page.getByText(zh('site.waitsForStaff')).waitFor()
  await screenshot(page, 'joining-waits')
  await page.goto(`/thread?topicId=${await site.topic('凤凰单丛')}`)
  await page.getByText(zh('site.waitsForStaff')).waitFor()
  await screenshot(page, 'joining-reads')

  const chief = await visitAsStaff(site, { language: 'en' })
  await chief.page.goto('/admin/joining')
  await chief.page.getByRole('checkbox', { name: /at_the_door/ }).check()
  await screenshot(chief.page, 'joining-desk')
  await chief.page.getByRole('combobox', { name: en('batchAdmin.action') }).selectOption({ label: en('memberAdmin.approve') })
  const dialog = chief.page.getByRole('dialog')
  await dialog.getByText(en('memberAdmin.approveWhat')).waitFor()
  await dialog.getByRole('button', { name: en('memberAdmin.approve'), exact: true }).click()
  await chief.page.getByRole('link', { name: 'at_the_door' }).waitFor({ state: 'detached' })
  await page.goto('/user/control/systemNotifyList')
  await page.getByText(zh('notification.joiningApproved')).waitFor()
  await page.getByText(zh('site.waitsForStaff')).waitFor({ state: 'detached' })
  expect([...complaints, ...chief.complaints]).toEqual([])
})

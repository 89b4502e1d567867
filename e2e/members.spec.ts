import { expect, test } from 'vitest'
import { blemishesInBoth } from './blemishes.ts'
import { atTheDesk } from './at-the-desk.ts'
import { aSite } from './site.ts'

const site = await aSite()
const topicId = await site.topic('一条 SQL')

test('a member is found, banned from commenting with a reason, and told of it at the form; lifted, the ban is gone', async () => {
  const { page, context, complaints } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/member')
  await page.getByRole('textbox', { name: 'Name begins with' }).fill('laoch')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('link', { name: 'laochen' }).click()
  await page.getByRole('link', { name: 'Bans (0)' }).click()
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Ban / })
  await dialog.getByRole('checkbox', { name: 'Writing and editing comments' }).check()
  await dialog.getByRole('combobox', { name: 'For how long' }).selectOption({ label: '7 days' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Quarrelled again and again')
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await page.getByText('Banned. It works at once.').waitFor()

  const mei = await site.visit({ as: 'laochen' })
  await mei.page.goto(`/thread?topicId=${topicId}`)
  const editor = mei.page.getByRole('textbox', { name: '你的评论' })
  await editor.click()
  await mei.page.keyboard.type('还有一个问题')
  await mei.page.getByRole('button', { name: '发表评论' }).click()
  await mei.page.getByText(/你不能发表或修改评论。原因：Quarrelled again and again/).waitFor()
  expect(await editor.textContent()).toContain('还有一个问题')
  await mei.page.goto('/user/control/home')
  await mei.page.getByText(/你暂时不能发表或修改评论/).waitFor()
  await mei.context.close()

  await page.getByRole('link', { name: 'Bans (1)' }).waitFor()
  await page.getByRole('button', { name: 'Lift' }).click()
  await page.getByText('The ban is lifted.').waitFor()
  await page.getByText(/lifted by/).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('a spammer is cleaned up after from the palette on, and all of it comes back when that was wrong', async () => {
  const { page, context, complaints } = await atTheDesk(site, { language: 'zh' })
  await page.goto('/admin/member')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nanfeng')
  await page.getByRole('option', { name: /nanfeng/ }).click()
  await page.getByRole('button', { name: /的操作$/ }).click()
  await page.getByRole('menuitem', { name: '清理垃圾内容' }).click()
  await page.getByRole('textbox', { name: '原因' }).first().fill('到处贴广告')
  await page.getByRole('button', { name: '清理', exact: true }).click()
  await page.getByRole('cell', { name: /已撤下 \d+ 条/ }).waitFor()

  const visitor = await site.visit()
  await visitor.page.goto('/index')
  await visitor.page.locator('main article').first().waitFor()
  expect(await visitor.page.locator('main').getByText('南风知我意').count()).toBe(0)
  await page.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click()
  await page.getByRole('cell', { name: /已恢复 \d+ 条/ }).waitFor()
  const wrong = await site.database.app
    .selectFrom('member')
    .select('id')
    .where('account', '=', 'nanfeng')
    .where('deactivated_at', 'is not', null)
    .execute()
  expect(wrong).toEqual([])
  expect(complaints).toEqual([])
  await visitor.context.close()
  await context.close()
})

test('what the site asks of members is asked when they register, and shown on their page', async () => {
  const { page, context, complaints } = await atTheDesk(site, { language: 'en' })
  await page.goto('/admin/field')
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.getByRole('textbox', { name: 'Name in Chinese' }).fill('最爱的茶')
  await page.getByRole('textbox', { name: 'Name in English' }).fill('Favourite tea')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'One of several' })
  await page.getByRole('textbox', { name: 'Options' }).fill('green | 绿茶 | Green\nblack | 红茶 | Black')
  await page.getByRole('checkbox', { name: 'Must be answered' }).check()
  await page.getByRole('checkbox', { name: 'Shown to everybody' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Favourite tea', exact: true }).waitFor()
  expect(complaints).toEqual([])
  await context.close()

  await site.change('registerCaptcha', false)
  const guest = await site.visit({ language: 'en', width: 'phone' })
  await guest.page.goto('/register')
  await guest.page.getByRole('textbox', { name: 'Account' }).fill('new_guest')
  await guest.page.getByRole('textbox', { name: 'Password', exact: true }).fill('a-quiet-evening')
  await guest.page.getByRole('textbox', { name: 'Password again' }).fill('a-quiet-evening')
  await guest.page.getByRole('textbox', { name: 'Hint question' }).fill('Which tea in the morning?')
  await guest.page.getByRole('textbox', { name: 'Answer' }).fill('Longjing, always')
  await guest.page.getByRole('checkbox', { name: /agree/ }).check()
  await guest.page.getByRole('button', { name: 'Register' }).click()
  await guest.page.getByText('Please fill this in.').waitFor()
  await guest.page.getByRole('radio', { name: 'Black' }).check()
  await guest.page.getByRole('button', { name: 'Register' }).click()
  await guest.page.waitForURL(/\/index/)
  await guest.page.goto('/user/control/home')
  await guest.page.getByText('Favourite tea').waitFor()
  await guest.page.getByText('Black', { exact: true }).waitFor()
  await guest.context.close()
})

test.each([
  ['zh', 'phone'],
  ['en', 'desktop'],
] as const)('a checker finds nothing wrong with the screens of members, in %s on a %s, light and dark', async (language, width) => {
  const { page, context } = await atTheDesk(site, { language, width })
  const { id } = await site.database.app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
  const faults: string[] = []
  const view = `/admin/member/view?memberId=${id}`
  for (const path of [
    '/admin/member',
    view,
    `${view}&tab=bans`,
    `${view}&tab=access`,
    `/admin/cleaning?memberId=${id}`,
    `/admin/member/merge?memberId=${id}`,
    '/admin/role',
    '/admin/field',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    faults.push(...(await blemishesInBoth(page)))
  }
  expect(faults).toEqual([])
  await context.close()
})

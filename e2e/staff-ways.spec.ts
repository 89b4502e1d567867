import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import * as contact from '#contact/server/contact.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const db = site.database.app
const { id: member_id } = await db.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()

await transact(site.database, async (tx) => {
  await contact.bind(tx, member_id, { kind: 'phone', address: '+8613800138000' })
  await contact.bind(tx, member_id, { kind: 'email', address: 'laochen@example.org' })
  const provider = { protocol: 'oidc' as const, name_zh: '公司账号', name_en: 'Company', client_id: 'x', client_secret: Buffer.alloc(0) }
  const { id: provider_id } = await tx
    .insertInto('identity_provider')
    .values({ ...provider, address: 'https://login.example.org', is_enabled: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('member_identity').values({ provider_id, member_id, subject: 'chen', name: 'Old Chen' }).execute()
  const key = { credential_id: 'a device', public_key: Buffer.alloc(1), counter: '0', transports: [] }
  await tx
    .insertInto('passkey')
    .values({ member_id, ...key, name: 'iPhone' })
    .execute()
})
const path = `/admin/member/view?memberId=${member_id}&tab=access`

test('on a phone a passkey is removed with a reason, which the member reads; one already gone says so', async () => {
  const { page, context, complaints } = await visitAsStaff(site, { language: 'zh', width: 'phone' })
  const mei = await site.visit({ as: 'laochen' })
  await page.goto(path)
  await page.getByText('通行密钥 · iPhone').waitFor()
  await screenshot(page, 'staff-ways-zh-phone')
  await page.getByRole('button', { name: '删除通行密钥“iPhone”' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('本人到柜台要求')
  await screenshot(page, 'staff-ways-asked-zh-phone')
  await dialog.getByRole('button', { name: '删除', exact: true }).click()
  await page.getByText('已删除，成员已收到通知。').waitFor()
  await page.getByText('通行密钥 · iPhone').waitFor({ state: 'detached' })
  // Another member of staff was first.
  await transact(site.database, (tx) => contact.unbind(tx, member_id, 'phone'))
  await page.getByRole('button', { name: /解除绑定.*8000/ }).click()
  await dialog.getByRole('textbox').fill('本人到柜台要求')
  await dialog.getByRole('button', { name: '解除绑定', exact: true }).click()
  await page.getByText('它已移除或更换').waitFor()
  await mei.page.goto('/user/control/systemNotifyList')
  await mei.page.getByText('工作人员删除了你的通行密钥“iPhone”').waitFor()
  await screenshot(mei.page, 'staff-ways-notice-zh')
  expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
  await mei.context.close()
  await context.close()
})

test('the whole page is readable on a computer in the dark', async () => {
  const { page, context, complaints } = await visitAsStaff(site, { language: 'en', theme: 'dark' })
  await page.goto(path)
  await page.getByText('Company · Old Chen').waitFor()
  await screenshot(page, 'staff-ways-en-dark')
  await page.getByRole('button', { name: 'Unlink Company' }).click()
  await page.getByRole('dialog').getByText('It can no longer be used to sign in to this account.').waitFor()
  await screenshot(page, 'staff-ways-asked-en-dark')
  expect(complaints).toEqual([])
  await context.close()
})

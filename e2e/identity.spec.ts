import { expect, test } from 'vitest'
import { hashOnce } from '#account/testing/factories.ts'
import { transact } from '#base/server/database/database.ts'
import { openIdProvider } from '#base/testing/oidc-provider.ts'
import { sealSecret } from '#identity/server/provider-queries.ts'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { builtForum } from './site.ts'
import { screenshot } from './shot.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const zh = wordsIn('zh')
const provider = await openIdProvider(`${site.url}/thirdParty/loginRedirect`)

await transact(site.database, (tx) =>
  tx
    .insertInto('identity_provider')
    .values({
      protocol: 'oidc',
      name_zh: '公司账号',
      name_en: 'Company',
      address: provider.issuer,
      client_id: provider.clientId,
      client_secret: sealSecret({ protocol: 'oidc', address: provider.issuer }, provider.clientId, provider.clientSecret),
      is_enabled: true,
    })
    .execute(),
)

test('a visitor comes from a provider, makes an account, and comes back by it on another device', async () => {
  provider.person = { id: 'new', name: '林小满' }
  const { page, complaints } = await site.visit({ width: 'phone' })
  const topic = `/thread?topicId=${await site.topic('一条 SQL')}`
  await page.goto(`/login?jumpUrl=${encodeReturnPath(topic)}`)
  await page.getByRole('button', { name: '公司账号' }).waitFor()
  await screenshot(page, 'identity-login')
  await page.getByRole('button', { name: '公司账号' }).click()
  await page.getByText('林小满').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.getByLabel(zh('account.nickname')).inputValue()).toBe('林小满')
  await screenshot(page, 'identity-new')
  // The suggested account name comes from the provider's name.
  await expect.poll(() => page.getByLabel(zh('account.account'), { exact: true }).inputValue()).toMatch(/^linxiaoman\d{4}$/)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: zh('identity.makeAccount') }).click()
  await page.waitForURL((url) => url.href.endsWith(topic))
  const other = await site.visit({ language: 'en' })
  await other.page.goto('/login')
  await other.page.getByRole('button', { name: 'Company' }).click()
  await other.page.waitForURL('**/index')
  await other.page.goto('/user/control/signInMethods')
  await other.page.getByText(/^Linked/).waitFor()
  await screenshot(other.page, 'identity-methods')
  await other.page.getByRole('link', { name: 'Set password' }).click()
  await other.page.getByRole('button', { name: 'Show', exact: true }).click()
  await other.page.getByLabel('New password').fill('rain-on-the-roof')
  expect(await other.page.getByLabel('Confirm password').count()).toBe(0)
  await other.page.getByRole('button', { name: 'Set password' }).click()
  await other.page.getByLabel('Current password').waitFor()
  await other.page.goBack()
  await other.page.getByRole('link', { name: 'Change password' }).waitFor()
  await other.page.getByRole('button', { name: 'Unlink Company' }).click()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click()
  await other.page.getByText('Not linked').waitFor()
  expect([...complaints, ...other.complaints]).toEqual([])
})

test('a member with an account logs in and links the provider; one who declines there is told that nothing happened', async () => {
  provider.person = { id: 'known', name: '老陈' }
  const password_hash = await hashOnce('rain-on-the-roof')
  await site.write(async (tx) => void (await tx.updateTable('member').set({ password_hash }).where('account', '=', 'laochen').execute()))
  const { page, complaints } = await site.visit()
  await page.goto('/login')
  await page.getByRole('button', { name: '公司账号' }).click()
  await page.getByRole('link', { name: zh('identity.logInAndLink') }).click()
  await page.getByLabel(zh('account.account'), { exact: true }).fill('laochen')
  await page.getByLabel(zh('account.password'), { exact: true }).fill('rain-on-the-roof')
  await page.getByRole('button', { name: zh('account.logIn'), exact: true }).click()
  await page.getByText(zh('identity.waitingAs', { provider: '公司账号', name: '老陈' })).waitFor()
  await page.getByRole('button', { name: zh('identity.link'), exact: true }).click()
  await page
    .getByText(zh('identity.linked', { name: '公司账号' }))
    .first()
    .waitFor()
  await page.waitForURL('**/index')
  await page.goto('/user/control/signInMethods')
  await page.getByRole('button', { name: zh('identity.unlinkOf', { name: '公司账号' }) }).waitFor()
  provider.person = null
  const refused = await site.visit({ language: 'en' })
  await refused.page.goto('/login')
  await refused.page.getByRole('button', { name: 'Company' }).click()
  await refused.page.getByText('You declined the request').waitFor()
  await refused.page.getByRole('link', { name: 'Back', exact: true }).click()
  await refused.page.waitForURL('**/login?jumpUrl=*')
  expect(complaints).toEqual([])
})

import { afterAll, expect, test } from 'vitest'
import { baseInfo } from '#setting/contract.ts'
import { readConfig } from '#base/server/config.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { aForum } from '#base/testing/forum.ts'
import { signIn } from '#staff/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ env: { TEAHOUSE_URL: 'https://tea.example.org' } })
afterAll(() => setSiteAddress(readConfig({})))

const cookiesOf = (headers: Record<string, unknown>) => [headers['set-cookie']].flat().map(String)

test('on a site with HTTPS, the HttpOnly cookie is set by encrypted answers alone', async () => {
  const chief = await aStaffer(forum)
  const { response } = await chief.tryCall(signIn, { account: chief.account, password: chief.password })
  const cookies = cookiesOf(response.headers)
  expect(cookies).toContainEqual(
    expect.stringMatching(/^__Secure-teahouse_staff=[\w-]{43}; Path=\/api\/admin; HttpOnly; SameSite=Strict; Secure$/),
  )
  expect(cookies).toContainEqual(
    expect.stringMatching(/^__Secure-teahouse_wrote=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/),
  )
  expect((await chief.tryCall(me, {})).status).toBe(200)
})

test('a cookie of the same content under another name gives no access', async () => {
  const chief = await aStaffer(forum)
  const planted = { ...chief.headers('GET'), cookie: `teahouse_staff=${chief.secret}` }
  expect((await forum.app.inject({ url: '/api/admin/me', headers: planted })).statusCode).toBe(401)
})

test('the token of writes, which scripts read, keeps its name', async () => {
  const { response } = await forum.visitor().tryCall(baseInfo, {})
  expect(cookiesOf(response.headers)).toEqual([
    expect.stringMatching(/^cms_token=[\w.-]+; Path=\/; SameSite=Lax; Max-Age=31536000; Secure$/),
  ])
})

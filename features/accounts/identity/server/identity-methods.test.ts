import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { fakeProvider } from '#base/testing/fake-provider.ts'
import { openIdProvider } from '#base/testing/oidc-provider.ts'
import { followRedirects } from '#base/testing/fake-server.ts'
import * as contract from '#identity/contract.ts'
import { addProvider } from '#identity/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ env: { TEAHOUSE_URL: 'http://forum.example' } })
const home = 'http://forum.example/thirdParty/loginRedirect'
const chief = await aStaffer(forum)
const all = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const

test.each([
  ...all.map((method) => ({ method, named: [method] })),
  ...all.map((method) => ({ method, named: all })),
  // Without a setting the provider names all methods but the last.
  { method: 'client_secret_basic' as const },
])('a provider lets in by the way to show a secret that it takes: $method of $named', async (takes) => {
  const provider = await openIdProvider(home, takes)
  const { providerId } = await chief.call(addProvider, {
    protocol: 'oidc',
    zh: '公司',
    en: 'Company',
    address: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    isEnabled: true,
  })
  const visitor = forum.visitor()
  const { redirectUrl } = await visitor.call(contract.beginWay, { providerId })
  expect(await visitor.call(contract.endWay, { answer: await followRedirects(redirectUrl, home) })).toMatchObject({
    outcome: 'isNew',
    name: 'Lin Xi',
  })
})

const plain = `Basic ${Buffer.from('tea-house:a+secret/of~ours').toString('base64')}`
const refusals: [string, () => Response][] = [
  ['an error', () => Response.json({ error: 'invalid_client' }, { status: 400 })],
  ['a status alone', () => new Response('Unauthorized', { status: 401, headers: { 'www-authenticate': 'Basic' } })],
]

test.each(refusals)('a provider that compares without decoding and refuses with %s is asked with the plain text', async (_, refuses) => {
  const provider = await fakeProvider('tea-house')
  Object.assign(provider, { authMethods: ['client_secret_basic'], authorization: plain, refuses })
  const ours = { zh: '公司', en: 'Company', address: provider.issuer, clientId: 'tea-house', isEnabled: true, protocol: 'oidc' } as const
  const { providerId } = await chief.call(addProvider, { ...ours, clientSecret: 'a+secret/of~ours' })
  const arrives = async () => {
    const visitor = forum.visitor()
    const { redirectUrl } = await visitor.call(contract.beginWay, { providerId })
    const { searchParams } = new URL(redirectUrl)
    const answer = new URLSearchParams({ code: searchParams.get('nonce') ?? '', state: searchParams.get('state') ?? '' })
    return visitor.tryCall(contract.endWay, { answer: answer.toString() })
  }
  expect((await arrives()).body).toMatchObject({ outcome: 'isNew', name: 'Somebody' })
  provider.authorization = 'Basic of another secret'
  expect((await arrives()).error['identity']).toMatch(/^Couldn’t sign in with Company/)
  await provider.close()
})

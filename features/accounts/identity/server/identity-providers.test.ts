import { afterAll, beforeEach, expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { fakeProvider } from '#base/testing/fake-provider.ts'
import { appOf, fakeProviders, secretOf } from '#base/testing/fake-providers.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { auditLog } from '#audit/contract.ts'
import * as contract from '#identity/contract.ts'
import * as desk from '#identity/staff-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum({ env: { TEAHOUSE_URL: 'http://forum.example' } })
const chief = await aStaffer(forum)
const liar = await fakeProvider('us')
const others = await fakeProviders()
afterAll(async () => {
  await liar.close()
  await others.close()
})
const lying = {
  protocol: 'oidc',
  zh: '谎',
  en: 'Liar',
  address: liar.issuer,
  clientId: 'us',
  clientSecret: 'ours',
  isEnabled: true,
} as const
const { providerId } = await chief.call(desk.addProvider, lying)

beforeEach(() => {
  liar.alterClaims = (claims) => claims
  liar.usesUnknownKey = false
  liar.isUnsigned = false
  liar.userinfo = null
  liar.hangsAt = null
  others.unionId = undefined
  others.subject = undefined
  others.returnsNames = true
  others.qqClient = appOf.qq
})

/** Returns from a provider that gave this code, or from the fake one, whose code is the nonce. */
async function arrives(visitor: Visitor, from: string, code?: string) {
  const { redirectUrl } = await visitor.call(contract.beginWay, { providerId: from })
  const { searchParams } = new URL(redirectUrl)
  const answer = new URLSearchParams({ code: code ?? searchParams.get('nonce') ?? '', state: searchParams.get('state') ?? '' })
  return visitor.tryCall(contract.endWay, { answer: answer.toString() })
}

async function failure(of = providerId): Promise<string | undefined> {
  const { providers } = await chief.call(desk.providerList, {})
  return providers.find(({ id }) => id === of)?.failure?.says
}

test('a correct token is accepted', async () => {
  expect((await arrives(forum.visitor(), providerId)).body.outcome).toBe('isNew')
})

// Half a surrogate pair is no text, and no database accepts it.
test.each(['😀'.repeat(60), `${'a'.repeat(99)}😀😀`])('a name of any length is cut between its characters', async (name) => {
  liar.alterClaims = (claims) => ({ ...claims, name })
  const { body } = await arrives(forum.visitor(), providerId)
  expect(body.name?.isWellFormed()).toBe(true)
  expect(name.startsWith(body.name ?? '-')).toBe(true)
})

const past = Math.floor(Date.now() / 1000) - 3_600
const future = Math.floor(Date.now() / 1000) + 300
test.each<[string, () => void]>([
  ['from another issuer', () => (liar.alterClaims = (claims) => ({ ...claims, iss: 'https://elsewhere.example' }))],
  ['for another client', () => (liar.alterClaims = (claims) => ({ ...claims, aud: 'them' }))],
  ['that has run out', () => (liar.alterClaims = (claims) => ({ ...claims, exp: past }))],
  ['that is issued in the future', () => (liar.alterClaims = (claims) => ({ ...claims, iat: future, exp: future + 300 }))],
  ['that was asked for by another', () => (liar.alterClaims = (claims) => ({ ...claims, nonce: 'another' }))],
  ['without a nonce', () => (liar.alterClaims = (claims) => ({ ...claims, nonce: undefined }))],
  ['signed by another key', () => (liar.usesUnknownKey = true)],
  ['signed by nobody', () => (liar.isUnsigned = true)],
])('a token %s is refused', async (_, lie) => {
  lie()
  const { error } = await arrives(forum.visitor(), providerId)
  expect(error['identity']).toMatch(/^Couldn’t sign in with Liar/)
})

const nameless = (claims: Record<string, unknown>) => ({ ...claims, name: undefined })
test.each<[string, unknown, string | null]>([
  ['is there', { sub: 'somebody', nickname: '林\u202e夕\u0000', name: 'Lin Xi' }, '林夕'],
  ['is no text', { sub: 'somebody', name: 7, locale: { a: 1 }, email_verified: 'true', picture: null }, null],
  ['is about another', { sub: 'another', name: 'Lin Xi' }, null],
  ['cannot be read', ['nothing'], null],
  ['is not there', undefined, null],
])('a visitor with a valid token gets on, if the user info %s', async (_, userinfo, name) => {
  liar.alterClaims = nameless
  liar.userinfo = userinfo
  const { body } = await arrives(forum.visitor(), providerId)
  expect(body).toMatchObject({ outcome: 'isNew', name })
})

test('staff see why a name could not be loaded', async () => {
  liar.alterClaims = nameless
  liar.userinfo = undefined
  await arrives(forum.visitor(), providerId)
  expect(await failure()).toMatch(/\S/)
})

test('a failure is shown to staff, until they change the provider or it works again', async () => {
  liar.usesUnknownKey = true
  await arrives(forum.visitor(), providerId)
  expect(await failure()).toMatch(/signature/i)
  const { providers } = await chief.call(desk.providerList, {})
  const { protocol: _, ...same } = lying
  await chief.call(desk.editProvider, { ...same, providerId, version: providers[0]?.version ?? 0, clientSecret: '' })
  expect(await failure()).toBeUndefined()
})

test('an unreachable provider is reported to the visitor and to staff who test it', async () => {
  const away = { ...lying, en: 'Away', address: 'http://127.0.0.1:9' }
  const { providerId: id } = await chief.call(desk.addProvider, away)
  const { error } = await forum.visitor().tryCall(contract.beginWay, { providerId: id })
  expect(error['identity']).toMatch(/^Couldn’t sign in with Away/)
  expect((await chief.call(desk.tryProvider, { providerId: id })).failure).toMatch(/no answer/)
  expect((await chief.call(desk.tryProvider, { providerId })).failure).toBeNull()
  await chief.call(desk.removeProvider, { providerId: id })
})

test('an error that only the browser reports is not shown to staff', async () => {
  const visitor = forum.visitor()
  const { providerId: id } = await chief.call(desk.addProvider, lying)
  for (const error of ['server_error', 'made up']) {
    const { redirectUrl } = await visitor.call(contract.beginWay, { providerId: id })
    const answer = new URLSearchParams({ error, state: new URL(redirectUrl).searchParams.get('state') ?? '' }).toString()
    expect((await visitor.tryCall(contract.endWay, { answer })).error['identity']).toMatch(/^Couldn’t sign in/)
  }
  expect(await failure(id)).toBeUndefined()
  await chief.call(desk.removeProvider, { providerId: id })
})

async function added(draft: Partial<Parameters<typeof chief.call<typeof desk.addProvider>>[1]> & { protocol: 'github' | 'wechat' | 'qq' }) {
  const { protocol } = draft
  const own = { zh: protocol, en: protocol, address: others.address, isEnabled: true, clientId: '', clientSecret: '' }
  const { providerId: id } = await chief.call(desk.addProvider, { ...own, ...draft })
  return id
}

/** Invalid names: two people who come with the same one would be one account. */
const noNames = [
  undefined,
  null,
  '',
  ' ',
  '\t\r\n',
  '\u3000',
  '\u200b\u00ad',
  '\u0301',
  'a\0b',
  'a\u0007b',
  '\ud800',
  'x'.repeat(256),
  true,
  {},
  ['somebody'],
]

test('a provider of OpenID Connect without a valid subject is refused, and staff see the failure', async () => {
  for (const sub of [...noNames, 5]) {
    liar.alterClaims = (claims) => ({ ...claims, sub })
    expect((await arrives(forum.visitor(), providerId)).error['identity'], JSON.stringify(sub)).toMatch(/^Couldn’t sign in with Liar/)
  }
  expect(await failure()).toMatch(/sub/)
})

test.each([
  ['github', 'github', [...noNames, 'octo', 0, -1, 1.5, 2 ** 53]],
  ['wechat', 'scan', [...noNames, 5]],
  ['qq', 'qq', [...noNames, 5]],
] as const)('%s without a valid subject is refused, too', async (protocol, app, values) => {
  const id = await added({ protocol, clientId: appOf[app], clientSecret: secretOf[app] })
  const outcome = async () => (await arrives(forum.visitor(), id, 'a-code')).body.outcome
  for (const value of values) {
    others.subject = { value }
    expect(await outcome(), JSON.stringify(value)).toBeUndefined()
  }
  others.subject = undefined
  // Only unjoined applications may lack this name.
  for (const value of protocol === 'github' ? [] : noNames.slice(3)) {
    others.unionId = value
    expect(await outcome(), JSON.stringify(value)).toBeUndefined()
  }
  others.unionId = ''
  expect(await outcome()).toBe('isNew')
})

async function subject(provider: string): Promise<string | undefined> {
  const { app } = forum.database
  const row = await app.selectFrom('member_identity').select('subject').where('provider_id', '=', provider).executeTakeFirst()
  return row?.subject
}

async function joins(provider: string, account: string): Promise<string | null> {
  const visitor = forum.visitor()
  const { body } = await arrives(visitor, provider, 'a-code')
  await visitor.call(contract.registerByTicket, { ticket: body.ticket ?? '', account, agrees: true })
  return body.name
}

test('GitHub accounts are known by their number, under any name', async () => {
  const id = await added({ protocol: 'github', clientId: appOf.github, clientSecret: secretOf.github })
  expect(await joins(id, 'octo_here')).toBe('octo')
  expect(await subject(id)).toBe('583231')
})

test('a wrong secret is refused', async () => {
  const id = await added({ protocol: 'github', clientId: appOf.github, clientSecret: 'wrong' })
  expect((await arrives(forum.visitor(), id, 'a-code')).error['identity']).toMatch(/^Couldn’t sign in/)
})

test('WeChat is scanned on other screens, its own browser has its own application, and both know one person once they are joined', async () => {
  const id = await added({
    protocol: 'wechat',
    clientId: appOf.scan,
    clientSecret: secretOf.scan,
    inAppClientId: appOf.inApp,
    inAppClientSecret: secretOf.inApp,
  })
  const { redirectUrl } = await forum.visitor().call(contract.beginWay, { providerId: id })
  expect(new URL(redirectUrl).pathname).toBe('/connect/qrconnect')
  expect(await joins(id, 'linxi_wx')).toBe('林夕')
  expect(await subject(id)).toBe(`${appOf.scan}:open-${appOf.scan}`)
  others.unionId = 'union'
  expect((await arrives(forum.visitor(), id, 'a-code')).body.outcome).toBe('loggedIn')
  expect(await subject(id)).toBe('union')
  const inside = forum.visitor({ userAgent: 'Mozilla/5.0 MicroMessenger/8.0' })
  const there = await inside.call(contract.beginWay, { providerId: id })
  expect(new URL(there.redirectUrl).pathname).toBe('/connect/oauth2/authorize')
  expect((await arrives(inside, id, 'a-code')).body.outcome).toBe('loggedIn')
})

test('inside of WeChat a picture to scan is not offered', async () => {
  await added({ protocol: 'wechat', clientId: appOf.scan, clientSecret: secretOf.scan, en: 'Scan alone' })
  const offered = async (userAgent: string) =>
    (await forum.visitor({ userAgent }).call(contract.listProviders, {})).providers.map(({ name }) => name.en)
  expect(await offered('Firefox')).toContain('Scan alone')
  expect(await offered('MicroMessenger')).not.toContain('Scan alone')
})

test('a token of QQ for another application is refused', async () => {
  const id = await added({ protocol: 'qq', clientId: appOf.qq, clientSecret: secretOf.qq })
  others.qqClient = 'theirs'
  expect((await arrives(forum.visitor(), id, 'a-code')).error['identity']).toMatch(/^Couldn’t sign in/)
  others.qqClient = appOf.qq
  expect(await joins(id, 'penguin')).toBe('小企鹅')
})

test('a secret is in no answer, in no list and not in the log', async () => {
  const secret = 'only-the-two-of-us-know-this'
  await added({ protocol: 'github', clientId: 'told', clientSecret: secret })
  const bodies = [await chief.tryCall(desk.providerList, {}), await chief.tryCall(auditLog, {})].map(({ response }) => response.body)
  expect(bodies.join()).toContain('told')
  expect(bodies.join()).not.toContain(secret)
  const rows = await forum.database.app.selectFrom('identity_provider').select('client_secret').execute()
  expect(rows.some(({ client_secret }) => client_secret.includes(secret))).toBe(false)
})

test('a change of address or client takes the secret again', async () => {
  const id = await added({ protocol: 'github', clientId: 'mine', clientSecret: 'mine' })
  const draft = { providerId: id, version: 1, zh: 'x', en: 'x', clientId: 'mine', address: others.address }
  for (const change of [{ address: 'http://127.0.0.1:9' }, { clientId: 'another' }])
    expect(Object.keys((await chief.tryCall(desk.editProvider, { ...draft, ...change })).error)).toEqual(['clientSecret'])
  await chief.call(desk.editProvider, draft)
})

test.each(['http://inside.example', 'ftp://x.example', 'https://user@x.example', 'https://x.example/?a', 'x'])(
  'a provider address of %s is refused',
  async (address) => {
    expect(Object.keys((await chief.tryCall(desk.addProvider, { ...lying, address })).error)).toEqual(['address'])
  },
)

test('a provider that is switched off is refused, and one with linked accounts stays', async () => {
  const id = await added({ protocol: 'qq', clientId: appOf.qq, clientSecret: secretOf.qq })
  await joins(id, 'penguin_two')
  expect((await chief.tryCall(desk.removeProvider, { providerId: id })).error['identity']).toMatch(/^1 account is linked/)
  // The operator of another address could impersonate everyone.
  const elsewhere = { providerId: id, version: 1, zh: 'x', en: 'x', clientId: appOf.qq, clientSecret: secretOf.qq, isEnabled: true }
  expect((await chief.tryCall(desk.editProvider, { ...elsewhere, address: 'http://127.0.0.1:9' })).error['address']).toMatch(
    /sign in as them/,
  )
  const off = { providerId: id, version: 1, zh: 'x', en: 'x', clientId: appOf.qq, address: others.address, isEnabled: false }
  await chief.call(desk.editProvider, off)
  expect((await forum.visitor().tryCall(contract.beginWay, { providerId: id })).status).toBe(404)
})

/** The pending logins, accounts and links of a provider. */
async function standing(): Promise<number[]> {
  const { app } = forum.database
  const tables = ['identity_request', 'identity_ticket', 'member_identity', 'session', 'member'] as const
  const counted = tables.map((table) =>
    app
      .selectFrom(table)
      .select((row) => row.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow(),
  )
  return (await Promise.all(counted)).map(({ count }) => Number(count))
}

test.each([
  ['before somebody leaves for it', '/.well-known/openid-configuration'],
  ['when it is asked who came back', '/token'],
  ['when it is asked for its keys', '/keys'],
])('a provider that does not answer in time, %s, is reported as unreachable, and nothing is left half done', async (_, path) => {
  const before = await standing()
  liar.hangsAt = path
  const visitor = forum.visitor()
  const tries = path.startsWith('/.') ? visitor.tryCall(contract.beginWay, { providerId }) : arrives(visitor, providerId)
  // Other requests do not wait for it.
  expect((await forum.visitor().call(contract.listProviders, {})).providers.length).toBeGreaterThan(0)
  const { status, error } = await tries
  expect([status, error['identity']]).toEqual([422, expect.stringMatching(/^Couldn’t sign in with Liar:.*in time/)])
  expect(await standing()).toEqual(before)
  expect(await failure()).toMatch(/no answer/)
  liar.hangsAt = null
  expect((await arrives(visitor, providerId)).body.outcome).toBe('isNew')
})

test('WeChat and QQ accept an account without a name, but not one that may be known by another id', async () => {
  const wechat = await added({ protocol: 'wechat', clientId: appOf.scan, clientSecret: secretOf.scan, en: 'Nameless' })
  const qq = await added({ protocol: 'qq', clientId: appOf.qq, clientSecret: secretOf.qq })
  others.returnsNames = false
  others.unionId = 'union of the nameless'
  expect((await arrives(forum.visitor(), wechat, 'a-code')).body).toMatchObject({ outcome: 'isNew', name: null })
  expect((await arrives(forum.visitor(), qq, 'a-code')).body).toMatchObject({ outcome: 'isNew', name: null })
  others.unionId = undefined
  expect((await arrives(forum.visitor(), wechat, 'a-code')).error['identity']).toMatch(/^Couldn’t sign in/)
})

import { expect, test } from 'vitest'
import { login, logout, sessions } from '#account/contract.ts'
import { editProfile } from '#user/contract.ts'
import { aForum } from '#base/testing/forum.ts'

const forum = await aForum()

test.each(['/api/baseInfo', '/api/tag/list', '/api/nowhere', '/api/user/control/sessions', '/api/openapi.json'])(
  '%s lets its answer do nothing, in few words',
  async (url) => {
    const { headers } = await forum.app.inject({ url })
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    const { 'set-cookie': _, ...lasting } = headers
    expect(Object.entries(lasting).join('\n').length).toBeLessThan(480)
  },
)

test.each(['/index', '/', '/nowhere.php', '/file/none', '/api/docs', '/feed'])(
  '%s carries the whole set of guarding headers',
  async (url) => {
    const { headers } = await forum.app.inject({ url })
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*object-src 'none'.*base-uri 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/,
    )
    expect(headers['content-security-policy']).not.toContain('unsafe-eval')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  },
)

test.each<[string, Record<string, string>]>([
  ['without the cookie', { cookie: '' }],
  ['without the echo', { 'bbs-xsrf-token': '' }],
  ['with the echo of another token', { 'bbs-xsrf-token': 'abc.def' }],
  ['with a token that we did not make', { cookie: 'cms_token=abc.def', 'bbs-xsrf-token': 'abc.def' }],
  ['from another site', { origin: 'https://evil.example' }],
  ['from nowhere', { origin: 'null' }],
  ['that the browser says is cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['without X-Requested-With', { 'x-requested-with': '' }],
])('a write %s is forged', async (_, headers) => {
  const mei = await forum.member()
  expect((await mei.tryCall(logout, {}, headers)).status).toBe(403)
  expect((await mei.tryCall(sessions, {})).status).toBe(200)
})

test('the token of writes is handed out once, by the base info alone', async () => {
  const handed = async (url: string, cookie = '') => (await forum.app.inject({ url, headers: { cookie } })).headers['set-cookie']
  const token = String(await handed('/api/baseInfo'))
  expect(token).toMatch(/^cms_token=/)
  expect(await handed('/api/baseInfo', token.split(';')[0])).toBeUndefined()
  for (const path of ['/account/registerForm', '/user/control/sessions']) expect(await handed(`/api${path}`)).toBeUndefined()
})

test('a body beyond the limit is refused before it is parsed', async () => {
  const send = (type: string, payload: string) => {
    const visitor = forum.visitor()
    return visitor.fetchToken().then(() =>
      forum.app.inject({
        method: 'POST',
        remoteAddress: visitor.ip,
        url: '/api/unsubscribe',
        headers: { ...visitor.headers('POST'), 'content-type': type },
        payload,
      }),
    )
  }
  const [form, json] = ['application/x-www-form-urlencoded', 'application/json']
  const token = 'x'.repeat(43)
  expect((await send(form, `token=${token}`)).statusCode).toBe(200)
  expect((await send(form, `token=${token}&token=${token}`)).json()).toMatchObject({ error: { token: expect.any(String) } })
  expect((await send(form, `token=${token}${'&token='.repeat(200)}`)).statusCode).toBe(400)
  expect((await send(json, JSON.stringify({ token: Array(200).fill(token) }))).statusCode).toBe(400)
  expect((await send(json, JSON.stringify({ token: Array(20).fill(0) }))).statusCode).toBe(422)
  expect((await send(json, JSON.stringify({ token: 'x'.repeat(500_000) }))).statusCode).toBe(413)
})

test('a caller without the right is refused for that, with any body', async () => {
  const visitor = forum.visitor()
  await visitor.fetchToken()
  const headers = { ...visitor.headers('POST'), 'content-type': 'application/json' }
  const send = (more: Record<string, string>) =>
    forum.app.inject({ method: 'POST', url: `/api${editProfile.path}`, headers: { ...headers, ...more }, payload: '{"broken":' })
  expect([(await send({})).statusCode, (await send({ cookie: '' })).statusCode]).toEqual([401, 403])
})

test('every write has a limit by address, shared by all clients behind it', async () => {
  const [visitor, other] = [forum.visitor(), forum.visitor()]
  const send = (ip: string) => forum.app.inject({ method: 'POST', url: '/api/unsubscribe', remoteAddress: ip })
  const answers = await Promise.all(Array.from({ length: 601 }, () => send(visitor.ip)))
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
  expect((await send(other.ip)).statusCode).toBe(403)
})

test('a form with files is not taken by a call without any, nor taken for an empty one', async () => {
  const mei = await forum.member()
  expect((await mei.tryCall(logout, {}, { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(415)
  expect((await mei.tryCall(sessions, {})).status).toBe(200)
})

test('a form as plain text is not taken', async () => {
  const mei = await forum.member()
  expect((await mei.tryCall(logout, {}, { 'content-type': 'text/plain' })).status).toBe(415)
})

test('JSON is taken as well as a form', async () => {
  const mei = await forum.member()
  const response = await forum.app.inject({
    method: 'POST',
    url: '/api/account/login',
    headers: { ...forum.visitor().headers('POST'), ...mei.headers('POST'), 'content-type': 'application/json' },
    payload: JSON.stringify({ account: mei.account, password: mei.password }),
  })
  expect(response.statusCode).toBe(200)
})

test.each<[string, string, string]>([
  ['broken JSON', 'application/json', '{"account":'],
  ['a list', 'application/json', '[1,2]'],
  ['a NUL', 'application/x-www-form-urlencoded', 'account=a%00b&password=whatever'],
  ['bytes that are no letters', 'application/x-www-form-urlencoded', 'account=%ff%fe&password=whatever'],
  ['signs that stand for nothing', 'application/x-www-form-urlencoded', 'account=a&password=%zz'],
  ['half a character', 'application/json', '{"account":"\\ud800","password":"whatever"}'],
  ['a field twice', 'application/x-www-form-urlencoded', 'account=a&account=b&password=whatever'],
  ['an object for text', 'application/json', '{"account":{"a":1},"password":"whatever"}'],
  ['a prototype within', 'application/json', '{"account":"a","password":{"a":[{"__proto__":null}]}}'],
  ['a prototype that is escaped', 'application/json', String.raw`{"account":"a","password":{"\u005f_proto__":1}}`],
  ['a prototype in a form', 'application/x-www-form-urlencoded', '__proto__=1&account=a&password=whatever'],
  ['a name of everything', 'application/x-www-form-urlencoded', 'constructor=1&account=a&password=whatever'],
  ['NUL in a name', 'application/json', String.raw`{"account":"a","password":{"\u0000":1}}`],
  ['a poisoned prototype', 'application/json', '{"__proto__":{"isMember":true},"account":"a","password":"whatever"}'],
  ['deep nesting', 'application/json', `{"account":${'['.repeat(5000)}${']'.repeat(5000)},"password":"x"}`],
  ['a body too large', 'application/json', `{"account":"${'a'.repeat(3_000_000)}"}`],
])('%s is refused and breaks nothing', async (_, type, payload) => {
  const visitor = forum.visitor()
  await visitor.fetchToken()
  const { statusCode } = await forum.app.inject({
    method: 'POST',
    remoteAddress: visitor.ip,
    url: '/api/account/login',
    headers: { ...visitor.headers('POST'), 'content-type': type },
    payload,
  })
  expect([400, 413, 422]).toContain(statusCode)
})

test.each([
  ['JSON', 'application/json', '{"account":"ab', 'cd","password":"whatever"}'],
  ['a form', 'application/x-www-form-urlencoded', 'account=ab', 'cd&password=whatever'],
])('%s that is no UTF-8 is refused, in place of being kept with letters lost', async (_, type, before, after) => {
  const visitor = forum.visitor()
  await visitor.fetchToken()
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0xaf]]) {
    const { statusCode } = await forum.app.inject({
      method: 'POST',
      remoteAddress: visitor.ip,
      url: '/api/account/login',
      headers: { ...visitor.headers('POST'), 'content-type': type },
      payload: Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]),
    })
    expect(statusCode).toBe(400)
  }
})

test('a request sent twice with one key is done once, at the same time or later', async () => {
  const mei = await forum.member()
  const key = { 'idempotency-key': 'a-key-of-this-form-1' }
  const form = { nickname: '', showsActivity: false }
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => mei.tryCall(editProfile, form, key)))
  expect(new Set(answers.map(({ response }) => response.body)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  const rows = await forum.database.app.selectFrom('idempotency_key').selectAll().where('asker', '=', `member ${mei.id}`).execute()
  expect(rows).toHaveLength(1)
})

test('one key with another body is refused, and with another member it is another request', async () => {
  const [mei, zhou] = [await forum.member(), await forum.member()]
  const key = { 'idempotency-key': 'a-key-of-this-form-2' }
  await mei.call(editProfile, { nickname: '', showsActivity: true }, key)
  expect((await mei.tryCall(editProfile, { nickname: '', showsActivity: false }, key)).status).toBe(422)
  expect((await zhou.tryCall(editProfile, { nickname: '', showsActivity: false }, key)).status).toBe(200)
})

test('a login sent twice with one key gives its tokens once and stores none', async () => {
  const mei = await forum.member()
  const visitor = forum.visitor()
  const key = { 'idempotency-key': 'a-key-of-this-form-3' }
  const form = { account: mei.account, password: mei.password }
  expect((await visitor.tryCall(login, form, key)).status).toBe(200)
  expect((await visitor.tryCall(login, form, key)).status).toBe(409)
})

test.each(['/api/account/logout/', '/api//account/logout', '/api/account/LOGOUT', '/api/account/logout;x', '/api/account%2flogout'])(
  '%s is not another way to a call',
  async (url) => {
    const mei = await forum.member()
    expect((await forum.app.inject({ method: 'POST', url, headers: mei.headers('POST') })).statusCode).toBe(404)
  },
)

test('the reader cannot write, and neither role of the program owns a table', async () => {
  await expect(forum.database.reader.insertInto('setting').values({ name: 'x', value: '1', changed_by: 'x' }).execute()).rejects.toThrow(
    /read-only|denied/,
  )
  await expect(forum.database.app.schema.createTable('x').addColumn('y', 'integer').execute()).rejects.toThrow(/denied/)
  await expect(forum.database.reader.selectFrom('access_token').selectAll().execute()).rejects.toThrow(/denied/)
})

test.each<[string, string, string]>([
  ['that ends too soon', 'multipart/form-data; boundary=x', '--x\r\nnope'],
  ['without a boundary', 'multipart/form-data', 'x'],
])('a multipart form %s is refused, and is not our fault', async (_, type, payload) => {
  const mei = await forum.member()
  const { statusCode } = await forum.app.inject({
    method: 'POST',
    url: '/api/file/picture',
    headers: { ...mei.headers('POST'), 'content-type': type },
    payload,
  })
  expect(statusCode).toBe(400)
})

test('a key that keeps nothing from happening twice is refused rather than forgotten', async () => {
  const mei = await forum.member()
  expect((await mei.tryCall(logout, {}, { 'idempotency-key': 'x' })).status).toBe(400)
})

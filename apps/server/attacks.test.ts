import { Writable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import * as account from '#account/contract.ts'
import { recoverStep2 } from '#account/recover-contract.ts'
import { routes } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { openLog } from '#base/server/log.ts'
import { sessionOf } from '#base/testing/session.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { bindPhone, getSmsCode } from '#contact/contract.ts'
import { codeTo, chooseOutbox } from '#delivery/testing/factories.ts'

let logged = ''
const log = openLog(
  { development: false, level: 'trace' },
  new Writable({
    write(line, _, callback) {
      logged += String(line)
      callback()
    },
  }),
)
const forum = await aForum({ log })
await chooseOutbox(forum)
const { app } = forum.database
const writes = routes.flatMap(({ endpoint }) => (endpoint.method === 'POST' ? [endpoint.path] : []))
const reads = routes.flatMap(({ endpoint }) => (endpoint.method === 'GET' ? [endpoint.path] : []))

beforeEach(async () => {
  await ageAttempts(forum)
  await transact(forum.database, (tx) =>
    applySettings(tx, { allowLoginAccountType: ['account', 'phone', 'email'], smsCountries: ['86 10000'], smsPerDay: 10_000 }),
  )
})

const forgeries: [string, Record<string, string>][] = [
  ['without the cookie', { cookie: '' }],
  ['without the echo', { 'bbs-xsrf-token': '' }],
  ['with the echo of another token', { 'bbs-xsrf-token': 'abc.def' }],
  ['with a token that nobody handed out', { cookie: 'cms_token=abc.def', 'bbs-xsrf-token': 'abc.def' }],
  ['from another site', { origin: 'https://evil.example' }],
  ['that the browser says is cross-site', { 'sec-fetch-site': 'cross-site' }],
]

test.each(forgeries)('no write of any feature is taken %s, or changes a row', async (_, headers) => {
  const mei = await forum.member()
  const problems: string[] = []
  const before = await app.selectFrom('session').select(['id', 'ended_at']).execute()
  for (const path of writes) {
    const { statusCode } = await mei.send('POST', path, {}, headers)
    if (statusCode !== 403) problems.push(`${statusCode} ${path}`)
  }
  expect(problems).toEqual([])
  expect(await app.selectFrom('session').select(['id', 'ended_at']).execute()).toEqual(before)
})

test('no answer of a read lets other sites read or frame it, and private answers are in no shared cache', async () => {
  const mei = await forum.member()
  const wrong: string[] = []
  for (const path of reads) {
    for (const origin of ['https://evil.example', 'null']) {
      const headers = { ...mei.headers('GET'), origin }
      // An event stream has no end.
      if (path.endsWith('News') || path.endsWith('news')) continue
      const answer = await forum.app.inject({ url: `/api${path}`, remoteAddress: mei.ip, headers })
      const {
        'access-control-allow-origin': cors,
        'content-security-policy': policy = '',
        'cache-control': cacheControl = '',
      } = answer.headers
      if (cors !== undefined) wrong.push(`${path} lets ${origin} read`)
      if (!policy.includes("frame-ancestors 'none'")) wrong.push(`${path} may be framed`)
      if (path.startsWith('/user/control/') && !/no-store|private/.test(cacheControl)) wrong.push(`${path} is kept: ${cacheControl}`)
    }
  }
  expect(wrong).toEqual([])
})

describe('a captcha that is due', () => {
  const shapes: Record<string, unknown>[] = [
    {},
    { captchaId: '', captcha: '' },
    { captchaId: ['a', 'b'], captcha: ['teas', 'teas'] },
    { captchaId: { id: 1 }, captcha: { is: 'teas' } },
    { captchaId: 'another', captcha: 'teas' },
    { captchaId: 'another', captchaWork: 1 },
    { captcha: 'teas' },
    { needsCaptcha: false },
    { captchaId: null, captcha: null },
  ]
  test.each(shapes)('is not passed by %j', async (shape) => {
    const visitor = forum.visitor()
    for (const [path, its] of [
      ['/account/loginCode', { kind: 'phone', phone: '+8613712345678' }],
      ['/findPassWord/code', { kind: 'phone', phone: '+8613712345678' }],
    ] as const) {
      const { statusCode } = await visitor.send('POST', path, { ...its, ...shape })
      expect([path, statusCode]).toEqual([path, expect.toSatisfy((status: number) => status === 422 || status === 400)])
    }
    expect(await app.selectFrom('delivery').select('id').execute()).toEqual([])
  })

  test('counts for one of fifty that use it at once', async () => {
    const visitor = forum.visitor()
    const solved = await solvedCaptcha(forum, visitor)
    const sent = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        visitor.tryCall(account.sendLoginCode, { kind: 'phone', phone: `+86137000${10_000 + n}`, ...solved }),
      ),
    )
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test('an unknown field of a form gives no one more rights', async () => {
  const columns = await app.introspection.getTables()
  const extra = columns.find(({ name }) => name === 'member')?.columns.map(({ name }) => name) ?? []
  expect(extra.length).toBeGreaterThan(10)
  const mei = await forum.member()
  const before = await app.selectFrom('member').selectAll().where('id', '=', mei.id).executeTakeFirstOrThrow()
  const form = { nickname: 'Sly', account: 'sly_guest', password: 'a-quiet-evening', agrees: true }
  for (const name of extra.filter((column) => !(column in form))) {
    const more = { [name]: 'true', [name.replace(/_./g, (text) => text[1]?.toUpperCase() ?? '')]: '1' }
    expect([name, (await forum.visitor().send('POST', '/account/register', { ...form, ...more })).statusCode]).toEqual([name, 400])
    expect((await mei.send('POST', '/user/control/profile', { ...more })).statusCode).not.toBe(200)
  }
  expect(await app.selectFrom('member').selectAll().where('id', '=', mei.id).executeTakeFirstOrThrow()).toEqual(before)
  expect(await app.selectFrom('member').select('id').where('account_key', '=', 'sly_guest').execute()).toEqual([])
})

test.each([
  ['six characters', 'tea-12', 422],
  ['what everybody takes', 'password123', 422],
  ['a character that ends texts', 'a-quiet\0evening', 400],
  ['257 characters', 'a'.repeat(200) + 'bc'.repeat(29), 422],
  ['a hundred thousand', 'quiet'.repeat(20_000), 422],
  ['256 characters', 'ab cd'.repeat(51) + 'z', 200],
  ['characters of all planes', '茶🍵 a very quiet evening', 200],
  ['a space at either end', ' a-quiet-evening ', 200],
])('a password of %s', async (_, password, status) => {
  const name = `phrase_${Math.abs(password.length * 31 + (password.codePointAt(0) ?? 0))}`
  const visitor = forum.visitor()
  expect((await visitor.tryCall(account.register, { account: name, password, agrees: true }, newIdempotencyKey())).status).toBe(status)
  if (status !== 200) return
  await forum.visitor().call(account.login, { account: name, password })
  expect((await forum.visitor().tryCall(account.login, { account: name, password: password.slice(0, 72) })).status).toBe(
    password.length > 72 ? 422 : 200,
  )
  expect((await forum.visitor().tryCall(account.login, { account: name, password: `${password}z` })).status).toBe(422)
})

test('no password, code or token comes into the log, whatever happens to its request', async () => {
  const mei = await forum.member()
  const phone = '+8613799990001'
  const secrets = [
    mei.password,
    mei.pair?.accessToken ?? '',
    mei.pair?.refreshToken ?? '',
    'a-loud-morning',
    mei.cookie.split('=')[1] ?? '',
  ]
  await mei.call(getSmsCode, { about: 'bind', phone, ...(await solvedCaptcha(forum, mei)) })
  const code = await codeTo(forum, phone)
  secrets.push(code)
  await mei.tryCall(bindPhone, { phone, code: '000000' })
  await mei.tryCall(account.changePassword, { oldPassword: 'a-loud-morning', password: 'a-loud-morning', passwordAgain: 'a-loud-morning' })
  const visitor = forum.visitor()
  await visitor.tryCall(account.login, { account: mei.account, password: 'a-loud-morning' })
  const { accessToken, refreshToken } = sessionOf(await visitor.call(account.login, { account: mei.account, password: mei.password }))
  secrets.push(accessToken, refreshToken)
  await visitor.tryCall(recoverStep2, { ticket: 'a-ticket-that-nobody-has', password: 'a-loud-morning', passwordAgain: '' })
  await visitor.send('POST', '/account/login', { account: mei.account, password: [mei.password, 'a-loud-morning'] })
  await mei.tryCall(account.refreshToken, {})
  await mei.tryCall(account.logout, {})
  const token = mei.pair?.accessToken ?? ''
  await forum.app.inject({ url: `/api/user/control/sessions?accessToken=${token}`, headers: mei.headers('GET') })
  expect(logged.length).toBeGreaterThan(0)
  expect(secrets.filter((secret) => logged.includes(secret))).toEqual([])
})

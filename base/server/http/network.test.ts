import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { aForum } from '#base/testing/forum.ts'

const forum = await aForum({ env: { TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } })
const mei = await forum.member()

async function cameFrom(forwardedFor: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') {
  const person = Object.assign(forum.visitor(), { ip: remoteAddress })
  const form = { account: mei.account, password: mei.password }
  const { status } = await person.tryCall(login, form, { 'x-forwarded-for': forwardedFor, ...headers })
  if (status !== 200) return status
  const { ip } = await forum.database.app.selectFrom('login_log').select('ip').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return ip
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:DB8:0::7]:51234', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:cb00:7107]:80', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7, 10.1.1.1', '203.0.113.7'],
  ['unknown, 203.0.113.7:80', '203.0.113.7'],
])('a proxy that says "%s" is trusted for %s', async (forwardedFor, ip) => expect(await cameFrom(forwardedFor)).toBe(ip))

test.each([
  'unknown',
  '_hidden',
  '',
  ',',
  '203.0.113.7, unknown',
  '203.0.113.7,',
  '203.0.113.7:port',
  '203.0.113',
  '203.0.113.07',
  '256.1.1.1',
  '[203.0.113.7]',
  '[2001:db8::7',
  'fe80::1%eth0',
  "'; drop table member; --",
  'a'.repeat(100),
])('a proxy that says "%s" is itself the only known address', async (forwardedFor) =>
  expect(await cameFrom(forwardedFor)).toBe('127.0.0.1'),
)

test('addresses beyond the first invalid one are not trusted', async () => {
  expect(await cameFrom('203.0.113.7, unknown, 10.1.1.1')).toBe('10.1.1.1')
})

test('a peer that is no proxy is taken for the client, on any connection', async () => {
  expect(await cameFrom('203.0.113.7', {}, '198.51.100.9')).toBe('198.51.100.9')
  expect(await cameFrom('', {}, 'fe80::1%eth0')).toBe('fe80::1')
})

test.each(['javascript', 'https, ftp', ''])('a proxy that says it was reached by "%s" was reached as we were', async (proto) => {
  expect(await cameFrom('203.0.113.7', { 'x-forwarded-proto': proto, origin: 'http://localhost:80' })).toBe('203.0.113.7')
})

test.each([
  ['two names', 'Host: tea.example.org\r\nHost: evil.example'],
  ['one name twice', 'Host: tea.example.org\r\nhost: tea.example.org'],
  ['a name that is none', 'Host: tea/../x'],
])('a request with %s of the host is refused', async (_, hosts) => {
  const { port } = new URL(await forum.app.listen({ port: 0, host: '127.0.0.1' }).catch(() => forum.app.listeningOrigin))
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(`GET /api/baseInfo HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
})

test('an old program that names no host is answered, and no address is made of that', async () => {
  const { port } = new URL(await forum.app.listen({ port: 0, host: '127.0.0.1' }).catch(() => forum.app.listeningOrigin))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /api/baseInfo HTTP/1.0\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1.[01] 200 /)
  expect(answer).toContain('"baseURL":"http://localhost/"')
})

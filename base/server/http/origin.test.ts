import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { isPlainHost, ownOrigin } from '#base/server/http/origin.ts'

test.each([
  'tea.example.org',
  'localhost',
  'localhost:3000',
  '127.0.0.1:3000',
  '[::1]:3000',
  'my_box.local',
  'TEA.example:80',
  'xn--8nw.example.',
])('%s is a host', (host) => expect(isPlainHost(host)).toBe(true))

test.each([
  '',
  'a b',
  'tea/../x',
  'tea.example"><script>',
  'tea@evil.example',
  'tea:123456',
  'tea:',
  '[::1',
  '.tea',
  'tea?x',
  'tea#x',
  '茶.example',
])('"%s" is no host', (host) => expect(isPlainHost(host)).toBe(false))

function reached(host: string, localAddress: string | undefined, localPort = 3000) {
  return { headers: { host }, socket: { localAddress, localPort } as Socket }
}

test('a configured origin is used for any request', () => {
  expect(ownOrigin('https://tea.example.org', reached('evil.example', '10.0.0.7'))).toBe('https://tea.example.org')
})

test.each([
  ['localhost:3000', '127.0.0.1', 3000],
  ['127.0.0.1:3000', '::ffff:127.0.0.1', 3000],
  ['localhost:3000', '::1', 3000],
  ['[::1]:3000', '::1', 3000],
  ['10.0.0.7', '10.0.0.7', 80],
])('a request to %s at %s may get its own origin', (host, address, port) => {
  expect(ownOrigin(null, reached(host, address, port))).toBe(`http://${host}`)
})

test.each([
  ['evil.example', '127.0.0.1', 3000],
  ['localhost:3001', '127.0.0.1', 3000],
  ['localhost:3000', '10.0.0.7', 3000],
  ['10.0.0.7:80', '10.0.0.7', 80],
  ['localhost:3000', undefined, 3000],
])('%s is no trusted name for %s', (host, address, port) => {
  expect(ownOrigin(null, reached(host, address, port))).toBe(null)
})

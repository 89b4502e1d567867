import type { IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '#base/server/config.ts'
import { localCalls } from '#base/server/http/local-call.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'

afterEach(() => setSiteAddress(readConfig({})))

type Override = { peer?: string | undefined; headers?: Record<string, string>; httpVersion?: string }

function request({ peer = '127.0.0.1', headers = {}, httpVersion = '1.1' }: Override = {}) {
  const socket = { remoteAddress: peer } as IncomingMessage['socket']
  return { headers: { host: 'localhost:3000', ...headers }, httpVersion, socket }
}

const browserHeaders = {
  accept: '*/*',
  'accept-language': 'en',
  connection: 'keep-alive',
  cookie: 'a=b',
  origin: 'http://localhost:3000',
  priority: 'u=1',
  referer: 'http://localhost:3000/index',
  'sec-fetch-site': 'same-origin',
  'sec-gpc': '1',
  'save-data': 'on',
  'user-agent': 'Mozilla/5.0',
  'x-requested-with': 'XMLHttpRequest',
  'bbs-xsrf-token': 'token',
  'idempotency-key': 'key',
}

test.each([
  { headers: browserHeaders },
  { headers: { host: '127.0.0.1:3000' } },
  { headers: { host: 'tea.localhost' } },
  { headers: { host: '[::1]:3000' }, peer: '::1' },
  { peer: '::ffff:127.0.0.1' },
])('a call of a browser on the machine is local: %j', (override) => {
  expect(localCalls().isLocal(request(override))).toBe(true)
})

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded',
  'x-original-forwarded-for',
  'forwarded-for',
  'x-real-ip',
  'via',
  'x-via',
  'x-client-ip',
  'client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'ali-cdn-real-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-envoy-external-address',
  'x-amz-cf-id',
  'x-amzn-trace-id',
  'x-arr-ssl',
  'x-varnish',
  'x-proxyuser-ip',
  'proxy-connection',
  'wl-proxy-client-ip',
  'x-original-host',
  'x-remote-addr',
  'tailscale-user-login',
  'x-vercel-id',
  'x-scheme',
  'x-nginx-proxy',
  'surrogate-capability',
]

test.each(forwardingHeaders)('a call with the header %s is not local, even if it is empty', (name) => {
  expect(localCalls().isLocal(request({ headers: { [name]: '' } }))).toBe(false)
})

test.each([
  { peer: '192.168.1.7' },
  { peer: '172.17.0.1' },
  { peer: '::ffff:10.0.0.1' },
  { peer: '2001:db8::1' },
  { headers: { host: 'tea.example.org' } },
  { headers: { host: 'localhost.example.org' } },
  { headers: { host: '127.0.0.1.example.org' } },
  { headers: { host: '192.168.1.7:3000' } },
  { headers: { host: '' } },
  { httpVersion: '1.0' },
])('a call from elsewhere, or to another name, is not local: %j', (override) => {
  expect(localCalls().isLocal(request(override))).toBe(false)
})

test('a call without a peer address or a Host is not local', () => {
  const { isLocal } = localCalls()
  expect(isLocal({ ...request(), socket: {} as IncomingMessage['socket'] })).toBe(false)
  expect(isLocal({ ...request(), headers: {} })).toBe(false)
})

test.each<Record<string, string>>([
  { TEAHOUSE_URL: 'https://tea.example.org' },
  { TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1' },
  { HOST: '0.0.0.0' },
])('a site with %j has no local calls', (env) => {
  setSiteAddress(readConfig(env))
  expect(localCalls().isLocal(request())).toBe(false)
})

const shown: Override[] = [
  { headers: { host: 'tea.example.org' } },
  { headers: { 'x-forwarded-for': '203.0.113.9' } },
  { httpVersion: '1.0' },
]

test.each(shown)('a visitor through a proxy ends local calls, also those that name localhost: %j', (override) => {
  let seen = 0
  const { observe, isLocal } = localCalls(() => seen++)
  observe(request())
  expect([isLocal(request()), seen]).toEqual([true, 0])
  observe(request(override))
  observe(request(override))
  expect([isLocal(request()), seen]).toEqual([false, 1])
})

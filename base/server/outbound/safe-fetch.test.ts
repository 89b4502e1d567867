import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isPublic, isPublicName, registrableName } from '#base/server/outbound/public-address.ts'
import {
  fetchUntrusted,
  fetchConfigured,
  fetchConfiguredBytes,
  RequestFailed,
  postUntrusted,
  type Network,
} from '#base/server/outbound/safe-fetch.ts'

let requests: string[] = []
let answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {}

const server = createServer((request, response) => {
  const { url = '' } = request
  requests.push(`${request.headers.host?.split(':')[0]}${url}`)
  const answer = answers[url] ?? ((to: ServerResponse) => to.writeHead(404).end())
  answer(response, request)
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

// The only public address is the server above, under one name.
const names: Record<string, string[]> = { 'site.test': ['127.0.0.1'], 'half.test': ['127.0.0.1', '10.0.0.1'], 'inside.test': ['127.0.0.2'] }
const world: Network = {
  addressesOf: async (host) => (names[host] ?? []).map((address) => ({ address, family: 4 })),
  mayConnect: (ip, targetPort) => ip === '127.0.0.1' && targetPort === port,
}
const page = (text: string) => (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end(text)
const leadsTo = (location: string) => (response: ServerResponse) => void response.writeHead(302, { location }).end()
const ask = async (address: string, more = {}) =>
  (await fetchUntrusted(new URL(address), { type: 'text/html', network: world, ...more })).bytes.toString()
const site = (path = '/') => `http://site.test:${port}${path}`

const insideNames =
  `localhost localhost. LOCALHOST foo.localhost foo.localhost. printer.local nas.local. db.internal metadata.google.internal
  router.home.arpa home.arpa wiki.corp a.b.lan router.home x.localdomain hr.intranet db.private postgres redis. db`.split(/\s+/)

beforeEach(() => {
  requests = []
  answers = { '/': page('<title>Tea</title>') }
})

test('a page outside is read, without revealing the reader', async () => {
  let headers = {}
  answers['/'] = (response, request) => {
    headers = request.headers
    page('<title>Tea</title>')(response)
  }
  expect(await ask(site())).toBe('<title>Tea</title>')
  expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

describe('no machine inside is asked', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '[::]'])(
    '%s',
    async (host) => {
      await expect(fetchUntrusted(new URL(`http://${host}:${port}/`), { type: 'text/html' })).rejects.toThrow(RequestFailed)
      await expect(fetchUntrusted(new URL(`http://${host}/`), { type: 'text/html' })).rejects.toThrow(RequestFailed)
      expect(requests).toEqual([])
    },
  )

  test('with an inner address among those of its name', async () => {
    for (const host of ['half.test', 'inside.test', 'nowhere.test'])
      await expect(ask(`http://${host}:${port}/`)).rejects.toThrow(RequestFailed)
    expect(requests).toEqual([])
  })

  test('at another port, by another protocol, or with a name and a password', async () => {
    const others = ['http://site.test:22/', 'ftp://site.test/', 'file:///etc/passwd', `http://mei:secret@site.test:${port}/`]
    for (const address of others) await expect(ask(address)).rejects.toThrow(RequestFailed)
    expect(requests).toEqual([])
  })

  test('by a redirect of a page outside', async () => {
    const ways = [
      `http://127.0.0.2:${port}/`,
      `http://inside.test:${port}/`,
      'http://127.0.0.1:22/',
      'http://169.254.169.254/',
      'file:///etc/passwd',
    ]
    for (const way of ways) {
      answers['/away'] = leadsTo(way)
      await expect(ask(site('/away'))).rejects.toThrow(RequestFailed)
    }
    expect(new Set(requests)).toEqual(new Set(['site.test/away']))
  })

  test('by a name that changes its address: it is resolved once', async () => {
    let times = 0
    const turning: Network = { ...world, addressesOf: async () => [{ address: times++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }] }
    expect(await ask(site(), { network: turning })).toContain('Tea')
    expect(times).toBe(1)
  })
})

test('a name that can only mean inside is not even looked up', async () => {
  const anywhere: Network = { ...world, addressesOf: async () => [{ address: '127.0.0.1', family: 4 }] }
  for (const host of insideNames) {
    const address = new URL(`http://${host}:${port}/`)
    await expect(fetchUntrusted(address, { type: 'text/html', network: anywhere }), host).rejects.toThrow(RequestFailed)
    await expect(postUntrusted(address, { headers: {}, body: Buffer.of(1), network: anywhere }), host).rejects.toThrow(RequestFailed)
    answers['/away'] = leadsTo(address.href)
    await expect(ask(site('/away'), { network: anywhere }), host).rejects.toThrow(RequestFailed)
  }
  expect(new Set(requests)).toEqual(new Set(['site.test/away']))
})

test('binary data comes unchanged', async () => {
  const bytes = Buffer.of(0xff, 0x00, 0xd6, 0xa7, 0x80)
  answers['/'] = (response) => void response.writeHead(200, { 'content-type': 'application/zip' }).end(bytes)
  expect(await fetchConfiguredBytes(new URL(`http://127.0.0.1:${port}/`))).toEqual({
    status: 200,
    bytes,
    type: 'application/zip',
    headers: expect.objectContaining({ 'content-type': 'application/zip' }),
  })
  await expect(fetchConfiguredBytes(new URL(`http://127.0.0.1:${port}/`), { maxBytes: 4 })).rejects.toThrow(RequestFailed)
})

test('a machine that the operator named is asked on one connection again', async () => {
  const sockets = new Set<unknown>()
  answers['/'] = (response, { socket }) => {
    sockets.add(socket)
    page('Tea')(response)
  }
  const named = new URL(`http://127.0.0.1:${port}/`)
  for (let times = 0; times < 3; times++) expect(await fetchConfigured(named)).toMatchObject({ status: 200, text: 'Tea' })
  expect(sockets.size).toBe(1)
  answers['/away'] = leadsTo('/')
  await expect(fetchConfigured(new URL('/away', named))).rejects.toThrow(RequestFailed)
})

test('it follows a few redirects, and no more', async () => {
  answers['/1'] = leadsTo('/2')
  answers['/2'] = leadsTo(site('/'))
  expect(await ask(site('/1'))).toContain('Tea')
  answers['/round'] = leadsTo('/round')
  requests = []
  await expect(ask(site('/round'))).rejects.toThrow(RequestFailed)
  expect(requests).toHaveLength(4)
})

test('a body without end is read up to its limit, and a slow one is left', async () => {
  answers['/endless'] = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  }
  expect(await ask(site('/endless'), { maxBytes: 50_000 })).toHaveLength(50_000)
  answers['/slow'] = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<title>')
  await expect(ask(site('/slow'), { timeoutMs: 200 })).rejects.toThrow(RequestFailed)
  answers['/silent'] = () => undefined
  await expect(ask(site('/silent'), { timeoutMs: 200 })).rejects.toThrow(RequestFailed)
  const deaf: Network = { ...world, addressesOf: () => new Promise(() => undefined) }
  await expect(ask(site(), { timeoutMs: 200, network: deaf })).rejects.toThrow(RequestFailed)
})

test('it takes nothing of another type, nothing packed, and no error', async () => {
  const headed = (status: number, headers: Record<string, string>) => (response: ServerResponse) =>
    void response.writeHead(status, headers).end('<title>Tea</title>')
  answers['/picture'] = headed(200, { 'content-type': 'image/png' })
  answers['/like'] = headed(200, { 'content-type': 'text/html-like' })
  answers['/nothing'] = headed(200, {})
  answers['/packed'] = headed(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
  answers['/broken'] = headed(500, { 'content-type': 'text/html' })
  for (const path of Object.keys(answers).filter((one) => one !== '/')) await expect(ask(site(path)), path).rejects.toThrow(RequestFailed)
})

test('which names are', () => {
  const some = [
    'example.com',
    'EXAMPLE.com',
    'example.com.',
    'a.b.example.co.uk',
    'xn--fiq228c.cn',
    'local.example.com',
    'localhost.example.com',
    'homelocal.cn',
  ]
  expect(some.filter((name) => !isPublicName(name))).toEqual([])
  expect(
    [...insideNames, '', '.', '..', 'a..b', '.com', '1.1.1.1', '1.1.1.1.', '1.1', '10.0x7f', 'tea.0x1', '::1', '[::1]'].filter(
      isPublicName,
    ),
  ).toEqual([])
})

test('which site a host is of', () => {
  const hosts = ['example.com', 'A.b.Example.com.', 'tea.example.co.uk', 'a.tea.com.cn', 'a.b.cn', 'x.ab.io', '1.2.3.4', '[::1]', 'tea']
  expect(hosts.map(registrableName)).toEqual([
    'example.com',
    'example.com',
    'example.co.uk',
    'tea.com.cn',
    'b.cn',
    'ab.io',
    '1.2.3.4',
    '[::1]',
    'tea',
  ])
})

test('which addresses are public', () => {
  const some = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '192.167.255.255', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001::200e']
  expect(some.filter((ip) => !isPublic(ip))).toEqual([])
  const none = `
    0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
    192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1
    255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:1.1.1.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1
    2001:db8::1 2002:7f00:1:: 3fff::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 ff02::1 5f00::1 tea`
    .trim()
    .split(/\s+/)
  expect([...none, ''].filter(isPublic)).toEqual([])
})

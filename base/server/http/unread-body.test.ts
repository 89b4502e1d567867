import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import type { Visitor } from '#base/testing/visitor.ts'

const forum = await aForum({ isOneServer: true })
let port: number
let mei: Visitor
let visitor: Visitor

beforeAll(async () => {
  port = Number(new URL(await forum.app.listen({ port: 0, host: '127.0.0.1' })).port)
})

beforeEach(async () => {
  mei = await forum.member()
  visitor = forum.visitor()
  await visitor.fetchToken()
})

const [little, some, much] = [300, 300_000, 6_000_000]
const sizes = [little, some, much]

const partOf = (name: string, file = '; filename="cup.png"') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\ncontent-type: image/png\r\n\r\n`
const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
const within = (head: string) => (bytes: number) => `${head}${'x'.repeat(bytes)}\r\n--b--\r\n`
const written = (bytes: number) => 'x'.repeat(bytes)
const form = { 'content-type': 'application/x-www-form-urlencoded' }

type Kind = { method?: string; path: string; headers: () => Record<string, string>; body: (bytes: number) => string }
const asMember = (more: Record<string, string>) => () => ({ ...mei.headers('POST'), ...more })
const asVisitor = (more: Record<string, string>) => () => ({ ...visitor.headers('POST'), ...more })

const picture = '/api/file/picture'
const aWrongPart: Kind = { path: picture, headers: asMember(multipart), body: within(partOf('photo')) }
const kinds: Record<string, Kind> = {
  'a part of another name': aWrongPart,
  'a part that is too long': { path: picture, headers: asMember(multipart), body: within(partOf('text', '')) },
  'too many parts': { path: picture, headers: asMember(multipart), body: within(partOf('a', '').repeat(30) + partOf('file')) },
  'a form that is none': { path: picture, headers: asMember(multipart), body: written },
  'a form without a boundary': { path: picture, headers: asMember({ 'content-type': 'multipart/form-data' }), body: written },
  'a picture of a visitor': { path: picture, headers: asVisitor(multipart), body: within(partOf('file')) },
  'a picture from another site': {
    path: picture,
    headers: asMember({ ...multipart, origin: 'https://evil.example' }),
    body: within(partOf('file')),
  },
  'a picture without a token': { path: picture, headers: asMember({ ...multipart, cookie: '' }), body: within(partOf('file')) },
  'a picture where none is taken': { path: '/api/account/logout', headers: asMember(multipart), body: within(partOf('file')) },
  'what is no type': { path: '/api/account/login', headers: asVisitor({ 'content-type': 'tea' }), body: written },
  'a type that is not taken': { path: '/api/account/login', headers: asVisitor({ 'content-type': 'text/plain' }), body: written },
  'a form that is too large': { path: '/api/account/login', headers: asVisitor(form), body: written },
  'a form from another site': { path: '/api/account/login', headers: () => form, body: written },
  'a call that is not there': { path: '/api/nowhere', headers: asVisitor(form), body: written },
  'a picture for a call that is not there': { path: '/api/nowhere', headers: asMember(multipart), body: within(partOf('file')) },
  'a page': { path: '/index', headers: () => multipart, body: within(partOf('file')) },
  'a body with a read': { method: 'GET', path: '/api/baseInfo', headers: () => form, body: written },
  'a body with an address of nothing': { method: 'GET', path: '/nowhere', headers: () => ({}), body: written },
  'a method that is not taken': { method: 'DELETE', path: '/index', headers: () => form, body: written },
  'a file that nobody announced': {
    method: 'PUT',
    path: `/file/incoming/f_${'a'.repeat(22)}?key=x`,
    headers: () => ({ 'content-type': 'application/octet-stream' }),
    body: written,
  },
  'a host that is none': { path: picture, headers: asMember({ ...multipart, host: 'tea/house' }), body: within(partOf('file')) },
}

type Framing = 'length' | 'chunks' | 'expecting'
const framings: Framing[] = ['length', 'chunks', 'expecting']
const answersIn = (text: string) => text.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split(/(?=HTTP\/1\.1 \d{3} )/)
const statusOf = (answer: string) => answer.slice(0, 12)
const next = 'GET /api/baseInfo HTTP/1.1\r\nhost: tea\r\nconnection: close\r\n\r\n'

test.each(Object.entries(kinds).flatMap(([name, kind]) => framings.map((framing) => [name, framing, kind] as const)))(
  'after %s, by %s, the next call is answered, or the answer said that it is the last',
  async (_, framing, kind) => {
    for (const bytes of sizes) {
      const text = await spoken(requestOf(kind, framing, bytes), next)
      const [first = '', ...others] = answersIn(text)
      expect.soft(first, `${bytes} bytes`).toMatch(/^HTTP\/1.1 (200|302|400|401|403|404|411|413|415|422) /)
      const isLast = /^connection: close\r$/im.test(first)
      expect.soft(others.map(statusOf), `${bytes} bytes after ${first}`).toEqual(isLast ? [] : ['HTTP/1.1 200'])
    }
  },
)

test('a call that comes too often is answered so without its picture being read', async () => {
  const wrong = requestOf(aWrongPart, 'length', some)
  let text = ''
  for (let times = 0; times < 31; times++) text = await spoken(wrong, next)
  expect(text).toMatch(/^HTTP\/1.1 429 [^]*HTTP\/1.1 200 /)
})

test('calls at once on one connection are each answered', async () => {
  const wrong = requestOf(aWrongPart, 'length', some)
  const text = await spoken(`${wrong}${wrong}${wrong}`, next)
  expect(answersIn(text).map(statusOf)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400', 'HTTP/1.1 400', 'HTTP/1.1 200'])
})

test('a request behind the last answer of a connection is not run', async () => {
  const wrong = requestOf(aWrongPart, 'chunks', much)
  const logout = requestOf({ path: '/api/account/logout', headers: asMember(form), body: () => '' }, 'length', 0)
  expect(answersIn(await spoken(wrong, logout)).map(statusOf)).toEqual(['HTTP/1.1 411'])
  const { statusCode } = await forum.app.inject({ url: '/api/user/control/sessions', headers: mei.headers('GET') })
  expect(statusCode).toBe(200)
})

function requestOf({ method = 'POST', path, headers, body }: Kind, framing: Framing, bytes: number): string {
  const headerLines = Object.entries({ host: 'tea', ...headers() }).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = body(bytes)
  const start = `${method} ${path} HTTP/1.1\r\n${headerLines.join('')}`
  if (framing === 'chunks') return `${start}transfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  return `${start}content-length: ${text.length}\r\n${framing === 'expecting' ? 'expect: 100-continue\r\n' : ''}\r\n${text}`
}

/** The answer to a client that reads only after it has sent everything it can. */
async function spoken(...pieces: string[]): Promise<string> {
  const line = connect(port, '127.0.0.1')
  let text = ''
  let wrong: Error | null = null
  line.on('error', (error) => (wrong = error))
  line.on('data', (bytes) => (text += bytes.toString()))
  line.pause()
  for (const piece of pieces) if (!line.write(piece)) await Promise.race([once(line, 'drain'), once(line, 'close')])
  line.resume()
  if (!line.closed) await once(line, 'close')
  return wrong ? `${text}\n${String(wrong)}` : text
}

import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import fastify, { type FastifyRequest } from 'fastify'
import { afterAll, expect, test, vi } from 'vitest'
import { parseMultipart } from '#base/server/http/multipart.ts'
import { until } from '#base/testing/waits.ts'

const app = fastify()
await app.register(multipart)
app.post('/take', (request) => contentOf(request))
app.setErrorHandler((error: Error & { statusCode?: number; kind?: { status: number } }, _, reply) =>
  reply.code(error.kind?.status ?? error.statusCode ?? 500).send(),
)
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

async function contentOf(request: FastifyRequest) {
  const { body, upload } = await parseMultipart(request, 1000, 300)
  return { fields: body.as === 'parts' ? body.fields : null, upload: upload && [upload.name, upload.type, upload.bytes.toString()] }
}

type Part = { name: string; text: string; file?: string; type?: string }
const cup: Part = { name: 'file', file: 'cup.png', text: 'a cup', type: 'image/png' }

test('a form of fields and one file is read, in any order', async () => {
  const all = await send([{ name: 'x', text: '1' }, cup, { name: 'y', text: '2' }])
  expect(all.json()).toEqual({
    fields: [
      ['x', '1'],
      ['y', '2'],
    ],
    upload: ['cup.png', 'image/png', 'a cup'],
  })
  expect((await send([])).json()).toEqual({ fields: [], upload: null })
})

test.each<[string, Part[]]>([
  ['a second file', [cup, cup]],
  ['a second file of another name', [cup, { ...cup, name: 'other' }]],
  ['a file of a name that nobody asked for', [{ ...cup, name: 'picture' }]],
  ['a file whose name is a property of everything', [{ ...cup, name: '__proto__' }]],
  ['a field whose name is a property of everything', [{ name: 'constructor', text: 'x' }]],
  ['more fields than any form has', Array.from({ length: 21 }, (_, at) => ({ name: `field${at}`, text: 'x' }))],
  ['thousands of fields', Array.from({ length: 5000 }, () => ({ name: 'x', text: 'x' }))],
  ['a field that is longer than any', [{ name: 'x', text: 'x'.repeat(64 * 1024 + 1) }]],
  ['a name that is longer than any', [{ name: 'x'.repeat(200), text: 'x' }]],
  ['a field that says it is JSON', [{ name: 'x', text: '{"a":1}', type: 'application/json' }]],
])('%s is refused', async (_, parts) => {
  expect((await send(parts)).statusCode).toBe(400)
})

test('a file above the limit is refused, and a body far above it before it is read', async () => {
  expect((await send([{ ...cup, text: 'x'.repeat(1000) }])).statusCode).toBe(200)
  expect((await send([{ ...cup, text: 'x'.repeat(1001) }])).statusCode).toBe(413)
  expect(await spoken(`content-length: 99999999\r\n\r\n--b\r\n`)).toMatch(/^HTTP\/1.1 413/)
})

test('a body that says not how long it is, is refused', async () => {
  expect(await spoken('transfer-encoding: chunked\r\n\r\n5\r\n--b\r\n\r\n')).toMatch(/^HTTP\/1.1 411/)
})

test('a form of which nothing comes any more is cut, and one that comes slowly is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const half = spoken('content-length: 500\r\n\r\n--b\r\ncontent-disposition: form-data; name="x"\r\n\r\nhalf')
  const isCut = half.then(() => true)
  await until(async () => {
    vi.advanceTimersByTime(100)
    return Promise.race([isCut, setImmediate(false)])
  })
  expect(await half).not.toMatch(/ 200 /)

  const body = formOf([cup])
  const pieces = body.toString().match(/[^]{1,40}/g) ?? []
  const slow = await spoken(`content-length: ${body.length}\r\n\r\n`, pieces, () => void vi.advanceTimersByTime(120))
  expect(slow).toMatch(/^HTTP\/1.1 200/)
  vi.useRealTimers()
})

function send(parts: Part[]) {
  return app.inject({
    method: 'POST',
    url: '/take',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: formOf(parts),
  })
}

function formOf(parts: Part[]): Buffer {
  const written = parts.map(({ name, text, file, type }) => {
    const head = `content-disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}`
    return `--b\r\n${head}${type ? `\r\ncontent-type: ${type}` : ''}\r\n\r\n${text}\r\n`
  })
  return Buffer.from(`${written.join('')}--b--\r\n`)
}

/** The answer on a raw connection to the rest of a request, written in pieces, each once the previous one has arrived. */
async function spoken(rest: string, pieces: string[] = [], arrived: () => void = () => undefined): Promise<string> {
  const coming = once(app.server, 'connection')
  const line = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const [received] = (await coming) as [Socket]
  let response = ''
  line.on('data', (bytes) => {
    response += bytes.toString()
    line.end()
  })
  line.on('error', () => undefined)
  const closed = once(line, 'close')
  let sent = 0
  for (const piece of [`POST /take HTTP/1.1\r\nhost: tea\r\ncontent-type: multipart/form-data; boundary=b\r\n${rest}`, ...pieces]) {
    line.write(piece)
    sent += Buffer.byteLength(piece)
    await until(() => received.bytesRead >= sent || line.closed)
    await setImmediate()
    arrived()
  }
  await closed
  return response
}

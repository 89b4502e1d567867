import { setTimeout as pause } from 'node:timers/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { DeadlineExceeded, withDeadline } from '#base/server/outbound/deadline.ts'
import { isOurs, type ByteRange, type Storage, type StoredContent } from '#file/server/storage-types.ts'
import { tracedPart } from '#base/server/tracing/trace.ts'

export type S3Place = {
  /** The endpoint for this server. */
  url: string
  /** The endpoint for browsers. */
  publicUrl: string
  bucket: string
  region: string
  keyId: string
  secret: string
  bucketStands: 'in path' | 'in host'
}

type StoreRequest = {
  method?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array | ReadableStream
}

type ReadResponse<T> = (answer: Response) => T | Promise<T>
type SendRequest = <T>(name: string, read: ReadResponse<T>, request?: StoreRequest) => Promise<T | null>

/** An error response of the store. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

const maxAttempts = 3
const pageSize = 1000
/** The bandwidth of slow stores, per millisecond. */
const minBytesPerMs = 100

/** A storage with the S3 API and signatures of version 4. The timeout of a response depends on its length. */
export function s3Storage(place: S3Place, { patienceMs = 20_000 } = {}): Storage {
  const client = new AwsClient({
    accessKeyId: place.keyId,
    secretAccessKey: place.secret,
    region: place.region,
    service: 's3',
    // Retries are made here, after broken connections, too.
    retries: 0,
  })
  const ask: SendRequest = (name, read, request = {}) =>
    requestWithRetry({ client, address: addressOf(place, place.url, name), patienceMs }, read, request)
  return {
    put: (name, content) => put(ask, name, content),
    list: (before) => list(ask, before),
    get: (name, part) =>
      ask(name, (answer) => storedIn(answer, part, patienceMs), part && { headers: { range: `bytes=${part.from}-${part.to}` } }),
    async copy(name, other) {
      assertDone(await ask(other, textOf, { method: 'PUT', headers: { 'x-amz-copy-source': `/${place.bucket}/${name}` } }))
    },
    async remove(name) {
      await ask(name, textOf, { method: 'DELETE' })
    },
    async admit(name, bytes, seconds) {
      const url = addressOf(place, place.publicUrl, name)
      url.searchParams.set('X-Amz-Expires', String(seconds))
      const headers = { ...asBytes, 'content-length': String(bytes) }
      const { url: signed } = await client.sign(url.href, { method: 'PUT', headers, aws: { signQuery: true, allHeaders: true } })
      // Browsers set the length themselves, and the store refuses any other than the signed one.
      return { url: signed, headers: asBytes }
    },
  }
}

async function put(ask: SendRequest, name: string, content: Uint8Array | StoredContent): Promise<void> {
  const isWhole = content instanceof Uint8Array
  const body = isWhole ? content : Readable.toWeb(content.stream)
  const bytes = isWhole ? content.length : content.bytes
  try {
    assertDone(await ask(name, textOf, { method: 'PUT', body, headers: { ...asBytes, 'content-length': String(bytes) } }))
  } catch (error) {
    // Some stores keep the part of an aborted body.
    if (!isWhole) await ask(name, textOf, { method: 'DELETE' })
    throw error
  }
}

async function* list(ask: SendRequest, before: Date): AsyncIterable<string> {
  let after = ''
  for (;;) {
    const query = { 'list-type': '2', 'max-keys': String(pageSize), ...(after && { 'start-after': after }) }
    const page = (await ask('', textOf, { query })) ?? ''
    const found = entriesIn(page)
    for (const { name, at } of found) if (at < before && isOurs(name)) yield name
    // A store may return fewer entries than requested.
    if (found.length === 0 || !/<IsTruncated>\s*true/i.test(page)) return
    after = found.at(-1)?.name ?? ''
  }
}

const asBytes = { 'content-type': 'application/octet-stream' }

function addressOf({ bucket, bucketStands }: S3Place, base: string, name: string): URL {
  const url = new URL(base)
  if (bucketStands === 'in host') url.host = `${bucket}.${url.host}`
  url.pathname = bucketStands === 'in host' ? `/${name}` : `/${bucket}/${name}`
  return url
}

type Connection = { client: AwsClient; address: URL; patienceMs: number }

/** Null for a missing object. Retries after a broken connection or a temporary error; a streamed body can be sent only once. */
async function requestWithRetry<T>(
  { client, address, patienceMs }: Connection,
  read: ReadResponse<T>,
  request: StoreRequest,
): Promise<T | null> {
  const { method = 'GET', query = {}, headers = {}, body } = request
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const attempts = body && !(body instanceof Uint8Array) ? 1 : maxAttempts
  for (let attempt = 1; ; attempt++) {
    const controller = new AbortController()
    const init = { method, headers, body: body ?? null, duplex: 'half' }
    try {
      return await withDeadline(patienceMs + bytesIn(headers) / minBytesPerMs, async () => {
        // Not in the signed request: the runtime drops the signal of a request object with the next garbage collection.
        const signed = await client.sign(address.href, init as RequestInit)
        const span = { name: method, kind: 'client', attributes: { 'server.address': address.hostname } } as const
        const answer = await tracedPart(span, () => fetch(signed, { signal: controller.signal }))
        if (answer.status >= 500 || answer.status === 429) throw new TemporaryFailure(`${method} was answered with ${answer.status}`)
        return (await isThere(method, answer)) ? await read(answer) : null
      })
    } catch (error) {
      controller.abort()
      if (error instanceof DeadlineExceeded) throw new StoreFailed(`${method} took too long`)
      if ((error instanceof StoreFailed && !(error instanceof TemporaryFailure)) || attempt >= attempts) throw error
    }
    await pause(100 * 3 ** attempt)
  }
}

class TemporaryFailure extends StoreFailed {}

function bytesIn(headers: Record<string, string>): number {
  return Number(headers['content-length'] ?? 0)
}

async function isThere(method: string, answer: Response): Promise<boolean> {
  if (answer.ok) return true
  const code = codeIn(await answer.text())
  if (answer.status === 404 && code !== 'NoSuchBucket') return false
  throw new StoreFailed(`${method} was answered with ${answer.status} ${code}`)
}

function textOf(answer: Response): Promise<string> {
  return answer.text()
}

// A copy may have status 200 with an error in the body.
function assertDone(text: string | null): void {
  if (text === null || /<Error[\s>]/.test(text)) throw new StoreFailed(`It was not done: ${codeIn(text ?? '') || 'not found'}`)
}

function codeIn(xml: string): string {
  return /<Code>(\w+)<\/Code>/.exec(xml)?.[1] ?? ''
}

function storedIn({ headers, body }: Response, part: ByteRange | undefined, patienceMs: number): StoredContent {
  const length = Number(headers.get('content-length'))
  const bytes = part ? Number(headers.get('content-range')?.split('/')[1]) : length
  if (!body || !Number.isSafeInteger(bytes)) throw new StoreFailed('The store did not say how long it is')
  const source = Readable.fromWeb(body as ReadableStream)
  return { bytes, stream: Readable.from(withinTime(source, patienceMs + length / minBytesPerMs), { objectMode: false }) }
}

/** Only the store's time counts against the deadline; the reader may be slower. */
async function* withinTime(source: Readable, ms: number): AsyncGenerator<Uint8Array> {
  const pieces = source.iterator() as AsyncIterator<Uint8Array>
  let left = ms
  try {
    for (;;) {
      const began = performance.now()
      const { done, value } = await withDeadline(left, () => pieces.next())
      if (done) return
      left -= performance.now() - began
      yield value
    }
  } finally {
    source.destroy()
  }
}

function entriesIn(xml: string): { name: string; at: Date }[] {
  return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    name: /<Key>([^<]*)<\/Key>/.exec(entry)?.[1] ?? '',
    at: new Date(/<LastModified>([^<]*)<\/LastModified>/.exec(entry)?.[1] ?? ''),
  }))
}

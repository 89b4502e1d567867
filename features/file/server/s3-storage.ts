import { setTimeout as pause } from 'node:timers/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { isOurs, type Part, type Storage, type Stored } from '#file/server/stored.ts'

export type S3Place = {
  /** Where this server reaches the store. */
  url: string
  /** Where browsers reach it. */
  publicUrl: string
  bucket: string
  region: string
  keyId: string
  secret: string
  bucketStands: 'in path' | 'in host'
}

type Asked = { method?: string; query?: Record<string, string>; headers?: Record<string, string>; body?: Uint8Array | ReadableStream }

type Ask = (name: string, asked?: Asked) => Promise<Response | null>

/** What the store said instead of what was asked of it. */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
}

const tries = 3
const onOnePage = 1000
const patienceMs = 20_000

/** Files in a store that speaks S3, by signed requests of the fourth kind. */
export function s3Storage(place: S3Place): Storage {
  const client = new AwsClient({
    accessKeyId: place.keyId,
    secretAccessKey: place.secret,
    region: place.region,
    service: 's3',
    // Ours try again after a broken line too.
    retries: 0,
  })
  const ask: Ask = (name, asked = {}) => answered(client, addressOf(place, place.url, name), asked)
  return {
    put: (name, content) => put(ask, name, content),
    list: (before) => list(ask, before),
    async get(name, part) {
      const answer = await ask(name, part && { headers: { range: `bytes=${part.from}-${part.to}` } })
      return answer && storedIn(answer, part)
    },
    async copy(name, other) {
      await must(await ask(other, { method: 'PUT', headers: { 'x-amz-copy-source': `/${place.bucket}/${name}` } }))
    },
    async remove(name) {
      await (await ask(name, { method: 'DELETE' }))?.body?.cancel()
    },
    async admit(name, bytes, seconds) {
      const url = addressOf(place, place.publicUrl, name)
      url.searchParams.set('X-Amz-Expires', String(seconds))
      const headers = { ...asBytes, 'content-length': String(bytes) }
      const { url: signed } = await client.sign(url.href, { method: 'PUT', headers, aws: { signQuery: true, allHeaders: true } })
      // Browsers say the length by themselves, and the store refuses any other than the one signed.
      return { url: signed, headers: asBytes }
    },
  }
}

async function put(ask: Ask, name: string, content: Uint8Array | Stored): Promise<void> {
  const isWhole = content instanceof Uint8Array
  const body = isWhole ? content : Readable.toWeb(content.stream)
  const bytes = isWhole ? content.length : content.bytes
  try {
    await must(await ask(name, { method: 'PUT', body, headers: { ...asBytes, 'content-length': String(bytes) } }))
  } catch (error) {
    // Some stores keep what came of a body that broke off.
    if (!isWhole) await ask(name, { method: 'DELETE' })
    throw error
  }
}

async function* list(ask: Ask, before: Date): AsyncIterable<string> {
  let after = ''
  for (;;) {
    const answer = await ask('', { query: { 'list-type': '2', 'max-keys': String(onOnePage), ...(after && { 'start-after': after }) } })
    const found = entriesIn((await answer?.text()) ?? '')
    for (const { name, at } of found) if (at < before && isOurs(name)) yield name
    if (found.length < onOnePage) return
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

/** Null where there is nothing. Asks again when the line broke or the store had a bad moment; a body that flows can be sent only once. */
async function answered(client: AwsClient, address: URL, asked: Asked): Promise<Response | null> {
  const { method = 'GET', query = {}, headers = {}, body } = asked
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const most = body && !(body instanceof Uint8Array) ? 1 : tries
  for (let attempt = 1; ; attempt++) {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new StoreFailed(`${method} took too long`)), patienceMs + bytesIn(headers) / 100)
    try {
      const answer = await client.fetch(address.href, {
        method,
        headers,
        body: body ?? null,
        signal: late.signal,
        duplex: 'half',
      } as RequestInit)
      if (answer.status < 500 && answer.status !== 429) return await checked(method, answer)
      await answer.body?.cancel()
      if (attempt >= most) throw new StoreFailed(`${method} was answered with ${answer.status}`)
    } catch (error) {
      if (error instanceof StoreFailed || attempt >= most) throw error
    } finally {
      clearTimeout(timer)
    }
    await pause(100 * 3 ** attempt)
  }
}

function bytesIn(headers: Record<string, string>): number {
  return Number(headers['content-length'] ?? 0)
}

async function checked(method: string, answer: Response): Promise<Response | null> {
  if (answer.ok) return answer
  const code = codeIn(await answer.text())
  if (answer.status === 404 && code !== 'NoSuchBucket') return null
  throw new StoreFailed(`${method} was answered with ${answer.status} ${code}`)
}

// A copy may be answered with 200 and an error inside.
async function must(answer: Response | null): Promise<void> {
  const text = await answer?.text()
  if (text === undefined || text.includes('<Error>')) throw new StoreFailed(`It was not done: ${codeIn(text ?? '') || 'not found'}`)
}

function codeIn(xml: string): string {
  return /<Code>(\w+)<\/Code>/.exec(xml)?.[1] ?? ''
}

function storedIn({ headers, body }: Response, part: Part | undefined): Stored {
  const bytes = part ? Number(headers.get('content-range')?.split('/')[1]) : Number(headers.get('content-length'))
  if (!body || !Number.isSafeInteger(bytes)) throw new StoreFailed('The store did not say how long it is')
  return { bytes, stream: Readable.fromWeb(body as ReadableStream) }
}

function entriesIn(xml: string): { name: string; at: Date }[] {
  return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    name: /<Key>([^<]*)<\/Key>/.exec(entry)?.[1] ?? '',
    at: new Date(/<LastModified>([^<]*)<\/LastModified>/.exec(entry)?.[1] ?? ''),
  }))
}

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { lazy } from '#base/lazy.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

/** One cached answer: its bytes, and the same bytes compressed once for all requests. */
export type CachedResponse = {
  status: number
  readonly etag: string
  readonly body: Buffer
  tags: readonly string[]
  /** The body as text, of which no bytes are made as long as nobody sends them. */
  text(): string
  encoded(encoding: Encoding): EncodedBody | Promise<EncodedBody>
}

/** Bytes to send, and their headers after those of the answer: name, value, name, value. */
export type EncodedBody = { bytes: Buffer; headersAfter(answer: readonly string[]): string[] }

export type RenderedResponse = {
  status: number
  type: string
  body: string | Buffer
  /** The body is compressed already, such as a picture, and sent as it is. */
  isDense?: boolean
  tags: readonly string[]
  /** The target of a redirect. */
  location?: string
  /** Sent to those who wait for it, and not stored. */
  isUncacheable?: boolean
  /** For a second it may lack what was added. */
  mayBeLate?: boolean
}

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

export function toCachedResponse({ status, type, body, isDense = false, tags, location }: RenderedResponse): CachedResponse {
  let content = body
  const etag = lazy(() => `"${hash('sha256', plain(), 'base64url').slice(0, 22)}"`)
  const ready: Partial<Record<Encoding, EncodedBody | Promise<EncodedBody>>> = {}

  function plain(): Buffer {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    content = bytes
    return bytes
  }

  function describe(encoding: Encoding, bytes: Buffer): EncodedBody {
    const about = ['content-type', type, 'content-length', String(bytes.length), ...(location ? ['location', location] : [])]
    if (encoding !== 'identity') about.push('content-encoding', encoding)
    return { bytes, headersAfter: joinedOnce(() => [...about, 'etag', etag()]) }
  }

  async function compressed(encoding: 'br' | 'gzip'): Promise<EncodedBody> {
    const encoded = describe(encoding, await compress(encoding, plain()))
    ready[encoding] = encoded
    return encoded
  }

  function encoded(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    if (encoding === 'identity' || isDense) return (ready.identity ??= describe('identity', plain()))
    return (ready[encoding] ??= compressed(encoding))
  }

  return {
    status,
    tags,
    get body() {
      return plain()
    },
    get etag() {
      return etag()
    },
    text: () => content.toString(),
    encoded,
  }
}

/** Joins these headers to those of an answer, which are nearly always the same ones. */
function joinedOnce(about: () => readonly string[]): EncodedBody['headersAfter'] {
  let latest: readonly string[] | null = null
  let joined: string[] = []
  return (answer) => {
    if (answer !== latest) [latest, joined] = [answer, [...answer, ...about()]]
    return joined
  }
}

function compress(encoding: 'br' | 'gzip', bytes: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: 6 })
  return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

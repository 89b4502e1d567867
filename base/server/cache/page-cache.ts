import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isUnavailable } from '#base/server/database/availability.ts'
import { onlyAddedTag } from '#base/server/cache/invalidation.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

/** One cached answer: its bytes, and the same bytes compressed once for all requests. */
export type CachedResponse = {
  status: number
  etag: string
  body: Buffer
  tags: readonly string[]
  encoded(encoding: Encoding): EncodedBody | Promise<EncodedBody>
}

/** Bytes to send, and their headers after those of the answer: name, value, name, value. */
export type EncodedBody = { bytes: Buffer; headersAfter(answer: readonly string[]): string[] }

export type RenderedResponse = {
  status: number
  type: string
  /** Text is compressed; a buffer is dense already and sent as it is. */
  body: string | Buffer
  tags: readonly string[]
  /** The target of a redirect. */
  location?: string
  /** Sent to those who wait for it, and not stored. */
  isUncacheable?: boolean
}

type Entry = { response: CachedResponse; tags: readonly string[]; bytes: number; freshUntil: number; usableUntil: number }
type InFlightRender = { startedAtDrop: number; result: Promise<{ response: CachedResponse; isOutdated: boolean }> }

const maxAgeMs = 5 * 60_000
// While the database is unavailable: how long stale entries still serve, and how often a fresh one is tried.
const maxStaleMs = 60 * 60_000
const retryIntervalMs = 2_000
const reportIntervalMs = 10_000
// Tags a stale answer, so that anything made from it counts as stale too.
const staleTag = 'stale'
const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/**
 * Stores finished answers in memory under their cache tags. Concurrent requests for one key share one rendering; the least recently used
 * are evicted first.
 */
export class PageCache {
  readonly #room: number
  readonly #entries = new Map<string, Entry>()
  readonly #byTag = new Map<string, Set<string>>()
  readonly #inFlight = new Map<string, InFlightRender>()
  readonly #droppedMeanwhile = new Map<string, number>()
  #drops = 0
  #nextReportAt = 0
  #bytes = 0
  hits = 0
  misses = 0

  readonly #onStale: () => void

  /** `onStale` is called when a stale answer is sent because the database is unavailable. */
  constructor(maxBytes: number, onStale: () => void = () => undefined) {
    this.#room = maxBytes
    this.#onStale = onStale
  }

  get bytes(): number {
    return this.#bytes
  }

  get entries(): number {
    return this.#entries.size
  }

  get(key: string): CachedResponse | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.freshUntil < performance.now()) return undefined
    this.hits++
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.response
  }

  /**
   * Waits for the answer in progress for this key, or makes it. An answer begun before an invalidation may not show the change, so later
   * requests do not take it.
   */
  async make(key: string, make: () => Promise<RenderedResponse>): Promise<CachedResponse> {
    const running = this.#inFlight.get(key)
    if (!running) return (await this.#begin(key, make)).response
    const startedAtDrop = this.#drops
    const { response, isOutdated } = await running.result
    if (!isOutdated || startedAtDrop === running.startedAtDrop) return response
    return this.get(key) ?? this.make(key, make)
  }

  drop(tags: readonly string[] | '*'): void {
    this.#drops++
    if (tags === '*') {
      this.#droppedMeanwhile.set('*', this.#drops)
      this.#entries.clear()
      this.#byTag.clear()
      this.#bytes = 0
      return
    }
    const mayServeStale = tags.includes(onlyAddedTag)
    for (const tag of tags) {
      if (this.#inFlight.size > 0) this.#droppedMeanwhile.set(tag, this.#drops)
      for (const key of this.#byTag.get(tag) ?? []) {
        const entry = this.#entries.get(key)
        if (entry && mayServeStale) entry.freshUntil = 0
        else if (entry) this.#forget(key, entry)
      }
    }
  }

  #begin(key: string, make: () => Promise<RenderedResponse>): InFlightRender['result'] {
    this.misses++
    const result = this.#renderAndStore(key, make).finally(() => {
      this.#inFlight.delete(key)
      if (this.#inFlight.size === 0) this.#droppedMeanwhile.clear()
    })
    this.#inFlight.set(key, { startedAtDrop: this.#drops, result })
    return result
  }

  async #renderAndStore(key: string, make: () => Promise<RenderedResponse>): InFlightRender['result'] {
    const begun = this.#drops
    const result = await this.#renderedOrStale(key, make)
    if ('response' in result) return { response: result.response, isOutdated: false }
    const response = toCachedResponse(result)
    const isOutdated = ['*', ...result.tags].some((tag) => (this.#droppedMeanwhile.get(tag) ?? 0) > begun)
    // A missing page may appear a moment later without an invalidation, so errors are not stored.
    if (!isOutdated && !result.isUncacheable && result.status < 400 && !result.tags.includes(staleTag))
      this.#store(key, toEntry(result, response))
    return { response, isOutdated }
  }

  /** The result of `make`, or the stale entry while the database is unavailable. */
  async #renderedOrStale(key: string, make: () => Promise<RenderedResponse>): Promise<RenderedResponse | Entry> {
    try {
      const result = await make()
      return (result.status === 503 && this.#staleEntry(key)) || result
    } catch (error) {
      const before = isUnavailable(error) && this.#staleEntry(key)
      if (!before) throw error
      return before
    }
  }

  #staleEntry(key: string): Entry | null {
    const [entry, now] = [this.#entries.get(key), performance.now()]
    if (!entry || entry.usableUntil < now) return null
    if (now > this.#nextReportAt) {
      this.#nextReportAt = now + reportIntervalMs
      this.#onStale()
    }
    entry.freshUntil = now + retryIntervalMs
    entry.response = { ...entry.response, tags: [...entry.tags, staleTag] }
    return entry
  }

  #store(key: string, entry: Entry): void {
    const before = this.#entries.get(key)
    if (before) this.#forget(key, before)
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const tag of entry.tags) {
      const keys = this.#byTag.get(tag) ?? new Set()
      this.#byTag.set(tag, keys.add(key))
    }
    for (const [oldest, oldestEntry] of this.#entries) {
      if (this.#bytes <= this.#room) break
      this.#forget(oldest, oldestEntry)
    }
  }

  #forget(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    for (const tag of entry.tags) {
      const keys = this.#byTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#byTag.delete(tag)
    }
  }
}

function toEntry(rendered: RenderedResponse, response: CachedResponse): Entry {
  const now = performance.now()
  return { response, tags: rendered.tags, bytes: sizeOf(rendered), freshUntil: now + maxAgeMs, usableUntil: now + maxStaleMs }
}

// Text is stored compressed too, in one or two encodings.
function sizeOf({ body }: RenderedResponse): number {
  return typeof body === 'string' ? body.length * 2 : body.length
}

function toCachedResponse({ status, type, body, tags, location }: RenderedResponse): CachedResponse {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const isDense = typeof body !== 'string'
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const ready: Partial<Record<Encoding, EncodedBody | Promise<EncodedBody>>> = { identity: describe('identity', plain) }

  function describe(encoding: Encoding, bytes: Buffer): EncodedBody {
    const about = ['content-type', type, 'content-length', String(bytes.length), 'etag', etag, ...(location ? ['location', location] : [])]
    return { bytes, headersAfter: joinedOnce(encoding === 'identity' ? about : [...about, 'content-encoding', encoding]) }
  }

  async function make(encoding: Encoding): Promise<EncodedBody> {
    const encoded = describe(encoding, await compress(encoding, plain))
    ready[encoding] = encoded
    return encoded
  }

  return { status, etag, body: plain, tags, encoded: (encoding) => (ready[isDense ? 'identity' : encoding] ??= make(encoding)) }
}

/** Joins these headers to those of an answer, which are nearly always the same ones. */
function joinedOnce(about: readonly string[]): EncodedBody['headersAfter'] {
  let latest: readonly string[] | null = null
  let joined: string[] = []
  return (answer) => {
    if (answer !== latest) [latest, joined] = [answer, [...answer, ...about]]
    return joined
  }
}

function compress(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: 6 })
  return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

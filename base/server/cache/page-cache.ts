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

type Entry = { kept: CachedResponse; tags: readonly string[]; bytes: number; freshUntil: number; usableUntil: number }
type InFlightRender = { startedAtDrop: number; made: Promise<{ kept: CachedResponse; isOld: boolean }> }

const maxAgeMs = 5 * 60_000
// While the database is unavailable: how long stale entries still serve, and how often a fresh one is tried.
const maxStaleMs = 60 * 60_000
const retryIntervalMs = 2_000
const reportIntervalMs = 10_000
// Tags a stale answer, so that anything made from it counts as stale too.
const staleTag = 'from before'
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
  readonly #making = new Map<string, InFlightRender>()
  readonly #droppedWhileMaking = new Map<string, number>()
  #drops = 0
  #tellAgainAt = 0
  #bytes = 0
  hits = 0
  misses = 0

  readonly #onFromBefore: () => void

  /** `onFromBefore` is called when a stale answer is sent because the database is unavailable. */
  constructor(maxBytes: number, onStale: () => void = () => undefined) {
    this.#room = maxBytes
    this.#onFromBefore = onStale
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
    return entry.kept
  }

  /**
   * Waits for the answer in progress for this key, or makes it. An answer begun before an invalidation may not show the change, so later
   * requests do not take it.
   */
  async make(key: string, make: () => Promise<RenderedResponse>): Promise<CachedResponse> {
    const running = this.#making.get(key)
    if (!running) return (await this.#begin(key, make)).kept
    const startedAtDrop = this.#drops
    const { kept, isOld } = await running.made
    if (!isOld || startedAtDrop === running.startedAtDrop) return kept
    return this.get(key) ?? this.make(key, make)
  }

  drop(tags: readonly string[] | '*'): void {
    this.#drops++
    if (tags === '*') {
      this.#droppedWhileMaking.set('*', this.#drops)
      this.#entries.clear()
      this.#byTag.clear()
      this.#bytes = 0
      return
    }
    const mayServeStale = tags.includes(onlyAddedTag)
    for (const tag of tags) {
      if (this.#making.size > 0) this.#droppedWhileMaking.set(tag, this.#drops)
      for (const key of this.#byTag.get(tag) ?? []) {
        const entry = this.#entries.get(key)
        if (entry && mayServeStale) entry.freshUntil = 0
        else if (entry) this.#forget(key, entry)
      }
    }
  }

  #begin(key: string, make: () => Promise<RenderedResponse>): InFlightRender['made'] {
    this.misses++
    const result = this.#makeAndKeep(key, make).finally(() => {
      this.#making.delete(key)
      if (this.#making.size === 0) this.#droppedWhileMaking.clear()
    })
    this.#making.set(key, { startedAtDrop: this.#drops, made: result })
    return result
  }

  async #makeAndKeep(key: string, make: () => Promise<RenderedResponse>): InFlightRender['made'] {
    const begun = this.#drops
    const result = await this.#madeOrBefore(key, make)
    if ('kept' in result) return { kept: result.kept, isOld: false }
    const response = toCachedResponse(result)
    const isOld = ['*', ...result.tags].some((tag) => (this.#droppedWhileMaking.get(tag) ?? 0) > begun)
    // A missing page may appear a moment later without an invalidation, so errors are not stored.
    if (!isOld && !result.isUncacheable && result.status < 400 && !result.tags.includes(staleTag))
      this.#keep(key, toEntry(result, response))
    return { kept: response, isOld }
  }

  /** The result of `make`, or the stale entry while the database is unavailable. */
  async #madeOrBefore(key: string, make: () => Promise<RenderedResponse>): Promise<RenderedResponse | Entry> {
    try {
      const result = await make()
      return (result.status === 503 && this.#before(key)) || result
    } catch (error) {
      const before = isUnavailable(error) && this.#before(key)
      if (!before) throw error
      return before
    }
  }

  #before(key: string): Entry | null {
    const [entry, now] = [this.#entries.get(key), performance.now()]
    if (!entry || entry.usableUntil < now) return null
    if (now > this.#tellAgainAt) {
      this.#tellAgainAt = now + reportIntervalMs
      this.#onFromBefore()
    }
    entry.freshUntil = now + retryIntervalMs
    entry.kept = { ...entry.kept, tags: [...entry.tags, staleTag] }
    return entry
  }

  #keep(key: string, entry: Entry): void {
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
  return { kept: response, tags: rendered.tags, bytes: sizeOf(rendered), freshUntil: now + maxAgeMs, usableUntil: now + maxStaleMs }
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

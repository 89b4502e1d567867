import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** One finished answer: its bytes, and the same bytes compressed once for all who ask. */
export type Kept = {
  status: number
  etag: string
  body: Buffer
  /** What it is made of. */
  tags: readonly string[]
  as(encoding: Encoding): Ready | Promise<Ready>
}

/** Bytes to send, and the headers that describe them: name, value, name, value. */
export type Ready = { bytes: Buffer; about: readonly string[] }

export type Made = {
  status: number
  type: string
  /** Text is sent compressed; bytes are dense already and go as they are. */
  body: string | Buffer
  tags: readonly string[]
  /** Where else to look, with a status that says so. */
  location?: string
  /** Given to those who wait for it, and not kept. */
  isFleeting?: boolean
}

type Entry = { kept: Kept; tags: readonly string[]; bytes: number; freshUntil: number }

const oldestMs = 5 * 60_000
const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Keeps finished answers in memory under what they are made of. Made once for many who wait; least used go first. */
export class PageCache {
  readonly #room: number
  readonly #entries = new Map<string, Entry>()
  readonly #byTag = new Map<string, Set<string>>()
  readonly #making = new Map<string, Promise<Kept>>()
  readonly #touchedWhileMaking = new Map<string, number>()
  #touches = 0
  #bytes = 0
  hits = 0
  misses = 0

  constructor(room: number) {
    this.#room = room
  }

  get bytes(): number {
    return this.#bytes
  }

  get entries(): number {
    return this.#entries.size
  }

  get(key: string): Kept | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.freshUntil < performance.now()) {
      this.#forget(key, entry)
      return undefined
    }
    this.hits++
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.kept
  }

  /** Waits for the answer that is being made for this key, or makes it. */
  make(key: string, make: () => Promise<Made>): Promise<Kept> {
    const running = this.#making.get(key)
    if (running) return running
    this.misses++
    const making = this.#makeAndKeep(key, make).finally(() => {
      this.#making.delete(key)
      if (this.#making.size === 0) this.#touchedWhileMaking.clear()
    })
    this.#making.set(key, making)
    return making
  }

  drop(tags: readonly string[] | '*'): void {
    this.#touches++
    if (tags === '*') {
      this.#touchedWhileMaking.set('*', this.#touches)
      this.#entries.clear()
      this.#byTag.clear()
      this.#bytes = 0
      return
    }
    for (const tag of tags) {
      if (this.#making.size > 0) this.#touchedWhileMaking.set(tag, this.#touches)
      for (const key of this.#byTag.get(tag) ?? []) {
        const entry = this.#entries.get(key)
        if (entry) this.#forget(key, entry)
      }
    }
  }

  async #makeAndKeep(key: string, make: () => Promise<Made>): Promise<Kept> {
    const begun = this.#touches
    const made = await make()
    const kept = finish(made)
    const isStale = ['*', ...made.tags].some((tag) => (this.#touchedWhileMaking.get(tag) ?? 0) > begun)
    // What is missing may be there a moment later, and nothing tells of it then.
    if (!isStale && !made.isFleeting && made.status < 400)
      this.#keep(key, { kept, tags: made.tags, bytes: weightOf(made), freshUntil: performance.now() + oldestMs })
    return kept
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const tag of entry.tags) {
      const keys = this.#byTag.get(tag) ?? new Set()
      this.#byTag.set(tag, keys.add(key))
    }
    for (const [oldest, its] of this.#entries) {
      if (this.#bytes <= this.#room) break
      this.#forget(oldest, its)
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

// Text lies there compressed too, in one way or two.
function weightOf({ body }: Made): number {
  return typeof body === 'string' ? body.length * 2 : body.length
}

function finish({ status, type, body, tags, location }: Made): Kept {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const isDense = typeof body !== 'string'
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const ready: Partial<Record<Encoding, Ready | Promise<Ready>>> = { identity: describe('identity', plain) }

  function describe(encoding: Encoding, bytes: Buffer): Ready {
    const about = ['content-type', type, 'content-length', String(bytes.length), 'etag', etag, ...(location ? ['location', location] : [])]
    return { bytes, about: encoding === 'identity' ? about : [...about, 'content-encoding', encoding] }
  }

  async function make(encoding: Encoding): Promise<Ready> {
    const made = describe(encoding, await compress(encoding, plain))
    ready[encoding] = made
    return made
  }

  return { status, etag, body: plain, tags, as: (encoding) => (ready[isDense ? 'identity' : encoding] ??= make(encoding)) }
}

function compress(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: 6 })
  return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
}

import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

// The overhead of an entry.
const entryBytes = 250

/** HTML of parts of pages by all that it depends on, so that it is never out of date. The least recently used parts are evicted first. */
export class HtmlMemo {
  readonly #html: LRUCache<string, Buffer>
  readonly #digests = new WeakMap<object, string>()

  constructor(maxBytes: number) {
    this.#html = new LRUCache({ maxSize: maxBytes, sizeCalculation: (html) => html.length + entryBytes })
  }

  /** A short name of data that many keys contain. */
  digest(data: object): string {
    const digest = this.#digests.get(data) ?? digestOf(JSON.stringify(data))
    this.#digests.set(data, digest)
    return digest
  }

  /** A key of all that a part depends on. */
  keyOf(dependencies: string): string {
    return digestOf(dependencies)
  }

  get(key: string): Buffer | undefined {
    return this.#html.get(key)
  }

  /** Keeps the HTML, and returns its bytes. */
  set(key: string, html: string): Buffer {
    // Memory of its own: a slice would hold that of other parts.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(html))
    bytes.write(html)
    this.#html.set(key, bytes)
    return bytes
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}

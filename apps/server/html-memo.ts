import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** HTML of parts of pages by all that it depends on, so that it is never out of date. The least recently used parts are evicted first. */
export class HtmlMemo {
  readonly #html: LRUCache<string, string>

  constructor(maxBytes: number) {
    this.#html = new LRUCache({ maxSize: maxBytes, sizeCalculation: (html, key) => 2 * (html.length + key.length) })
  }

  /** A short name of data that many keys contain. */
  digest(data: unknown): string {
    return hash('sha256', JSON.stringify(data), 'base64url')
  }

  get(key: string): string | undefined {
    return this.#html.get(key)
  }

  set(key: string, html: string): void {
    // A slice would hold the memory of the whole page.
    this.#html.set(key, Buffer.from(html).toString())
  }
}

import { LRUCache } from 'lru-cache'
import { withCallDeadline } from '#base/server/call-deadline.ts'
import { entriesToDrop } from '#base/server/cache/invalidation.ts'
import { perProgram } from '#base/server/program.ts'

type Entry<T> = { value: T; tags: readonly string[] }
/** The tags invalidated while a load is running. */
type PendingLoad = Set<string>
type RunningLoad<T> = { invalidated: PendingLoad; rows: Promise<ReadonlyMap<string, T>> }
type RowSource<T> = {
  load(keys: readonly string[]): Promise<ReadonlyMap<string, T>>
  tagsOf(row: T, key: string): readonly string[]
}
type Options = { most: number; freshMs: number }

const everything = '*'

/**
 * Caches rows in this process until one of their cache tags is invalidated, for `freshMs` at most, so that no stale row lasts. The least
 * recently used are evicted first.
 */
export class RowCache<T> {
  readonly #entries: LRUCache<string, Entry<T>>
  readonly #byTag = new Map<string, Set<string>>()
  readonly #asking = new Set<PendingLoad>()
  readonly #running = new Map<string, RunningLoad<T>>()

  constructor({ most, freshMs }: Options) {
    this.#entries = new LRUCache({ max: most, ttl: freshMs, dispose: ({ tags }, key) => this.#unlist(key, tags) })
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value
  }

  /**
   * The rows of these keys. Those that are not cached are loaded at once, without those that another caller is loading: a page asks for one row
   * several times. A load that began before an invalidation is not shared with callers that come after it.
   */
  async getOrLoad(keys: readonly string[], source: RowSource<T>): Promise<Map<string, T>> {
    const rows = new Map<string, T>()
    const missing: string[] = []
    const loads = new Set<RunningLoad<T>['rows']>()
    for (const key of keys) {
      const [row, running] = [this.get(key), this.#running.get(key)]
      if (row !== undefined) rows.set(key, row)
      else if (running?.invalidated.size === 0) loads.add(running.rows)
      else missing.push(key)
    }
    if (missing.length > 0) loads.add(this.#begin(missing, source))
    if (loads.size === 0) return rows
    for (const loaded of await Promise.all(loads))
      for (const key of keys) {
        const row = loaded.get(key)
        if (row !== undefined) rows.set(key, row)
      }
    return rows
  }

  /** Loads and stores the rows, except those invalidated meanwhile, which may be stale. */
  async load<Asked>(
    load: () => Promise<Asked>,
    entriesOf: (loaded: Asked) => Iterable<readonly [key: string, it: T, tags: readonly string[]]>,
    invalidated: PendingLoad = new Set(),
  ): Promise<Asked> {
    this.#asking.add(invalidated)
    try {
      const loaded = await load()
      if (invalidated.has(everything)) return loaded
      for (const [key, it, tags] of entriesOf(loaded)) if (!tags.some((tag) => invalidated.has(tag))) this.#keep(key, { value: it, tags })
      return loaded
    } finally {
      this.#asking.delete(invalidated)
    }
  }

  drop(tags: readonly string[] | typeof everything): void {
    for (const pending of this.#asking) for (const tag of tags) pending.add(tag)
    if (tags === everything) return this.#entries.clear()
    for (const tag of tags) for (const key of this.#byTag.get(tag) ?? []) this.#entries.delete(key)
  }

  #begin(keys: readonly string[], { load, tagsOf }: RowSource<T>): RunningLoad<T>['rows'] {
    const invalidated: PendingLoad = new Set()
    const rows = this.load(
      () => withCallDeadline(() => load(keys)),
      (loaded) => [...loaded].map(([key, row]) => [key, row, tagsOf(row, key)] as const),
      invalidated,
    )
    const running = { invalidated, rows }
    for (const key of keys) this.#running.set(key, running)
    const end = () => {
      for (const key of keys) if (this.#running.get(key) === running) this.#running.delete(key)
    }
    rows.then(end, end)
    return rows
  }

  #keep(key: string, entry: Entry<T>): void {
    this.#entries.set(key, entry)
    for (const tag of entry.tags) {
      const keys = this.#byTag.get(tag) ?? new Set()
      this.#byTag.set(tag, keys.add(key))
    }
  }

  #unlist(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.#byTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#byTag.delete(tag)
    }
  }
}

/** A row cache of each program, which drops the rows whose tags its transactions invalidate; all of them with the tag `everything`. */
export function rowCache<T>(options: Options) {
  return perProgram(({ invalidations }) => {
    const cache = new RowCache<T>(options)
    invalidations.on((tags) => cache.drop(entriesToDrop(tags)))
    return cache
  })
}

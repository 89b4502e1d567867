import { withCallDeadline } from '#base/server/call-deadline.ts'
import { isUnavailable } from '#base/server/database/availability.ts'
import { toCachedResponse, type CachedResponse, type RenderedResponse } from '#base/server/cache/cached-response.ts'
import { onlyAddedTag } from '#base/server/cache/invalidation.ts'

/** What a reader takes: `late` is an answer that may lack the additions of the last second, `current` lacks nothing. */
export type Freshness = 'late' | 'current'

type Entry = {
  response: CachedResponse
  tags: readonly string[]
  bytes: number
  mayBeLate: boolean
  freshUntil: number
  /** While it lacks an addition: the time at which it must have been made anew. */
  lateUntil: number
  usableUntil: number
}
type InFlightRender = { startedAtDrop: number; result: Promise<Rendering> }
/** `isLate` is an answer that was begun before an addition, `isOutdated` one that was begun before any other change. */
type Rendering = { response: CachedResponse; isLate: boolean; isOutdated: boolean }

const maxAgeMs = 5 * 60_000
// So often a page to which posts are added all the time is made anew.
const maxLateMs = 1_000
// While the database is unavailable: how long stale entries still serve, and how often a fresh one is tried.
const maxStaleMs = 60 * 60_000
const retryIntervalMs = 2_000
const reportIntervalMs = 10_000
// Tags a stale answer, so that anything made from it counts as stale too.
const staleTag = 'stale'

/**
 * Stores finished answers in memory under their cache tags. Concurrent requests for one key share one rendering; the least recently used
 * are evicted first.
 */
export class PageCache {
  readonly #room: number
  readonly #entries = new Map<string, Entry>()
  readonly #byTag = new Map<string, Set<string>>()
  readonly #inFlight = new Map<string, InFlightRender>()
  /** The latest drop of each tag since the first of these renderings began. */
  readonly #droppedMeanwhile = new Map<string, number>()
  readonly #addedMeanwhile = new Map<string, number>()
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

  get(key: string, freshness: Freshness = 'current'): CachedResponse | undefined {
    const entry = this.#entries.get(key)
    if (!entry || !this.#isUsable(key, entry, freshness)) return undefined
    this.hits++
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.response
  }

  /**
   * Waits for the answer in progress for this key, or makes it. An answer begun before an invalidation may not show the change, so later
   * requests do not take it; an addition is shown late to those who may be late.
   */
  async make(key: string, make: () => Promise<RenderedResponse>, freshness: Freshness = 'current'): Promise<CachedResponse> {
    const running = this.#inFlight.get(key)
    if (!running) return (await this.#begin(key, make)).response
    const startedAtDrop = this.#drops
    const { response, isLate, isOutdated } = await running.result
    if ((!isOutdated && !isLate) || startedAtDrop === running.startedAtDrop) return response
    return this.get(key, freshness) ?? this.make(key, make, freshness)
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
    const isAddition = tags.includes(onlyAddedTag)
    for (const tag of tags) {
      if (this.#inFlight.size > 0) (isAddition ? this.#addedMeanwhile : this.#droppedMeanwhile).set(tag, this.#drops)
      for (const key of this.#byTag.get(tag) ?? []) {
        const entry = this.#entries.get(key)
        if (entry && isAddition) outdate(entry)
        else if (entry) this.#forget(key, entry)
      }
    }
  }

  // While a late page is made anew, the others do not wait for it.
  #isUsable(key: string, { freshUntil, lateUntil }: Entry, freshness: Freshness): boolean {
    const now = performance.now()
    if (freshUntil >= now) return true
    return freshness === 'late' && lateUntil > 0 && now < lateUntil + (this.#inFlight.has(key) ? maxLateMs : 0)
  }

  #begin(key: string, make: () => Promise<RenderedResponse>): Promise<Rendering> {
    this.misses++
    const result = this.#renderAndStore(key, make).finally(() => {
      this.#inFlight.delete(key)
      if (this.#inFlight.size > 0) return
      this.#droppedMeanwhile.clear()
      this.#addedMeanwhile.clear()
    })
    this.#inFlight.set(key, { startedAtDrop: this.#drops, result })
    return result
  }

  async #renderAndStore(key: string, make: () => Promise<RenderedResponse>): Promise<Rendering> {
    const begun = this.#drops
    const result = await this.#renderedOrStale(key, make)
    if ('response' in result) return { response: result.response, isLate: false, isOutdated: false }
    const response = toCachedResponse(result)
    const wasIn = (drops: ReadonlyMap<string, number>) => ['*', ...result.tags].some((tag) => (drops.get(tag) ?? 0) > begun)
    const [isOutdated, isLate] = [wasIn(this.#droppedMeanwhile), wasIn(this.#addedMeanwhile)]
    // A missing page may appear a moment later without an invalidation, so errors are not stored.
    if (!isOutdated && !result.isUncacheable && result.status < 400 && !result.tags.includes(staleTag)) {
      const entry = toEntry(result, response)
      if (isLate) outdate(entry)
      if (!isLate || entry.mayBeLate) this.#store(key, entry)
    }
    return { response, isLate, isOutdated }
  }

  /** The result of `make`, or the stale entry while the database is unavailable. */
  async #renderedOrStale(key: string, make: () => Promise<RenderedResponse>): Promise<RenderedResponse | Entry> {
    try {
      // Others wait for it too, and the first of them may have waited for long.
      const result = await withCallDeadline(make)
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
  const { tags, mayBeLate = false } = rendered
  const now = performance.now()
  return { response, tags, bytes: sizeOf(rendered), mayBeLate, freshUntil: now + maxAgeMs, lateUntil: 0, usableUntil: now + maxStaleMs }
}

/** Something was added that the entry does not show. */
function outdate(entry: Entry): void {
  const now = performance.now()
  if (entry.mayBeLate && entry.freshUntil >= now) entry.lateUntil = now + maxLateMs
  entry.freshUntil = 0
}

// Text is stored compressed too, in one or two encodings.
function sizeOf({ body, isDense }: RenderedResponse): number {
  return isDense ? body.length : body.length * 2
}

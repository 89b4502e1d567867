import { isUnavailable } from '#base/server/database/availability.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { timesInvalidated } from '#base/server/cache/invalidation.ts'

export type CachedValue<T> = {
  of(db: Db): Promise<T>
  /** What is known without asking; null where nobody has asked lately. */
  now(): T | null
  clear(): void
}

type Known<T> = { it: Promise<T>; latest: T | null; until: number }

const freshMs = 60_000
const betweenTriesMs = 1_000

/**
 * Values that everything goes by and that seldom change: asked of the database once, until they are forgotten because a transaction that
 * invalidated their tag changed them. They are asked again after a minute all the same, so that nothing wrong lasts; while the database is
 * away, the known ones stay.
 */
export function cachedValue<T>(tag: string, ask: (db: Db) => Promise<T>): CachedValue<T> {
  let known: Known<T> | null = null
  const changed = new WeakMap<Db, { it: Promise<T>; times: number }>()

  function of(db: Db): Promise<T> {
    const times = timesInvalidated(db, tag)
    if (times > 0) return changedBy(db, times)
    if (known && performance.now() < known.until) return known.it
    const asked: Known<T> = { it: answered(db, known), latest: known?.latest ?? null, until: performance.now() + freshMs }
    known = asked
    asked.it.then(
      (it) => void (asked.latest = it),
      // What is forgotten while it is asked for serves those who wait for it, and nobody after.
      () => void (known === asked && (known = null)),
    )
    return asked.it
  }

  // A change may never be so for others. The transaction that makes it asks once itself, and again when it changes more.
  function changedBy(tx: Db, times: number): Promise<T> {
    const before = changed.get(tx)
    if (before?.times === times) return before.it
    const it = ask(tx)
    changed.set(tx, { it, times })
    return it
  }

  async function answered(db: Db, before: Known<T> | null): Promise<T> {
    try {
      return await ask(primary(db))
    } catch (error) {
      if (before === null || before.latest === null || !isUnavailable(error)) throw error
      if (known) known.until = performance.now() + betweenTriesMs
      return before.latest
    }
  }

  return {
    of,
    now: () => (known && performance.now() < known.until ? known.latest : null),
    clear: () => void (known = null),
  }
}

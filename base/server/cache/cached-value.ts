import { withCallDeadline } from '#base/server/call-deadline.ts'
import { isUnavailable } from '#base/server/database/availability.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { areInvalidated, timesInvalidated } from '#base/server/cache/invalidation.ts'
import { perProgram } from '#base/server/program.ts'

export type CachedValue<T> = {
  of(db: Db): Promise<T>
  /** The value as far as it is cached; null where it has not been read lately. */
  peek(db: Db): T | null
  clear(db: Db): void
}

/** Reads the value. `before` is the last one, unless that was invalidated. */
type Load<T> = (db: Db, previous: T | null) => Promise<T>
type Options = {
  /** Reads the value again as soon as it is invalidated, for one that takes long to make. */
  isEager?: boolean
}
type Entry<T> = { value: Promise<T>; latest: T | null; until: number }

const freshMs = 60_000
const retryIntervalMs = 1_000

/**
 * A value that every request needs and that seldom changes: each program reads it once, and again after a transaction that invalidated one of its
 * tags. It is read again after a minute all the same, so that nothing wrong lasts; while the database is unavailable, the last value stays.
 */
export function cachedValue<T>(tags: string | readonly string[], load: Load<T>, { isEager = false }: Options = {}): CachedValue<T> {
  const own = [tags].flat()
  const valueInTransaction = perTransaction(load)
  const entryOf = perProgram<{ entry: Entry<T> | null; db: Db | null }>(({ invalidations }) => {
    const its: { entry: Entry<T> | null; db: Db | null } = { entry: null, db: null }
    invalidations.on((invalidated) => {
      if (!areInvalidated(invalidated, ...own)) return
      its.entry = null
      // The next reader asks again, and is told of the failure.
      if (isEager && its.db) of(its.db).catch(() => undefined)
    })
    return its
  })

  function of(db: Db): Promise<T> {
    const times = own.reduce((sum, tag) => sum + timesInvalidated(db, tag), 0)
    if (times > 0) return valueInTransaction(db, times)
    const its = entryOf(db)
    if (its.entry && performance.now() < its.entry.until) return its.entry.value
    const previous = its.entry
    const entry: Entry<T> = { value: loadOrKeepStale(db, previous), latest: previous?.latest ?? null, until: performance.now() + freshMs }
    its.entry = entry
    if (!db.isTransaction) its.db = db
    // A failure serves those who wait for it, and later readers try again.
    const drop = () => void (its.entry === entry && (its.entry = null))
    entry.value.then((value) => void (entry.latest = value), drop)
    return entry.value
  }

  async function loadOrKeepStale(db: Db, previous: Entry<T> | null): Promise<T> {
    try {
      return await withCallDeadline(() => load(primary(db), previous?.latest ?? null))
    } catch (error) {
      if (previous === null || previous.latest === null || !isUnavailable(error)) throw error
      const { entry } = entryOf(db)
      if (entry) entry.until = performance.now() + retryIntervalMs
      return previous.latest
    }
  }

  return {
    of,
    peek(db) {
      const { entry } = entryOf(db)
      return entry && performance.now() < entry.until ? entry.latest : null
    },
    clear: (db) => void (entryOf(db).entry = null),
  }
}

/** A change may never be committed: the transaction that makes it reads the value once for itself, and again when it changes more. */
function perTransaction<T>(load: Load<T>) {
  const values = new WeakMap<Db, { value: Promise<T>; times: number }>()
  return (tx: Db, times: number): Promise<T> => {
    const previous = values.get(tx)
    if (previous?.times === times) return previous.value
    const value = load(tx, null)
    values.set(tx, { value, times })
    return value
  }
}

import { isAway } from '#base/server/away.ts'
import { primaryOf, type Db } from '#base/server/database.ts'
import { invalidatedBy } from '#base/server/invalidation.ts'

export type AskedOnce<T> = {
  of(db: Db): Promise<T>
  /** What is known without asking; null where nobody has asked lately. */
  now(): T | null
  forget(): void
}

type Known<T> = { it: Promise<T>; latest: T | null; until: number }

const freshMs = 60_000
const betweenTriesMs = 1_000

/**
 * What all goes by and what seldom changes: asked of the database once, until it is forgotten because somebody changed it. It is asked
 * again after a minute all the same, so that nothing wrong lasts; while the database is away, what is known stays.
 */
export function askedOnce<T>(ask: (db: Db) => Promise<T>): AskedOnce<T> {
  let known: Known<T> | null = null

  function of(db: Db): Promise<T> {
    if (known && performance.now() < known.until) return known.it
    // What this transaction changed may never be so for others.
    if (invalidatedBy(db).size > 0) return ask(db)
    const asked: Known<T> = { it: answered(db, known), latest: known?.latest ?? null, until: performance.now() + freshMs }
    known = asked
    asked.it.then(
      (it) => void (asked.latest = it),
      // What is forgotten while it is asked for serves those who wait for it, and nobody after.
      () => void (known === asked && (known = null)),
    )
    return asked.it
  }

  async function answered(db: Db, before: Known<T> | null): Promise<T> {
    try {
      return await ask(primaryOf(db))
    } catch (error) {
      if (before === null || before.latest === null || !isAway(error)) throw error
      if (known) known.until = performance.now() + betweenTriesMs
      return before.latest
    }
  }

  return {
    of,
    now: () => (known && performance.now() < known.until ? known.latest : null),
    forget: () => void (known = null),
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Engine } from '#search/server/engine.ts'
import { catchUp, writeDownAll } from '#search/server/keep-up.ts'
import { sweepAny } from '#search/server/postgres/any-state.ts'

export type Rebuilding = {
  tell: (done: number, of: number) => void
  /** The time of the enqueueing, to resume an interrupted rebuild. */
  since?: Date | null
  /** Called when everything is queued. */
  wroteDown?: (at: Date) => Promise<unknown>
}

// The number of batches between progress reports.
const goes = 20

/** Reindexes everything, then deletes obsolete entries. The index stays searchable meanwhile. Returns the number of entries. */
export async function rebuild(database: Database, engine: Engine, { tell, since, wroteDown }: Rebuilding): Promise<number> {
  const began = since ?? (await transact(database, writeDownAll))
  await wroteDown?.(began)
  await enterAll(database, engine, tell)
  await transact(database, async (tx) => {
    await engine.sweep(tx, began)
    await sweepAny(tx, began)
  })
  return (await engine.shares(database.app, [])).entries
}

export async function enterAll(database: Database, engine: Engine, tell: Rebuilding['tell']): Promise<void> {
  const all = await leftToEnter(database.app)
  for (let left = all; left > 0; left = await leftToEnter(database.app)) {
    tell(Math.max(0, all - left), all)
    await catchUp(database, engine, { most: goes })
    // A running server may be indexing, too.
    await pause(20)
  }
  tell(all, all)
}

async function leftToEnter(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('search_change')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

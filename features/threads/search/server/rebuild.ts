import { setTimeout as pause } from 'node:timers/promises'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Engine } from '#search/server/engine.ts'
import { catchUp, queueAll } from '#search/server/indexer.ts'
import { sweepAny } from '#search/server/postgres/any-state.ts'

export type RebuildOptions = {
  onProgress: (done: number, of: number) => void
  /** The time of the enqueueing, to resume an interrupted rebuild. */
  since?: Date | null
  /** Called when everything is queued. */
  onQueued?: (at: Date) => Promise<unknown>
}

// The number of batches between progress reports.
const batchesPerReport = 20

/** Reindexes everything, then deletes obsolete entries. The index stays searchable meanwhile. Returns the number of entries. */
export async function rebuild(database: Database, engine: Engine, { onProgress, since, onQueued }: RebuildOptions): Promise<number> {
  const began = since ?? (await transact(database, queueAll))
  await onQueued?.(began)
  await indexAll(database, engine, onProgress)
  await transact(database, async (tx) => {
    await engine.sweep(tx, began)
    await sweepAny(tx, began)
  })
  return (await engine.shares(database.app, [])).entries
}

export async function indexAll(database: Database, engine: Engine, tell: RebuildOptions['onProgress']): Promise<void> {
  const all = await leftToEnter(database.app)
  for (let left = all; left > 0; left = await leftToEnter(database.app)) {
    tell(Math.max(0, all - left), all)
    await catchUp(database, engine, { maxBatches: batchesPerReport })
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

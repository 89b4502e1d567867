import { setTimeout as pause } from 'node:timers/promises'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Engine } from '#search/server/engine.ts'
import { catchUp, writeDownAll } from '#search/server/keep-up.ts'
import { sweepAny } from '#search/server/postgres/any-state.ts'

export type Rebuilding = {
  tell: (done: number, of: number) => void
  /** When everything was written down, where this goes on with what died half-way. */
  since?: Date | null
  /** Hears when everything was written down. */
  wroteDown?: (at: Date) => Promise<unknown>
}

// So many goes between two looks at what is left.
const goes = 20

/** Enters everything anew, and then takes out what is no longer there. What was entered before is found meanwhile. Says how many there are. */
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

/** Enters what is written down, until nothing of it is left. */
export async function enterAll(database: Database, engine: Engine, tell: Rebuilding['tell']): Promise<void> {
  const all = await leftToEnter(database.app)
  for (let left = all; left > 0; left = await leftToEnter(database.app)) {
    tell(Math.max(0, all - left), all)
    await catchUp(database, engine, { most: goes })
    // A server that runs may be at it too.
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

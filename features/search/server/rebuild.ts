import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database.ts'
import type { Engine } from '#search/server/engine.ts'
import { catchUp } from '#search/server/keep-up.ts'

type Progress = (left: number) => void

/** Enters everything anew, and then takes out what is no longer there. What was entered before is found meanwhile. */
export async function rebuild(database: Database, engine: Engine, tell: Progress): Promise<void> {
  const began = await transact(database, writeDownAll)
  for (let left = await leftToEnter(database.app); left > 0; left = await leftToEnter(database.app)) {
    tell(left)
    await catchUp(database, engine, { most: 20 })
    // A server that runs may be at it too.
    await pause(20)
  }
  await transact(database, (tx) => engine.sweep(tx, began))
  tell(0)
}

/** Writes down that everything changed, and when that was by the database's clock. */
export async function writeDownAll(tx: Db): Promise<Date> {
  await sql`
    insert into search_change (kind, source_id, is_new)
    select 'topic', id, true from topic where status = 'published'
    union all select 'comment', id, true from comment where status = 'published'
    union all select 'reply', id, true from reply where status = 'published'`.execute(tx)
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(tx)
  return rows[0]?.now ?? new Date()
}

async function leftToEnter(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('search_change')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

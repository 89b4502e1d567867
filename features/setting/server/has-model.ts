import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { isReachedFromNetwork } from '#base/server/site-address.ts'

/** Whether a model answers in a chat. A stand-in answers nobody who comes from another machine. */
export async function hasModelOn(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from assistant_model
    where is_enabled and 'chat' = any(jobs) and not (is_stand_in and ${isReachedFromNetwork()}) limit 1`.execute(db)
  return rows.length > 0
}

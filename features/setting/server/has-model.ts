import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { isReachedFromNetwork } from '#base/server/site-address.ts'

/** True if a model answers in a chat. A stand-in answers on the machine itself alone. */
export async function hasModelOn(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from assistant_model
    where is_enabled and 'chat' = any(jobs) and not (is_stand_in and ${isReachedFromNetwork()}) limit 1`.execute(db)
  return rows.length > 0
}

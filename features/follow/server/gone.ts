import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

/** A thread goes on in another: who followed it follows that, unless they want to hear less of that. */
export async function threadGoesOn(tx: Db, from: string, to: string): Promise<void> {
  await sql`
    insert into following (of, of_id, member_id, at, level)
    select 'topic', ${to}::bigint, member_id, at, level from following where of = 'topic' and of_id = ${from}
    on conflict (of, of_id, member_id) do update set level = excluded.level where following.level = 'tracking' and excluded.level = 'watching'`.execute(
    tx,
  )
}

/** A thread is erased for good. */
export async function threadIsErased(tx: Db, topicId: string): Promise<void> {
  await tx.deleteFrom('following').where('of', '=', 'topic').where('of_id', '=', topicId).execute()
}

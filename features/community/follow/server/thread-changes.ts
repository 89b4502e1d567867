import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ErasedMember, ErasedPost, MergedThreads } from '#base/server/moments.ts'

/** Lets the followers of a thread follow the one it goes on in, unless they chose to hear less of that. */
export async function threadMerged(tx: Db, { from, into }: MergedThreads): Promise<void> {
  await sql`
    insert into follow (of, of_id, member_id, at, level)
    select 'topic', ${into}::bigint, member_id, at, level from follow where of = 'topic' and of_id = ${from}
    on conflict (of, of_id, member_id) do update set level = excluded.level where follow.level = 'tracking' and excluded.level = 'watching'`.execute(
    tx,
  )
}

/** Ends the follows of a thread that is erased. */
export async function postErased(tx: Db, { kind, id: topicId, keepsThread }: ErasedPost): Promise<void> {
  if (kind === 'topic' && !keepsThread) await tx.deleteFrom('follow').where('of', '=', 'topic').where('of_id', '=', topicId).execute()
}

/** Ends the follows of a member whose account is erased. */
export async function memberErased(tx: Db, { memberId }: ErasedMember): Promise<void> {
  await tx.deleteFrom('follow').where('of', '=', 'member').where('of_id', '=', memberId).execute()
}

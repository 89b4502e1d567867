import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'

/** Two members are one: what both follow is followed once, and so are they; what either would not meet, the one who stays does not. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`
    insert into following (of, of_id, member_id, at, level)
    select of, of_id, ${into}, at, level from following where member_id = ${from} and not (of = 'member' and of_id = ${into})
    union all
    select of, ${into}, member_id, at, level from following where of = 'member' and of_id = ${from} and member_id <> ${into}
    on conflict do nothing`.execute(tx)
  await sql`delete from following where member_id = ${from} or (of = 'member' and of_id = ${from})`.execute(tx)
  await sql`delete from followed_until where member_id = ${from}`.execute(tx)
  await sql`
    insert into blocking (member_id, other_id, how, at)
    select ${into}::bigint, other_id, how, at from blocking where member_id = ${from} and other_id <> ${into}
    union all
    select member_id, ${into}::bigint, how, at from blocking where other_id = ${from} and member_id <> ${into}
    on conflict (member_id, other_id) do update set how = 'blocked' where excluded.how = 'blocked'`.execute(tx)
  await sql`delete from blocking where ${from} in (member_id, other_id)`.execute(tx)
  await sql`
    delete from following using blocking
    where how = 'blocked' and ${into} in (blocking.member_id, other_id) and of = 'member'
      and (of_id, following.member_id) in ((blocking.member_id, other_id), (other_id, blocking.member_id))`.execute(tx)
  invalidate(tx, `following:${from}`, `following:${into}`)
}

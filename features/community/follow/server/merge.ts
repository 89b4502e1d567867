import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'

/** Two members are one: what both follow is followed once, and so are they; what either would not meet, the one who stays does not. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`
    insert into follow (of, of_id, member_id, at, level)
    select of, of_id, ${into}, at, level from follow where member_id = ${from} and not (of = 'member' and of_id = ${into})
    union all
    select of, ${into}, member_id, at, level from follow where of = 'member' and of_id = ${from} and member_id <> ${into}
    on conflict do nothing`.execute(tx)
  await sql`delete from follow where member_id = ${from} or (of = 'member' and of_id = ${from})`.execute(tx)
  await sql`delete from follow_progress where member_id = ${from}`.execute(tx)
  await sql`
    insert into member_block (member_id, other_id, how, at)
    select ${into}::bigint, other_id, how, at from member_block where member_id = ${from} and other_id <> ${into}
    union all
    select member_id, ${into}::bigint, how, at from member_block where other_id = ${from} and member_id <> ${into}
    on conflict (member_id, other_id) do update set how = 'blocked' where excluded.how = 'blocked'`.execute(tx)
  await sql`delete from member_block where ${from} in (member_id, other_id)`.execute(tx)
  await sql`
    delete from follow using member_block
    where how = 'blocked' and ${into} in (member_block.member_id, other_id) and of = 'member'
      and (of_id, follow.member_id) in ((member_block.member_id, other_id), (other_id, member_block.member_id))`.execute(tx)
  invalidate(tx, `following:${from}`, `following:${into}`)
}

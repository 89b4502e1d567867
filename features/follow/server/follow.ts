import { sql } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import { invalidate } from '#base/server/invalidation.ts'
import type { Member } from '#base/server/route.ts'
import { BlockedByYou, mostFollowed, NotFollowable, TooManyFollowed, Yourself, type Followable } from '#follow/contract.ts'
import { betweenThem } from '#follow/server/blocking.ts'
import * as notice from '#notice/server/notice.ts'
import * as posts from '#post/server/post.ts'
import * as tag from '#tag/server/tag.ts'

export { merge } from '#follow/server/merge.ts'
export { mutedBy } from '#follow/server/blocking.ts'

export type Followed = { of: Followable; id: string }

/** Follows what this member may see, once; themselves and who blocks them never. */
export async function add(tx: Db, member: Member, { of, id }: Followed): Promise<void> {
  if (of === 'topic') await posts.findThread(tx, member, id)
  else if (of === 'tag') await tag.opened(tx, member, id)
  else await mustBeFollowable(tx, member, id)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from following where member_id = ${member.id} limit ${mostFollowed}) as few`.execute(tx)
  if ((rows[0]?.count ?? 0) >= mostFollowed) throw TooManyFollowed()
  await tx
    .insertInto('following')
    .values({ of, of_id: id, member_id: member.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (of === 'member') await notice.remind(tx, { memberId: id, kind: 'followed', actorId: member.id })
  changed(tx, member, { of, id })
}

export async function remove(tx: Db, member: Member, { of, id }: Followed): Promise<void> {
  await tx.deleteFrom('following').where('of', '=', of).where('of_id', '=', id).where('member_id', '=', member.id).execute()
  if (of === 'member') await notice.unremind(tx, { memberId: id, kind: 'followed', actorId: member.id })
  changed(tx, member, { of, id })
}

async function mustBeFollowable(tx: Db, member: Member, id: string): Promise<void> {
  if (id === member.id) throw Yourself()
  const ways = await betweenThem(tx, member.id, id)
  const row = await tx.selectFrom('member').select('deactivated_at').where('id', '=', id).executeTakeFirst()
  if (!row || row.deactivated_at) throw Missing()
  if (ways.mine === 'blocked') throw BlockedByYou()
  if (ways.theirs === 'blocked') throw NotFollowable()
}

// The pages of members say how many follow whom.
function changed(tx: Db, member: Member, { of, id }: Followed): void {
  invalidate(tx, `following:${member.id}`, ...(of === 'member' ? [`following:${id}`] : []))
}

/** Whether this member follows a thread and who opened it: a value of the statement that asks for all that is theirs on its page. */
export function followsAt(member: Member) {
  const follows = (of: Followable, id: 'topic.id' | 'topic.author_id') =>
    sql`exists (select from following where of = ${of} and of_id = ${sql.ref(id)} and member_id = ${member.id})`
  return sql<{ topic: boolean; author: boolean }>`
    json_build_object('topic', ${follows('topic', 'topic.id')}, 'author', ${follows('member', 'topic.author_id')})`
}

/** The tags this member follows and may look into, with those below them. */
export async function tagsOf(db: Db, member: Member): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct tag.id from following join tag on of_id in (tag.id, tag.parent_id)
    where following.member_id = ${member.id} and of = 'tag' and ${tag.seenBy(member, 'tag.id')}`.execute(db)
  return rows.map(({ id }) => id)
}

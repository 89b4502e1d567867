import { sql, type RawBuilder } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Value } from '#base/server/database/statement.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Member } from '#base/server/http/route.ts'
import { BlockedByYou, maxFollowed, NotFollowable, TooManyFollowed, Yourself, type Followable, type Level } from '#follow/contract.ts'
import { lockedRelation } from '#follow/server/blocking.ts'
import * as notification from '#notification/server/notification.ts'
import * as posts from '#post/server/post.ts'
import * as tag from '#tag/server/tag.ts'

export { lockRelation, mutedBy } from '#follow/server/blocking.ts'

export type FollowTarget = { of: Followable; id: string }

/** Follows a target that this member may see; never themselves or a member who blocks them. Idempotent. */
export async function add(tx: Db, member: Member, { of, id }: FollowTarget): Promise<void> {
  if (of !== 'member') return setLevel(tx, member, { of, id, level: of === 'topic' ? 'watching' : 'tracking' })
  await mustBeFollowable(tx, member, id)
  await refuseTooMany(tx, member)
  await tx
    .insertInto('follow')
    .values({ of, of_id: id, member_id: member.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await notification.notifyOfEvent(tx, { memberId: id, kind: 'followed', actorId: member.id })
  invalidateCounts(tx, member, id)
}

export async function remove(tx: Db, member: Member, { of, id }: FollowTarget): Promise<void> {
  await resetLevel(tx, member, { of, id })
  if (of !== 'member') return
  await notification.retract(tx, { memberId: id, kind: 'followed', actorId: member.id })
  invalidateCounts(tx, member, id)
}

type LevelChange = { of: 'tag' | 'topic'; id: string; level: Level }

/**
 * Sets the notification level of a thread or a tag. For a target that was removed or that they may no longer see, members can only
 * reset it.
 */
export async function setLevel(tx: Db, member: Member, { of, id, level }: LevelChange): Promise<void> {
  if (level === 'normal') return resetLevel(tx, member, { of, id })
  if (of === 'topic') await posts.findThread(tx, member, id)
  else await tag.openTag(tx, member, id)
  await refuseTooMany(tx, member)
  await tx
    .insertInto('follow')
    .values({ of, of_id: id, member_id: member.id, level })
    .onConflict((there) => there.columns(['of', 'of_id', 'member_id']).doUpdateSet({ level }))
    .execute()
}

// The row stays, so that a post in the thread does not start tracking again.
async function resetLevel(tx: Db, member: Member, { of, id }: FollowTarget): Promise<void> {
  const target = sql<boolean>`of = ${of} and of_id = ${id} and member_id = ${member.id}`
  if (of === 'topic') await tx.updateTable('follow').set({ level: 'normal' }).where(target).execute()
  else await tx.deleteFrom('follow').where(target).execute()
}

// Tracked threads do not count, since posting adds them automatically.
async function refuseTooMany(tx: Db, member: Member): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from follow where member_id = ${member.id} and level <> 'normal' and not (of = 'topic' and level = 'tracking')
      limit ${maxFollowed}) as few`.execute(tx)
  if ((rows[0]?.count ?? 0) >= maxFollowed) throw TooManyFollowed()
}

async function mustBeFollowable(tx: Db, member: Member, id: string): Promise<void> {
  if (id === member.id) throw Yourself()
  const ways = await lockedRelation(tx, member.id, id)
  const row = await tx.selectFrom('member').select('deactivated_at').where('id', '=', id).executeTakeFirst()
  if (!row || row.deactivated_at) throw Missing()
  if (ways.mine === 'blocked') throw BlockedByYou()
  if (ways.theirs === 'blocked') throw NotFollowable()
}

// The pages of both members show the counts.
function invalidateCounts(tx: Db, member: Member, id: string): void {
  invalidate(tx, `following:${member.id}`, `following:${id}`)
}

// Lists show recent threads, so older mutes have no effect on them.
const maxMutedThreads = 500

/**
 * The follows and mutes that decide over a member's feed, as one row. Followed and muted tags are those that the member may see, with
 * subtags; the level of a subtag overrides that of its parent.
 */
export function feedChoices(memberId: Value<string>, isTagSeen: RawBuilder<boolean>) {
  return sql`
    select coalesce(array_agg(id) filter (where level <> 'muted'), '{}') as tag_ids,
      coalesce(array_agg(id) filter (where level = 'muted'), '{}') as muted_tag_ids,
      array(select of_id from follow where member_id = ${memberId} and of = 'topic' and level = 'muted'
        order by at desc limit ${maxMutedThreads}) as muted_thread_ids,
      array(select other_id from member_block where member_id = ${memberId}) as muted_member_ids
    from (
      select distinct on (tag.id) tag.id, level from follow join tag on of_id in (tag.id, tag.parent_id)
      where follow.member_id = ${memberId} and of = 'tag' and level <> 'normal' and ${isTagSeen}
      order by tag.id, of_id = tag.id desc) as chosen`
}

/** The threads hidden from lists for this member. */
export async function mutedThreads(db: Db, member: Member): Promise<string[]> {
  const mine = db.selectFrom('follow').select('of_id').where('member_id', '=', member.id).where('of', '=', 'topic')
  const rows = await mine.where('level', '=', 'muted').orderBy('at', 'desc').limit(maxMutedThreads).execute()
  return rows.map(({ of_id }) => of_id)
}

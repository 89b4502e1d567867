import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Kind } from '#kind/contract.ts'
import type { ReminderKind } from '#notice/reminder-contract.ts'
import { inboxesTold, postOf, readersOf, reminded } from '#notice/server/recipients.ts'

type Post = { kind: Kind; id: string }

/** What one member did that another is reminded of. */
export type Deed = {
  /** Who is reminded. Nobody is of their own deeds. */
  memberId: string
  kind: ReminderKind
  /** Null, where it is nobody's. */
  actorId: string | null
  /** What it is about, and where that stands; null where it is about the member themselves. */
  post?: (Post & { topicId: string }) | null
}

/**
 * Reminds one member of what was done, in the transaction that does it, unless they want to hear nothing of its kind. It joins what they have
 * not read of its kind about the same post. Done twice, it is told once.
 */
export async function remind(tx: Db, { memberId, kind, actorId, post = null }: Deed): Promise<void> {
  if (memberId === actorId) return
  const group = post ? `${kind} ${post.kind} ${post.id}` : kind
  const candidates = sql`
    select ${memberId}::bigint as member_id, ${kind}::text as kind, ${group}::text as group_key, ${kind}::text as cause,
      ${post?.topicId ?? null}::bigint as topic_id, ${actorId}::bigint as actor_id, ${post?.kind ?? null}::post_kind as post_kind,
      ${post?.id ?? null}::bigint as post_id, clock_timestamp() as at, 0 as rank`
  const parts = reminded({ by: actorId === null ? null : 'member', about: post && 'post' })
  await sql`/* with the commit */ with candidate as (${candidates}), ${parts} select`.execute(tx)
  changed(tx, [memberId])
}

/**
 * Reminds all of these of posts who want to hear of it, in one statement that leaves together with the commit. The candidates have
 * `member_id, kind, group_key, cause, topic_id, actor_id, post_kind, post_id, at, rank`.
 */
export async function remindAll(tx: Db, candidates: RawBuilder<unknown>): Promise<void> {
  const parts = reminded({ by: 'member', about: 'post' })
  await sql`/* with the commit */ with candidate as (${candidates}), ${parts} ${inboxesTold}`.execute(tx)
}

/** What was done was undone: the member is reminded of it no more, and hears so as soon as they heard of it. Without an actor, whoever did it. */
export async function unremind(
  tx: Db,
  { memberId, kind, actorId, post = null }: Omit<Deed, 'post'> & { post?: Post | null },
): Promise<void> {
  await sql`/* with the commit */ delete from reminder_deed
    where member_id = ${memberId} and cause = ${kind} and (${actorId}::bigint is null or actor_id = ${actorId})
      and post_kind is not distinct from ${post?.kind ?? null}::post_kind and post_id is not distinct from ${post?.id ?? null}::bigint`.execute(
    tx,
  )
  changed(tx, [memberId])
}

/**
 * Tells whom a post mentions, quotes and answers, each once, by what says most to them. Who wrote it tracks its thread. It leaves together with
 * whatever the transaction asks next, or its commit.
 */
export async function remindOfPost(tx: Db, post: Post, { onlyMentioned = post.kind === 'topic' } = {}): Promise<void> {
  const { kind, id } = post
  const candidates = readersOf(kind, { onlyMentioned })
  const parts = reminded({ by: 'member', about: 'post' })
  const tracked = kind === 'topic' || !onlyMentioned ? trackedByAuthor : sql``
  await sql`/* with the commit */ with post as (${postOf[kind](id)}), ${tracked} candidate as (${candidates}), ${parts} ${inboxesTold}`.execute(
    tx,
  )
}

const trackedByAuthor = sql`tracked as (
  insert into following (of, of_id, member_id, level) select 'topic', topic_id, author_id, 'tracking' from post on conflict do nothing),`

/** Posts went from the page, and nobody is reminded of what was done with them; or they are on it again. */
export async function postsAreGone(tx: Db, posts: readonly Post[], areGone: boolean): Promise<void> {
  if (posts.length === 0) return
  await sql`/* with the commit */ with raised as (
      update reminder_deed set is_gone = ${areGone} from json_to_recordset(${named(posts)}::json) as its (kind post_kind, id bigint)
      where post_kind = its.kind and post_id = its.id and is_gone <> ${areGone} returning member_id)
    ${inboxesTold}`.execute(tx)
}

/** Posts stand elsewhere now. That they were written where they stood is no news any more. */
export async function postsMoved(tx: Db, posts: readonly Post[], topicId: string): Promise<void> {
  if (posts.length === 0) return
  const its = sql`json_to_recordset(${named(posts)}::json) as its (kind post_kind, id bigint)`
  const isOne = sql`post_kind = its.kind and post_id = its.id and reminder.id = reminder_id and topic_id <> ${topicId}`
  await sql`delete from reminder_deed using reminder, ${its}
    where ${isOne} and reminder.kind in ('commented', 'repliedInThread', 'accepted')`.execute(tx)
  await sql`update reminder set topic_id = ${topicId} from reminder_deed, ${its} where ${isOne}`.execute(tx)
}

/** Posts are another member's: it is they who wrote them, and what was done with them is no news to whose they were. */
export async function postsGiven(tx: Db, posts: readonly Post[], memberId: string): Promise<void> {
  if (posts.length === 0) return
  const its = sql`json_to_recordset(${named(posts)}::json) as its (kind post_kind, id bigint)
    where post_kind = its.kind and post_id = its.id`
  await sql`delete from reminder_deed using ${its} and (cause <> 'wrote' or member_id = ${memberId})`.execute(tx)
  await sql`update reminder_deed set actor_id = ${memberId} from ${its}`.execute(tx)
}

/** Two members are one: what either was told, and what either did, is that one's. */
export async function membersMerged(tx: Db, { from, into }: { from: string; into: string }): Promise<void> {
  const as = (column: string) => sql`case when ${sql.ref(column)} = ${from} then ${into}::bigint else ${sql.ref(column)} end`
  await sql`
    delete from reminder_deed as deed using reminder_deed as same
    where (deed.member_id = ${from} or deed.actor_id = ${from}) and deed.id <> same.id and same.cause = deed.cause
      and same.post_kind is not distinct from deed.post_kind and same.post_id is not distinct from deed.post_id
      and ${as('same.member_id')} = ${as('deed.member_id')} and ${as('same.actor_id')} is not distinct from ${as('deed.actor_id')}
      and (same.id < deed.id or same.member_id <> ${from} and same.actor_id is distinct from ${from})`.execute(tx)
  await sql`update reminder set member_id = ${into}, read_at = coalesce(read_at, now()) where member_id = ${from}`.execute(tx)
  await sql`update reminder_deed set member_id = ${as('member_id')}, actor_id = ${as('actor_id')}
    where member_id = ${from} or actor_id = ${from}`.execute(tx)
  await sql`delete from reminder_deed where member_id = ${into} and actor_id = ${into}`.execute(tx)
  await sql`delete from reminder_mute where member_id = ${from}`.execute(tx)
  await sql`delete from reminder_waiting where member_id = ${from} or sender_id = ${from}`.execute(tx)
  await sql`delete from reminder_choice where member_id = ${from}`.execute(tx)
  await sql`delete from reminder_way where member_id = ${from}`.execute(tx)
  await sql`delete from reminder_stop where member_id = ${from}`.execute(tx)
  await sql`delete from push_subscription where member_id = ${from}`.execute(tx)
}

/** A private message came, which its reader may want to be told of elsewhere. That it did is noted, and not what it says. */
export async function messageCame(tx: Db, { to, from }: { to: string; from: string }): Promise<void> {
  await sql`/* with the commit */ with noted as (
      insert into reminder_waiting (member_id, channel, sender_id)
      select member_id, channel, ${from}::bigint from reminder_choice where member_id = ${to} and kind = 'message'
      on conflict do nothing returning channel
    )
    update reminder_way set next_at = coalesce(next_at, greatest(rests_until, now()))
    from noted where member_id = ${to} and reminder_way.channel = noted.channel`.execute(tx)
}

/** What concerns everybody's inbox. */
export const inboxes = 'inbox:*'

/** Who has their line open hears how much is unread by now. */
export function changed(tx: Db, memberIds: readonly string[]): void {
  invalidate(tx, ...memberIds.map((id) => `inbox:${id}`))
}

function named(posts: readonly Post[]): string {
  return JSON.stringify(posts.map(({ kind, id }) => ({ kind, id })))
}

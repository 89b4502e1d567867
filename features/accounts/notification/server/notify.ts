import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost, MergedMembers } from '#base/server/moments.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Kind } from '#kind/contract.ts'
import { declarationOf, notificationKinds, type NotificationKind } from '#notification/all-kinds.ts'
import { inboxInvalidation, postOf, readersOf, recorded, type NotificationCause } from '#notification/server/recipients.ts'

type Post = { kind: Kind; id: string }

/** An event that another member is notified of. */
export type Action = {
  /** The recipient, who is never the actor. */
  memberId: string
  kind: NotificationKind
  /** Null where no member did it. */
  actorId: string | null
  /** The post it is about, with its topic; null where it is about the recipient. */
  post?: (Post & { topicId: string }) | null
}

/**
 * Notifies one member of an event, in its transaction, unless they muted its kind. It is grouped with the unread notification of the same
 * kind and post. A repeated event is noted once.
 */
export async function notifyOfEvent(tx: Db, { memberId, kind, actorId, post = null }: Action): Promise<void> {
  if (memberId === actorId) return
  const group = post ? `${kind} ${post.kind} ${post.id}` : kind
  const candidates = sql`
    select ${memberId}::bigint as member_id, ${kind}::text as kind, ${group}::text as group_key, ${kind}::text as cause,
      ${post?.topicId ?? null}::bigint as topic_id, ${actorId}::bigint as actor_id, ${post?.kind ?? null}::post_kind as post_kind,
      ${post?.id ?? null}::bigint as post_id, clock_timestamp() as at, 0 as rank`
  const parts = recorded({ by: actorId === null ? null : 'member', about: post && 'post' })
  await sql`/* with the commit */ with candidate as (${candidates}), ${parts} select`.execute(tx)
  publishCounts(tx, [memberId])
}

/**
 * Notifies all of these candidates who want it, in one statement that is sent together with the commit. The candidates have `member_id,
 * kind, group_key, cause, topic_id, actor_id, post_kind, post_id, at, rank`.
 */
export async function notifyOfEvents(
  tx: Db,
  candidates: RawBuilder<unknown>,
  { by = 'member' }: { /** Null where no member did it. */ by?: NotificationCause['by'] } = {},
): Promise<void> {
  const parts = recorded({ by, about: 'post' })
  await sql`/* with the commit */ with candidate as (${candidates}), ${parts} ${inboxInvalidation}`.execute(tx)
}

/** Retracts a notification whose event was undone, and pushes the new count. Without an actor, that of any actor. */
export async function retract(
  tx: Db,
  { memberId, kind, actorId, post = null }: Omit<Action, 'post'> & { post?: Post | null },
): Promise<void> {
  await sql`/* with the commit */ delete from notification_event
    where member_id = ${memberId} and cause = ${kind} and (${actorId}::bigint is null or actor_id = ${actorId})
      and post_kind is not distinct from ${post?.kind ?? null}::post_kind and post_id is not distinct from ${post?.id ?? null}::bigint`.execute(
    tx,
  )
  publishCounts(tx, [memberId])
}

/**
 * Notifies those whom a post mentions, quotes and answers, each once, by the kind that says most to them. The author tracks the thread. It
 * is sent together with the transaction's next statement, or its commit.
 */
export async function notifyOfPost(tx: Db, post: Post, { onlyMentioned = post.kind === 'topic' } = {}): Promise<void> {
  const { kind, id } = post
  const candidates = readersOf(kind, { onlyMentioned })
  const parts = recorded({ by: 'member', about: 'post' })
  const tracked = kind === 'topic' || !onlyMentioned ? trackedByAuthor : sql``
  await sql`/* with the commit */ with post as (${postOf[kind](id)}), ${tracked} candidate as (${candidates}), ${parts} ${inboxInvalidation}`.execute(
    tx,
  )
}

const trackedByAuthor = sql`tracked as (
  insert into follow (of, of_id, member_id, level) select 'topic', topic_id, author_id, 'tracking' from post on conflict do nothing),`

/** Hides the notifications of events on unpublished posts, or shows them again. */
export async function setPostsHidden(tx: Db, posts: readonly Post[], areGone: boolean): Promise<void> {
  if (posts.length === 0) return
  await sql`/* with the commit */ with raised as (
      update notification_event set is_gone = ${areGone} from json_to_recordset(${named(posts)}::json) as its (kind post_kind, id bigint)
      where post_kind = its.kind and post_id = its.id and is_gone <> ${areGone} returning member_id)
    ${inboxInvalidation}`.execute(tx)
}

const kindsOfPlace = notificationKinds.filter((kind) => declarationOf(kind).endsWhenMoved)

/** Whether a notification has an event that is none of these posts: it stays in the thread where the others happened. */
function hasOthers(isOfThese: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from notification_event as other where other.notification_id = notification.id and not (${isOfThese}))`
}

/** Removes the notifications that moved posts were written in their earlier place; the others lead to the new one. */
export async function updateForMovedPosts(tx: Db, posts: readonly Post[], topicId: string): Promise<void> {
  if (posts.length === 0) return
  const its = sql`json_to_recordset(${named(posts)}::json) as its (kind post_kind, id bigint)`
  const isOne = sql`post_kind = its.kind and post_id = its.id and notification.id = notification_id and topic_id <> ${topicId}`
  await sql`delete from notification_event using notification, ${its}
    where ${isOne} and notification.kind = any(${kindsOfPlace}::text[])`.execute(tx)
  const isOfThese = sql`exists (select from ${its} where its.kind = other.post_kind and its.id = other.post_id)`
  await sql`update notification set topic_id = ${topicId} from notification_event, ${its} where ${isOne} and not ${hasOthers(isOfThese)}`.execute(
    tx,
  )
}

/** The events of a post go along with its content, without those of its earlier place. What the new post had before stays. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  const isOfFormer = sql`post_kind = ${from.kind} and post_id = ${from.id}`
  const topicId = to.kind === 'topic' ? sql`${to.id}::bigint` : sql`(select topic_id from comment where id = ${to.id})`
  await sql`delete from notification_event using notification
    where ${isOfFormer} and notification.id = notification_id and kind = any(${kindsOfPlace}::text[])`.execute(tx)
  const isOfThis = sql`other.post_kind = ${from.kind} and other.post_id = ${from.id}`
  await sql`update notification set topic_id = ${topicId} from notification_event
    where ${isOfFormer} and notification.id = notification_id and not ${hasOthers(isOfThis)}`.execute(tx)
  await renameGroup(tx, from, to)
  await sql`with raised as (
      update notification_event as its set post_kind = ${to.kind}, post_id = ${to.id}, is_gone = false where ${isOfFormer} and not exists (
        select from notification_event as same where same.post_kind = ${to.kind} and same.post_id = ${to.id}
          and same.member_id = its.member_id and same.cause = its.cause and same.actor_id is not distinct from its.actor_id)
      returning member_id)
    ${inboxInvalidation}`.execute(tx)
  await sql`delete from notification_event where ${isOfFormer}`.execute(tx)
}

/** Later events of the post join the unread notifications of its former self, unless it has some of its own. */
async function renameGroup(tx: Db, from: BecamePost['from'], to: BecamePost['to']): Promise<void> {
  const [former, now] = [` ${from.kind} ${from.id}`, ` ${to.kind} ${to.id}`]
  const renamed = sql`left(notification.group_key, -length(${former}::text)) || ${now}`
  await sql`update notification set group_key = ${renamed} from notification_event as event
    where event.post_kind = ${from.kind} and event.post_id = ${from.id} and notification.id = event.notification_id and read_at is null
      and right(notification.group_key, length(${former}::text)) = ${former} and not exists (
        select from notification as same where same.member_id = notification.member_id and same.read_at is null and same.group_key = ${renamed})`.execute(
    tx,
  )
}

/** Posts have another author: the events are theirs, and the former author's notifications are removed. */
export async function postsTransferred(tx: Db, posts: readonly Post[], memberId: string): Promise<void> {
  if (posts.length === 0) return
  const its = sql`json_to_recordset(${named(posts)}::json) as its (kind post_kind, id bigint)
    where post_kind = its.kind and post_id = its.id`
  await sql`delete from notification_event using ${its} and (cause <> 'wrote' or member_id = ${memberId})`.execute(tx)
  await sql`update notification_event set actor_id = ${memberId} from ${its}`.execute(tx)
}

/** Two members are one: what either was told, and what either did, is that one's. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  const as = (column: string) => sql`case when ${sql.ref(column)} = ${from} then ${into}::bigint else ${sql.ref(column)} end`
  await sql`
    delete from notification_event as action using notification_event as same
    where (action.member_id = ${from} or action.actor_id = ${from}) and action.id <> same.id and same.cause = action.cause
      and same.post_kind is not distinct from action.post_kind and same.post_id is not distinct from action.post_id
      and ${as('same.member_id')} = ${as('action.member_id')} and ${as('same.actor_id')} is not distinct from ${as('action.actor_id')}
      and (same.id < action.id or same.member_id <> ${from} and same.actor_id is distinct from ${from})`.execute(tx)
  await sql`update notification set member_id = ${into}, read_at = coalesce(read_at, now()) where member_id = ${from}`.execute(tx)
  await sql`update notification_event set member_id = ${as('member_id')}, actor_id = ${as('actor_id')}
    where member_id = ${from} or actor_id = ${from}`.execute(tx)
  await sql`delete from notification_event where member_id = ${into} and actor_id = ${into}`.execute(tx)
  await sql`delete from notification_mute where member_id = ${from}`.execute(tx)
  await sql`delete from notification_queue where member_id = ${from} or sender_id = ${from}`.execute(tx)
  await sql`delete from notification_preference where member_id = ${from}`.execute(tx)
  await sql`delete from notification_channel where member_id = ${from}`.execute(tx)
  await sql`delete from unsubscribe_token where member_id = ${from}`.execute(tx)
  await sql`delete from push_subscription where member_id = ${from}`.execute(tx)
}

/** Queues a private message for the recipient's other channels. Only the event is noted, and not the text. */
export async function noteMessage(tx: Db, { to, from }: { to: string; from: string }): Promise<void> {
  await sql`/* with the commit */ with noted as (
      insert into notification_queue (member_id, channel, sender_id)
      select member_id, channel, ${from}::bigint from notification_preference where member_id = ${to} and kind = 'message'
      on conflict do nothing returning channel
    )
    update notification_channel set next_at = coalesce(next_at, greatest(rests_until, now()))
    from noted where member_id = ${to} and notification_channel.channel = noted.channel`.execute(tx)
}

/** The tag of everybody's inbox. */
export const inboxesTag = 'inbox:*'

/** Pushes the unread counts to these members' open streams. */
export function publishCounts(tx: Db, memberIds: readonly string[]): void {
  invalidate(tx, ...memberIds.map((id) => `inbox:${id}`))
}

function named(posts: readonly Post[]): string {
  return JSON.stringify(posts.map(({ kind, id }) => ({ kind, id })))
}

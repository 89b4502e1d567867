import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { within } from '#base/server/database/within.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'
import { maxUnreadCount } from '#notification/contract.ts'
import { notificationKinds, type NotificationKind } from '#notification/all-kinds.ts'
import type { NotificationView, notificationList } from '#notification/notification-contract.ts'
import { publishCounts } from '#notification/server/notify.ts'
import * as user from '#user/server/user.ts'

const perPage = 20
const membersEach = 3
const maxPeople = 100

type Row = {
  id: string
  kind: string
  at: Date
  readAt: Date | null
  memberIds: string[] | null
  topicId: string | null
  thread: ThreadKind | null
  title: string | null
  postKind: Kind | null
  postId: string | null
  commentId: string | null
  excerpt: string
}

type DeclaredRow = Row & { kind: NotificationKind }

/** A page of a member's notifications, without those of places that they may not view any more. */
export async function list(db: Db, member: Member, page: number): Promise<Output<typeof notificationList>> {
  const { rows: counted } = await sql<{ total: number; unread: number }>`
    select count(*)::int as total, (${unreadOf(member)}) as unread from (${mine(member)}) as mine`.execute(db)
  const { total, unread } = counted[0] ?? { total: 0, unread: 0 }
  const { pages } = pagePosition(total, page, perPage)
  const place = sql`${mine(member)} order by notification.at desc, notification.id desc limit ${perPage} offset ${(page - 1) * perPage}`
  return { notifications: await shown(db, place), unread, total, page, pages }
}

/** A member's newest notifications. */
export function latest(db: Db, member: Member, most: number): Promise<NotificationView[]> {
  return shown(db, sql`${mine(member)} order by notification.at desc, notification.id desc limit ${most}`)
}

/** Those of these that are still unread, in the view of the list, without those that are not visible any more. */
export function unreadAmong(db: Db, member: Member, ids: readonly string[]): Promise<NotificationView[]> {
  return shown(db, sql`${mine(member)} and read_at is null and notification.id = any(${ids}::bigint[])`)
}

/** The unread count, up to a hundred, as an expression of a statement. */
export function unreadOf(member: Member) {
  return sql<number>`select count(*)::int from (${mine(member)} and read_at is null limit ${maxUnreadCount}) as few`
}

// Excludes notifications of places that the member may not view any more.
function mine(member: Member) {
  return sql`select notification.id, notification.at from notification left join topic on topic.id = notification.topic_id
    where notification.member_id = ${member.id} and count > 0 and notification.deleted_at is null
      and (notification.topic_id is null or topic.status = 'published' and ${within(member.where('tag.view'))})`
}

async function shown(db: Db, place: RawBuilder<unknown>): Promise<NotificationView[]> {
  const { rows } = await sql<Row>`
    select notification.id, notification.kind, notification.at, notification.read_at as "readAt", actors.ids as "memberIds",
      topic.id as "topicId", topic.kind as thread, topic.title, latest.post_kind as "postKind", latest.post_id as "postId",
      coalesce(comment.id, reply.comment_id) as "commentId", coalesce(comment.text, reply.text, '') as excerpt
    from (${place}) as place
    join notification on notification.id = place.id
    join lateral (
      select post_kind, post_id from notification_event where notification_id = notification.id and not is_gone order by at desc limit 1
    ) as latest on true
    cross join lateral (
      select array_agg(actor_id::text order by last desc) as ids from (
        select actor_id, max(at) as last from (
          select actor_id, at from notification_event where notification_id = notification.id and not is_gone order by at desc limit ${maxPeople}
        ) as newest where actor_id is not null group by actor_id
      ) as people
    ) as actors
    left join topic on topic.id = notification.topic_id
    left join comment on latest.post_kind = 'comment' and comment.id = latest.post_id
    left join reply on latest.post_kind = 'reply' and reply.id = latest.post_id
    order by place.at desc, place.id desc`.execute(db)
  const people = await user.authors(
    db,
    rows.flatMap(({ memberIds }) => (memberIds ?? []).slice(0, membersEach)),
  )
  return rows.filter(isDeclared).map((row) => viewOf(row, people))
}

// Rows of a feature that a later version brought stay when an earlier one runs again, and have no words there.
function isDeclared(row: Row): row is DeclaredRow {
  return (notificationKinds as readonly string[]).includes(row.kind)
}

function viewOf(row: DeclaredRow, people: Awaited<ReturnType<typeof user.authors>>): NotificationView {
  const { id, kind, at, readAt, memberIds, topicId, thread, title, postKind, postId, commentId, excerpt } = row
  const ids = memberIds ?? []
  const isSomewhere = topicId !== null && thread !== null && postKind !== null && postId !== null
  return {
    id,
    kind,
    members: ids.slice(0, membersEach).flatMap((one) => people.get(one) ?? []),
    people: ids.length,
    post: isSomewhere ? { kind: postKind, id: postId, thread, topicId, commentId, title: title ?? '', excerpt } : null,
    at: at.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  }
}

/** Marks these as read, or all. Returns the time of it. */
export async function markRead(tx: Db, member: Member, ids?: readonly string[]): Promise<{ readAt: string }> {
  const readAt = new Date()
  await tx
    .updateTable('notification')
    .set({ read_at: readAt })
    .where('member_id', '=', member.id)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', '=', anyOf(ids ?? [])))
    .execute()
  publishCounts(tx, [member.id])
  return { readAt: readAt.toISOString() }
}

/** Undoes the marking of that time, except where a new event of the same group arrived meanwhile. */
export async function markUnread(tx: Db, member: Member, readAt: string): Promise<void> {
  await sql`
    update notification set read_at = null where member_id = ${member.id} and read_at = ${readAt}::timestamptz and deleted_at is null
      and not exists (select from notification as newer where newer.member_id = ${member.id} and newer.group_key = notification.group_key
        and newer.read_at is null)`.execute(tx)
  publishCounts(tx, [member.id])
}

export async function remove(tx: Db, member: Member, id: string): Promise<void> {
  const removed = await tx
    .updateTable('notification')
    .set({ deleted_at: sql`now()`, read_at: sql`coalesce(read_at, now())` })
    .where('id', '=', id)
    .where('member_id', '=', member.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw Missing()
  publishCounts(tx, [member.id])
}

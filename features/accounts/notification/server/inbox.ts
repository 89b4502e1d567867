import { sql } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import {
  maxUnreadCount,
  type NoticeView,
  type systemNotifyList,
  type PersonalNotice,
  type unreadMessageCount,
} from '#notification/contract.ts'
import { announcementViews } from '#notification/server/announcement-views.ts'
import { isVisible } from '#notification/server/visible.ts'
import { publishCounts } from '#notification/server/notify.ts'
import * as user from '#user/server/user.ts'
import * as notifications from '#notification/server/notifications.ts'

const perPage = 20

/** A page of a member's system notifications and announcements. */
export async function list(db: Db, member: Member, page: number): Promise<Output<typeof systemNotifyList>> {
  const [total, unread] = await Promise.all([totalOf(db, member.id), unreadOf(db, member.id)])
  const { pages } = pagePosition(total, page, perPage)
  return { notices: await rowsOf(db, member, perPage, (page - 1) * perPage), unread, total, page, pages }
}

/** The newest of a member's system notifications and announcements. */
export function latest(db: Db, member: Member, most: number): Promise<NoticeView[]> {
  return rowsOf(db, member, most, 0)
}

async function rowsOf(db: Db, member: Member, limit: number, offset: number): Promise<NoticeView[]> {
  const { rows: places } = await sql<InboxRow>`select * from (${mine(member.id)}) as mine
    order by sends_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return withContent(db, places)
}

/** A member's unread counts, in one statement. */
export async function counts(db: Db, member: Member): Promise<Output<typeof unreadMessageCount>> {
  const { rows } = await sql<{ messages: number; revision: string; notices: number; notifications: number }>`
    select count as messages, revision, (${unread(member.id)}) as notices, (${notifications.unreadOf(member)}) as notifications
    from unread_messages(${member.id}::bigint, ${maxUnreadCount}::int)`.execute(db)
  const { messages = 0, revision = '0', notices = 0, notifications: recorded = 0 } = rows[0] ?? {}
  return { privateMessageCount: messages, systemNotifyCount: notices, remindCount: recorded, messageRevision: revision }
}

/** Marks these as read, or all. */
export async function markRead(tx: Db, member: Member, noticeIds?: readonly string[]): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ read_at: sql`now()` })
    .where('member_id', '=', member.id)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .$if(noticeIds !== undefined, (query) => query.where('id', '=', anyOf(noticeIds ?? [])))
    .execute()
  await sql`insert into notice_copy (member_id, notice_id)
    select ${member.id}, id from notice where ${announcementsFor(member.id)} ${noticeIds ? sql`and id = any(${noticeIds}::bigint[])` : sql``}
    on conflict do nothing`.execute(tx)
  publishCounts(tx, [member.id])
}

export async function remove(tx: Db, member: Member, noticeId: string): Promise<void> {
  const own = await tx
    .updateTable('notice')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', noticeId)
    .where('member_id', '=', member.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  publishCounts(tx, [member.id])
  if (own) return
  const { rows } = await sql`insert into notice_copy as copy (member_id, notice_id, deleted_at)
    select ${member.id}, id, now() from notice where id = ${noticeId} and ${announcementsFor(member.id)}
    on conflict (member_id, notice_id) do update set deleted_at = now() where copy.deleted_at is null
    returning notice_id`.execute(tx)
  if (rows.length === 0) throw Missing()
}

type InboxRow = { id: string; sends_at: Date; read_at: Date | null }

// Announcements reach those who were members when they were sent.
function announcementsFor(memberId: string) {
  return sql`notice.member_id is null and notice.removed_at is null and notice.sends_at <= now()
    and notice.sends_at >= (select joined_at from member where member.id = ${memberId})`
}

function mine(memberId: string) {
  return sql`select id, sends_at, read_at from notice where member_id = ${memberId} and deleted_at is null and ${isVisible}
    union all
    select notice.id, sends_at, copy.read_at from notice
    left join notice_copy as copy on copy.notice_id = notice.id and copy.member_id = ${memberId}
    where ${announcementsFor(memberId)} and copy.deleted_at is null`
}

async function totalOf(db: Db, memberId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${mine(memberId)}) as mine`.execute(db)
  return rows[0]?.total ?? 0
}

async function unreadOf(db: Db, memberId: string): Promise<number> {
  return (await unread(memberId).execute(db)).rows[0]?.unread ?? 0
}

function unread(memberId: string) {
  return sql<{ unread: number }>`select count(*)::int as unread from (
    (select from notice where member_id = ${memberId} and read_at is null and deleted_at is null and ${isVisible} limit ${maxUnreadCount})
    union all
    (select from notice where ${announcementsFor(memberId)}
      and not exists (select from notice_copy where notice_id = notice.id and notice_copy.member_id = ${memberId}) limit ${maxUnreadCount})
    limit ${maxUnreadCount}) as few`
}

async function withContent(db: Db, places: readonly InboxRow[]): Promise<NoticeView[]> {
  const rows = await db
    .selectFrom('notice')
    // The batch is internal, and no part of the view.
    .select(['id', 'kind', sql`facts - 'batchId'`.as('facts'), 'text_zh', 'text_en'])
    .where('id', '=', anyOf(places.map(({ id }) => id)))
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  const [announcementOf, named] = [await announcementViews(rows), await withNames(db, rows)]
  return places.flatMap(({ id, sends_at, read_at }) => {
    const row = found.get(id)
    if (!row) return []
    const says = row.kind === 'announcement' ? announcementOf(row) : named(row)
    return { id, says, sentAt: sends_at.toISOString(), readAt: read_at?.toISOString() ?? null }
  })
}

type Facts = { kind: string; facts: unknown }

/** Fills in the current names of members. */
async function withNames(db: Db, rows: readonly Facts[]): Promise<(row: Facts) => PersonalNotice> {
  const whose = ({ facts }: Facts) => (facts as { memberId?: string }).memberId ?? ''
  const people = await user.authors(
    db,
    rows.map(whose).filter((id) => id !== ''),
  )
  return ({ kind, facts }) => {
    const name = people.get(whose({ kind, facts }))?.name
    return { kind, ...(facts as object), ...(name !== undefined && { name }) } as PersonalNotice
  }
}

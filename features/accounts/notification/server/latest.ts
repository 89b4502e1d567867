import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { maxLatest, type LatestItemView } from '#notification/latest-contract.ts'
import * as inbox from '#notification/server/inbox.ts'
import * as notifications from '#notification/server/notifications.ts'

/** The latest of both lists in one, newest first. */
export async function latest(db: Db, member: Member): Promise<{ notifications: LatestItemView[] }> {
  const [events, notices] = await Promise.all([notifications.latest(db, member, maxLatest), inbox.latest(db, member, maxLatest)])
  const all = [
    ...events.map((notification) => ({ at: notification.at, notification, notice: null })),
    ...notices.map((notice) => ({ at: notice.sentAt, notification: null, notice })),
  ]
  const newest = all.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, maxLatest)
  return { notifications: newest.map(({ notification, notice }) => ({ notification, notice })) }
}

export async function markAllRead(tx: Db, member: Member): Promise<void> {
  await notifications.markRead(tx, member)
  await inbox.markRead(tx, member)
}

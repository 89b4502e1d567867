import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { maxLatest, type NotificationView } from '#notice/latest-contract.ts'
import * as inbox from '#notice/server/inbox.ts'
import * as reminders from '#notice/server/reminders.ts'

/** The latest of both lists in one, newest first. */
export async function latest(db: Db, member: Member): Promise<{ notifications: NotificationView[] }> {
  const [reminded, told] = await Promise.all([reminders.latest(db, member, maxLatest), inbox.latest(db, member, maxLatest)])
  const all = [
    ...reminded.map((reminder) => ({ at: reminder.at, reminder, notice: null })),
    ...told.map((notice) => ({ at: notice.sentAt, reminder: null, notice })),
  ]
  const newest = all.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, maxLatest)
  return { notifications: newest.map(({ reminder, notice }) => ({ reminder, notice })) }
}

export async function markAllRead(tx: Db, member: Member): Promise<void> {
  await reminders.markRead(tx, member)
  await inbox.markRead(tx, member)
}

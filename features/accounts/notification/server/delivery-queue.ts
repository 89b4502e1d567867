import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { NotificationChannel } from '#notification/notification-contract.ts'

const maxEach = 50

export type QueueKey = { memberId: string; channel: NotificationChannel }
export type QueuedItems = { last: string; notifications: string[]; senders: string[]; kinds: string[] }

/** Takes the queue of one channel. Notifications that were read, retracted or turned off meanwhile are not sent. */
export async function takeQueue(tx: Db, { memberId, channel }: QueueKey): Promise<QueuedItems> {
  const { rows } = await sql<QueuedItems>`
    with gone as (delete from notification_queue where member_id = ${memberId} and channel = ${channel} returning id, event_id, sender_id),
    told as (
      select gone.id, notification.id as notification_id, notification.kind, null::bigint as sender_id, notification.at from gone
      join notification_event on notification_event.id = event_id join notification on notification.id = notification_event.notification_id
      where read_at is null and deleted_at is null and not is_gone
      union all select id, null, 'message', sender_id, now() from gone where sender_id is not null
    ), wanted as (
      select told.* from told join notification_preference as choice on choice.member_id = ${memberId} and channel = ${channel} and choice.kind = told.kind
    )
    select max(id)::text as last,
      array(select notification_id::text from wanted where notification_id is not null group by notification_id order by max(at) desc limit ${maxEach}) as notifications,
      array(select distinct sender_id::text from wanted where sender_id is not null limit ${maxEach}) as senders,
      coalesce(array_agg(distinct kind), '{}') as kinds
    from wanted`.execute(tx)
  return rows[0] ?? { last: '', notifications: [], senders: [], kinds: [] }
}

/** Sets the next time of this channel, and its due time while something waits. */
export async function setNextTime(
  tx: Db,
  { memberId, channel }: QueueKey,
  times: { next_at: Date | null; rests_until?: Date },
): Promise<void> {
  await tx.updateTable('notification_channel').set(times).where('member_id', '=', memberId).where('channel', '=', channel).execute()
}

import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ReminderChannel } from '#notice/reminder-contract.ts'

const maxEach = 50

export type QueueKey = { memberId: string; channel: ReminderChannel }
export type QueuedItems = { last: string; reminders: string[]; senders: string[]; kinds: string[] }

/** Takes the queue of one channel. Notifications that were read, retracted or turned off meanwhile are not sent. */
export async function takeQueue(tx: Db, { memberId, channel }: QueueKey): Promise<QueuedItems> {
  const { rows } = await sql<QueuedItems>`
    with gone as (delete from reminder_waiting where member_id = ${memberId} and channel = ${channel} returning id, event_id, sender_id),
    told as (
      select gone.id, reminder.id as reminder_id, reminder.kind, null::bigint as sender_id, reminder.at from gone
      join notification_event on notification_event.id = event_id join reminder on reminder.id = notification_event.reminder_id
      where read_at is null and deleted_at is null and not is_gone
      union all select id, null, 'message', sender_id, now() from gone where sender_id is not null
    ), wanted as (
      select told.* from told join reminder_choice as choice on choice.member_id = ${memberId} and channel = ${channel} and choice.kind = told.kind
    )
    select max(id)::text as last,
      array(select reminder_id::text from wanted where reminder_id is not null group by reminder_id order by max(at) desc limit ${maxEach}) as reminders,
      array(select distinct sender_id::text from wanted where sender_id is not null limit ${maxEach}) as senders,
      coalesce(array_agg(distinct kind), '{}') as kinds
    from wanted`.execute(tx)
  return rows[0] ?? { last: '', reminders: [], senders: [], kinds: [] }
}

/** Sets the next time of this channel, and its due time while something waits. */
export async function setNextTime(
  tx: Db,
  { memberId, channel }: QueueKey,
  times: { next_at: Date | null; rests_until?: Date },
): Promise<void> {
  await tx.updateTable('reminder_way').set(times).where('member_id', '=', memberId).where('channel', '=', channel).execute()
}

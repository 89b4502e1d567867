import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'notifications',
    by: ['notification.member_id'],
    rows: (memberId) => sql`
      select kind, topic_id as "topicId", count, at, read_at as "readAt" from notification where member_id = ${memberId} and deleted_at is null order by id`,
  },
  {
    name: 'notification-settings',
    by: ['notification_mute.member_id'],
    rows: (memberId) => sql`select kind as "mutedKind" from notification_mute where member_id = ${memberId} order by kind`,
  },
  {
    name: 'notifications-sent',
    by: ['notification_preference.member_id', 'notification_channel.member_id'],
    rows: (memberId) => sql`
      select channel, rhythm, hour, quiet_from as "quietFrom", quiet_to as "quietTo", array(select kind from notification_preference as choice where choice.member_id = way.member_id and choice.channel = way.channel order by kind) as kinds
      from notification_channel as way where member_id = ${memberId} order by channel`,
  },
  {
    name: 'push',
    by: ['push_subscription.member_id'],
    rows: (memberId) =>
      sql`select user_agent as device, made_at as "madeAt", used_at as "usedAt" from push_subscription where member_id = ${memberId} order by id`,
  },
  {
    name: 'notices',
    by: ['notice.member_id', 'notice_copy.member_id'],
    rows: (memberId) => sql`
      select kind, facts, sends_at as "sentAt", read_at as "readAt" from notice where member_id = ${memberId} and deleted_at is null and removed_at is null order by id`,
  },
]

import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'
import { nameSql } from '#user/server/user.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'messages',
    by: ['message.low_id', 'message.high_id', 'conversation_participant.member_id'],
    rows: (memberId) => sql`
      select id, ${nameSql('other')} as "with", other as "withId", author_id = ${memberId} as "isMine", text, body, sent_at as "sentAt"
      from (select *, case low_id when ${memberId} then high_id else low_id end as other from message
        where ${memberId} in (low_id, high_id) and is_message_visible(message, ${memberId}::bigint)) as its
      order by id`,
  },
  {
    name: 'message-settings',
    by: ['message_setting.member_id'],
    rows: (memberId) => sql`select senders from message_setting where member_id = ${memberId}`,
  },
  {
    name: 'message-reports',
    by: ['message_report.reporter_id'],
    rows: (memberId) => sql`
      select reason, reported_at as "reportedAt", outcome, result, decided_at as "decidedAt" from message_report where reporter_id = ${memberId} order by id`,
  },
]

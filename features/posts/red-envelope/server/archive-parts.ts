import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'red-envelopes',
    by: ['red_envelope.giver_id', 'red_envelope.receiver_id', 'red_envelope_share.member_id'],
    rows: (memberId) => sql`
      select given.id, given.kind, topic_id as "topicId", comment_id as "commentId", message_id as "messageId", currency,
        given.created_at as "createdAt", state, greeting,
        case when giver_id = ${memberId} then given.amount end as given, case when giver_id = ${memberId} then returned end as returned,
        (select share.amount from red_envelope_share as share where envelope_id = given.id and member_id = ${memberId}) as received
      from red_envelope as given
      where giver_id = ${memberId} or receiver_id = ${memberId}
        or given.id in (select envelope_id from red_envelope_share where member_id = ${memberId})
      order by given.id`,
  },
]

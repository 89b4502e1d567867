import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'profile',
    by: ['member.id'],
    rows: (memberId) => sql`
      select id, account, nickname, about, language, avatar, is_official as "isOfficial", shows_activity as "showsActivity", shows_last_seen as "showsLastSeen",
        hint_question as "hintQuestion", joined_at as "joinedAt", host(joined_ip) as "joinedIp", last_seen_at as "lastSeenAt", points_earned as "pointsEarned",
        topic_count as topics, comment_count as comments, reply_count as replies
      from member where id = ${memberId}`,
  },
  {
    name: 'former-names',
    by: ['former_name.member_id'],
    rows: (memberId) => sql`select name, given_up_at as "givenUpAt" from former_name where member_id = ${memberId} order by id`,
  },
]

import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'joining',
    by: ['registration_request.member_id'],
    rows: (memberId) => sql`
      select asked_at as "askedAt", decided_at as "decidedAt", outcome, reason from registration_request where member_id = ${memberId}`,
  },
  {
    name: 'bans',
    by: ['member_ban.member_id'],
    rows: (memberId) => sql`
      select function as "from", reason, given_at as "givenAt", ends_at as "endsAt", lifted_at as "liftedAt" from member_ban where member_id = ${memberId} order by id`,
  },
]

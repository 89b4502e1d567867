import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'sessions',
    by: ['session.member_id'],
    rows: (memberId) => sql`
      select id, host(ip) as ip, user_agent as device, started_at as "startedAt", last_used_at as "lastUsedAt", ended_at as "endedAt", ended_because as "endedBecause"
      from session where member_id = ${memberId} order by id`,
  },
  {
    name: 'logins',
    by: ['login_log.member_id'],
    rows: (memberId) => sql`select kind, host(ip) as ip, at, user_agent as device from login_log where member_id = ${memberId} order by id`,
  },
]

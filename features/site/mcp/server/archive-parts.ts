import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'access-tokens',
    by: ['personal_access_token.member_id'],
    rows: (memberId) => sql`
      select name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt" from personal_access_token
      where member_id = ${memberId} order by id`,
  },
]

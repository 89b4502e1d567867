import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'leaving',
    by: ['account_deletion.member_id'],
    rows: (memberId) =>
      sql`select posts, asked_at as "askedAt", erase_at as "erasedAt" from account_deletion where member_id = ${memberId}`,
  },
]

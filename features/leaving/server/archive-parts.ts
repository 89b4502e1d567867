import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'leaving',
    by: ['member_leaving.member_id'],
    rows: (memberId) => sql`select posts, asked_at as "askedAt", erase_at as "erasedAt" from member_leaving where member_id = ${memberId}`,
  },
]

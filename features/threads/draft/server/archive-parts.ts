import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'drafts',
    by: ['draft.member_id'],
    rows: (memberId) =>
      sql`select place, content, device, saved_at as "savedAt" from draft where member_id = ${memberId} order by saved_at`,
  },
]

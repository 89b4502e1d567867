import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'feedback',
    by: ['feedback.member_id'],
    rows: (memberId) => sql`select name, contact, content, sent_at as "sentAt" from feedback where member_id = ${memberId} order by id`,
  },
]

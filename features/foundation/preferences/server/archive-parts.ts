import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'preferences',
    by: ['preference.member_id'],
    rows: (memberId) => sql`
      select language, theme, text_size as "textSize", time_zone as "timeZone" from preference where member_id = ${memberId}`,
  },
]

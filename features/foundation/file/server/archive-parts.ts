import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'files',
    by: ['file.owner_id'],
    rows: (memberId) => sql`
      select id, kind, name, bytes, width, height, made_at as "uploadedAt" from file where owner_id = ${memberId} and kind <> 'archive' order by made_at, id`,
  },
]

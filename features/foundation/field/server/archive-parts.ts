import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'fields',
    by: ['member_field.member_id'],
    rows: (memberId) => sql`
      select name_zh as "nameZh", name_en as "nameEn", answer from member_field join field on field.id = field_id where member_id = ${memberId} order by field_id`,
  },
]

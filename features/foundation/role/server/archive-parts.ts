import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'roles',
    by: ['role_holding.member_id'],
    rows: (memberId) => sql`
      select name_zh as "nameZh", name_en as "nameEn", lower(during) as "from", upper(during) as "until"
      from role_holding join role on role.id = role_id where member_id = ${memberId} order by role_holding.id`,
  },
]

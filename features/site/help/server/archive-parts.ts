import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'terms',
    by: ['terms_agreement.member_id'],
    rows: (memberId) =>
      sql`select terms_id as "termsId", agreed_at as "agreedAt" from terms_agreement where member_id = ${memberId} order by terms_id`,
  },
]

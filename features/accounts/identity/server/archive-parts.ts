import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'sign-in-methods',
    by: ['member_identity.member_id'],
    rows: (memberId) => sql`
      select name_zh as "providerZh", name_en as "providerEn", subject, member_identity.name, linked_at as "linkedAt", used_at as "usedAt"
      from member_identity join identity_provider on identity_provider.id = provider_id where member_id = ${memberId} order by member_identity.id`,
  },
]

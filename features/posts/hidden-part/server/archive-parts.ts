import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'unlocked-parts',
    by: ['hidden.unlock.member_id'],
    rows: (memberId) => sql`
      select (select thread_id from hidden.outline where outline.id = part_id) as "topicId", lock as "by", paid, at, transaction_id as "transactionId"
      from hidden.unlock where member_id = ${memberId} order by unlock.id`,
  },
]

import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'
import { nameSql } from '#user/server/user.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'follows',
    by: ['follow.member_id', 'follow_progress.member_id'],
    rows: (memberId) => sql`select of as kind, of_id as id, level, at from follow where member_id = ${memberId} order by at`,
  },
  {
    name: 'blocked',
    by: ['member_block.member_id'],
    rows: (memberId) =>
      sql`select other_id as "memberId", ${nameSql('other_id')} as name, how, at from member_block where member_id = ${memberId} order by at`,
  },
]

import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'
import { nameSql } from '#user/server/user.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'follows',
    by: ['following.member_id', 'followed_until.member_id'],
    rows: (memberId) => sql`select of as kind, of_id as id, level, at from following where member_id = ${memberId} order by at`,
  },
  {
    name: 'blocked',
    by: ['blocking.member_id'],
    rows: (memberId) =>
      sql`select other_id as "memberId", ${nameSql('other_id')} as name, how, at from blocking where member_id = ${memberId} order by at`,
  },
]

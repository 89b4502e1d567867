import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'likes',
    by: ['liking.member_id'],
    rows: (memberId) => sql`select post_kind as kind, post_id as "postId", at from liking where member_id = ${memberId} order by at`,
  },
]

import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'likes',
    by: ['post_like.member_id'],
    rows: (memberId) => sql`select post_kind as kind, post_id as "postId", at from post_like where member_id = ${memberId} order by at`,
  },
]

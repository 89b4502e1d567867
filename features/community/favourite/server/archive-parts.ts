import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'favourites',
    by: ['favourite.member_id', 'favourite_folder.member_id'],
    rows: (memberId) => sql`
      select topic_id as "topicId", name as folder, is_public as "isPublic", note, at
      from favourite_folder as folder left join favourite on folder_id = folder.id where folder.member_id = ${memberId}
      union all select topic_id, null, null, note, at from favourite where member_id = ${memberId} and folder_id is null order by at`,
  },
]

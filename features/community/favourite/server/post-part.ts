import { sql } from 'kysely'
import { postPart } from '#base/server/post-part.ts'
import { part } from '#favourite/post-part.ts'

export const favouriteOfMember = postPart(part, {
  mine: {
    isFavourite: ({ memberId, topicId }) => sql`exists (select from favourite where topic_id = ${topicId} and member_id = ${memberId})`,
  },
})

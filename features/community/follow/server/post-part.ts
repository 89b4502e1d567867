import { sql } from 'kysely'
import { postPart } from '#base/server/post-part.ts'
import { part } from '#follow/post-part.ts'

export const followsOfMember = postPart(part, {
  mine: {
    follows: ({ memberId }) => sql`json_build_object(
      'level', coalesce((select level from follow where of = 'topic' and of_id = topic.id and member_id = ${memberId}), 'normal'),
      'author', exists (select from follow where of = 'member' and of_id = topic.author_id and member_id = ${memberId}))`,
  },
})

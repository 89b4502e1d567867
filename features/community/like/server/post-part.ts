import { sql, type RawBuilder } from 'kysely'
import { postPart, type MemberPage } from '#base/server/post-part.ts'
import type { Kind } from '#kind/contract.ts'
import { part } from '#like/post-part.ts'

export const likesOfPosts = postPart(part, {
  comment: { likeCount: { source: sql`comment.like_count`, ifRemoved: 0 } },
  reply: { likeCount: { source: sql`reply.like_count` } },
  mine: { liked: likedBy },
})

/** The ids of liked posts on a page by kind. */
function likedBy({ memberId, topicId, commentIds }: MemberPage): RawBuilder<Record<Kind, string[]>> {
  const comments = sql`${commentIds}::bigint[]`
  return sql`(
    select json_build_object(
      'topic', coalesce(json_agg(post_id::text) filter (where post_kind = 'topic'), '[]'),
      'comment', coalesce(json_agg(post_id::text) filter (where post_kind = 'comment'), '[]'),
      'reply', coalesce(json_agg(post_id::text) filter (where post_kind = 'reply'), '[]'))
    from (
      select 'topic' as kind, ${topicId}::bigint as id
      union all select 'comment', unnest(${comments})
      union all select 'reply', id from reply where comment_id = any(${comments})
    ) as shown join post_like on post_kind = shown.kind and post_id = shown.id and member_id = ${memberId}
  )`
}

import { sql } from 'kysely'
import type { best as bestCall, BestView } from '#activity/contract.ts'
import type { Output } from '#base/contract.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { Db } from '#base/server/database/database.ts'
import { SignedOut, type Viewer } from '#base/server/http/route.ts'
import { threadKinds, type ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import { ActivityHidden } from '#user/contract.ts'
import * as user from '#user/server/user.ts'

const maxPosts = 3
/** Only so many of the latest posts are considered, so that the cost is the same for all members. */
const maxConsidered = 200

/** The most liked ones of a member's latest threads and answers. */
export async function best(db: Db, viewer: Viewer, userId: string | undefined): Promise<Output<typeof bestCall>> {
  const memberId = userId ?? viewer.id
  if (!memberId) throw SignedOut()
  const { showsActivity } = await user.accountStatus(db, memberId)
  if (!showsActivity && memberId !== viewer.id) throw ActivityHidden()
  const { rows } = await sql<Omit<BestView, 'at'> & { at: Date }>`
    select kind, thread, id, "topicId", "commentId", title, excerpt, likes, at
    from (${sql.join([...threadKinds.map((kind) => openingsBy(memberId, kind)), answersBy(memberId)], sql` union all `)}) as written
    where likes > 0 and ${tag.seenBy(viewer, 'tag_id')} order by likes desc, at desc, id desc limit ${maxPosts}`.execute(db)
  addCacheTags(rows.map(({ topicId }) => `topic:${topicId}`))
  return { posts: rows.map((row) => ({ ...row, at: row.at.toISOString() })) }
}

function openingsBy(authorId: string, kind: ThreadKind) {
  return sql`(
    select 'topic' as kind, kind as thread, id, id as "topicId", null::bigint as "commentId", title, summary as excerpt, like_count as likes,
      published_at as at, tag_id
    from topic where author_id = ${authorId} and kind = ${kind} and status = 'published'
    order by published_at desc, id desc limit ${maxConsidered})`
}

function answersBy(authorId: string) {
  return sql`(
    select 'comment' as kind, topic.kind as thread, post.id, topic.id as "topicId", post.id as "commentId", topic.title, post.text as excerpt,
      post.like_count as likes, post.published_at as at, topic.tag_id
    from (
      select id, topic_id, text, like_count, published_at from comment
      where author_id = ${authorId} and thread_kind = 'question' and status = 'published' order by published_at desc, id desc limit ${maxConsidered}
    ) as post join topic on topic.id = post.topic_id and topic.status = 'published' and post.like_count > 0)`
}

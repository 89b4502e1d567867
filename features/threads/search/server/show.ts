import { sql } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { HitView } from '#search/contract.ts'
import { addRowTags } from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import { sourceOf, type Hit } from '#search/server/engine.ts'
import { excerptOf, markedTitle, type SearchTerms } from '#search/server/text/highlight.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import type { Kind } from '#kind/contract.ts'

/** The present content of a post, whatever is indexed. */
type ShownHit = Omit<HitView, 'title' | 'excerpt' | 'author' | 'place' | 'publishedAt' | 'aiLabel'> & {
  title: string
  body: unknown
  authorId: string
  tagId: string
  publishedAt: Date
  aiLabel: string | null
}

const excerptLength = 240

/** The hits that this viewer may see, in this order. */
export async function show(db: Db, viewer: Viewer, hits: readonly Pick<Hit, 'key'>[], terms: SearchTerms): Promise<HitView[]> {
  if (hits.length === 0) return []
  const shown = await readShown(db, viewer, hits)
  const known = new Map(shown.map((post) => [`${post.kind}-${post.id}`, post]))
  const posts = hits.flatMap(({ key }) => known.get(key) ?? [])
  const [authors, places, settings] = await Promise.all([
    user.authors(
      db,
      posts.map(({ authorId }) => authorId),
    ),
    tag.places(db),
    setting.all(db),
  ])
  return posts.flatMap(({ authorId, tagId, title, body, publishedAt, aiLabel: label, ...post }) => {
    const author = authors.get(authorId)
    const place = places.get(tagId)
    if (!author || !place) return []
    const excerpt = excerptOf(toText(body as Doc), terms, excerptLength)
    const hit = { ...post, title: markedTitle(title, terms), excerpt, author, place, publishedAt: publishedAt.toISOString() }
    return [{ ...hit, aiLabel: aiLabel.visibleLabel(settings, label) }]
  })
}

async function readShown(db: Db, viewer: Viewer, hits: readonly Pick<Hit, 'key'>[]): Promise<ShownHit[]> {
  const sources = hits.map(({ key }) => sourceOf(key))
  const idsOf = (kind: Kind) => sources.flatMap((source) => (source.kind === kind ? [source.id] : []))
  addRowTags(idsOf('topic'))
  const isSeen = sql`topic.status = 'published' and ${tag.seenBy(viewer)}`
  const ofRemark = sql`null as "questionState", null as "commentCount", false as "isPinned", false as "isFeatured", null as picture`
  // The arrays stand in subqueries: a planner that sees how few ids there are would plan the statement at each call.
  const { rows } = await sql<ShownHit>`
    select 'topic'::post_kind as kind, topic.id, topic.id as "topicId", topic.kind as thread, question_state as "questionState",
      comment_count as "commentCount", pin > 0 as "isPinned", featured_at is not null as "isFeatured", pictures -> 0 as picture,
      null::bigint as "commentId", null::int as floor, title, ${question.bodyWithPostscripts} as body, topic.author_id as "authorId",
      tag_id as "tagId", topic.published_at as "publishedAt", topic.ai_label as "aiLabel"
    from topic where topic.id = any((select ${idsOf('topic')}::bigint[])::bigint[]) and ${isSeen}
    union all
    select 'comment', comment.id, comment.topic_id, comment.thread_kind, ${ofRemark}, comment.id, comment.floor, title, comment.body,
      comment.author_id, tag_id, comment.published_at, comment.ai_label
    from comment join topic on topic.id = comment.topic_id
    where comment.id = any((select ${idsOf('comment')}::bigint[])::bigint[]) and comment.status = 'published' and ${isSeen}
    union all
    select 'reply', reply.id, reply.topic_id, reply.thread_kind, ${ofRemark}, reply.comment_id, comment.floor, title, reply.body,
      reply.author_id, tag_id, reply.published_at, reply.ai_label
    from reply join comment on comment.id = reply.comment_id join topic on topic.id = reply.topic_id
    where reply.id = any((select ${idsOf('reply')}::bigint[])::bigint[]) and reply.status = 'published' and ${isSeen}`.execute(db)
  return rows
}

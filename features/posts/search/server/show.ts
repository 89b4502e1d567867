import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { HitView } from '#search/contract.ts'
import { addRowTags } from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import { sourceOf, type Hit } from '#search/server/engine.ts'
import { excerptOf, markedTitle, type SearchTerms } from '#search/server/text/highlight.ts'
import type { PictureView } from '#writing/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import { kinds, type Kind } from '#kind/contract.ts'

/** The present content of a post, whatever is indexed. */
type ShownHit = Pick<
  HitView,
  'kind' | 'id' | 'topicId' | 'thread' | 'questionState' | 'commentCount' | 'isPinned' | 'isFeatured' | 'picture' | 'commentId' | 'floor'
> & {
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
  const sources = hits.map(({ key }) => sourceOf(key))
  const byKind = await Promise.all(
    kinds.map((kind) => {
      const ids = sources.flatMap((source) => (source.kind === kind ? [source.id] : []))
      return ids.length > 0 ? readShown[kind](db, viewer, ids) : Promise.resolve([])
    }),
  )
  const known = new Map(byKind.flat().map((post) => [`${post.kind}-${post.id}`, post]))
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

const ofRemarks = { questionState: null, commentCount: null, isPinned: false, isFeatured: false, picture: null }

const readShown: Record<Kind, (db: Db, viewer: Viewer, ids: readonly string[]) => Promise<ShownHit[]>> = {
  async topic(db, viewer, ids) {
    addRowTags(ids)
    const rows = await db
      .selectFrom('topic')
      .select([
        'id',
        'id as topicId',
        'kind as thread',
        'question_state as questionState',
        'title',
        'author_id as authorId',
        'tag_id as tagId',
        'published_at as publishedAt',
        'ai_label as aiLabel',
      ])
      .select(['comment_count as commentCount', 'pin', 'featured_at', 'pictures', question.bodyWithPostscripts.as('body')])
      .where('id', '=', anyOf(ids))
      .where('status', '=', 'published')
      .where(tag.seenBy(viewer))
      .execute()
    return rows.map(({ pin, featured_at, pictures, ...row }) => ({
      kind: 'topic',
      ...row,
      isPinned: pin > 0,
      isFeatured: featured_at !== null,
      picture: (pictures as PictureView[])[0] ?? null,
      commentId: null,
      floor: null,
    }))
  },
  async comment(db, viewer, ids) {
    const rows = await db
      .selectFrom('comment')
      .innerJoin('topic', 'topic.id', 'comment.topic_id')
      .select([
        'comment.id',
        'comment.id as commentId',
        'comment.topic_id as topicId',
        'comment.thread_kind as thread',
        'topic.title',
        'comment.body',
        'comment.floor',
      ])
      .select([
        'comment.author_id as authorId',
        'topic.tag_id as tagId',
        'comment.published_at as publishedAt',
        'comment.ai_label as aiLabel',
      ])
      .where('comment.id', '=', anyOf(ids))
      .where('comment.status', '=', 'published')
      .where('topic.status', '=', 'published')
      .where(tag.seenBy(viewer))
      .execute()
    return rows.map((row) => ({ kind: 'comment', ...row, ...ofRemarks }))
  },
  async reply(db, viewer, ids) {
    const rows = await db
      .selectFrom('reply')
      .innerJoin('comment', 'comment.id', 'reply.comment_id')
      .innerJoin('topic', 'topic.id', 'reply.topic_id')
      .select([
        'reply.id',
        'reply.comment_id as commentId',
        'reply.topic_id as topicId',
        'reply.thread_kind as thread',
        'topic.title',
        'reply.body',
        'comment.floor',
      ])
      .select(['reply.author_id as authorId', 'topic.tag_id as tagId', 'reply.published_at as publishedAt', 'reply.ai_label as aiLabel'])
      .where('reply.id', '=', anyOf(ids))
      .where('reply.status', '=', 'published')
      .where('topic.status', '=', 'published')
      .where(tag.seenBy(viewer))
      .execute()
    return rows.map((row) => ({ kind: 'reply', ...row, ...ofRemarks }))
  },
}

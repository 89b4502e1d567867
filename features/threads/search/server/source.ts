import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { picturesOf, toText } from '#base/rich-text/to-text.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as posts from '#post/server/post.ts'
import * as question from '#question/server/question.ts'
import type { SearchablePost } from '#search/server/entry.ts'
import type { Kind } from '#kind/contract.ts'

/** Reads these posts, except for erased ones. */
export const readPosts: Record<Kind, (db: Db, ids: readonly string[]) => Promise<SearchablePost[]>> = {
  async topic(db, ids) {
    const rows = await db
      .selectFrom('topic')
      .select(['id', 'id as topicId', 'tag_id as tagId', 'author_id as authorId', 'published_at as publishedAt', 'title'])
      .select([
        'question_state as questionState',
        question.bodyWithPostscripts.as('body'),
        sql<boolean>`status = 'published'`.as('isShown'),
      ])
      .select(posts.furtherTagsOf(sql.ref('topic.id')).as('furtherTagIds'))
      .where('id', '=', anyOf(ids))
      .select(sql<boolean>`exists (select from bounty where topic_id = topic.id and state = 'open')`.as('hasBounty'))
      .select(sql<boolean>`ai_label is not null`.as('isAi'))
      .where('purged_at', 'is', null)
      .execute()
    return rows.map((row) => post('topic', row))
  },
  async comment(db, ids) {
    const rows = await db
      .selectFrom('comment')
      .innerJoin('topic', 'topic.id', 'comment.topic_id')
      .select(['comment.id', 'comment.topic_id as topicId', 'topic.tag_id as tagId', 'comment.author_id as authorId'])
      .select(['comment.published_at as publishedAt', 'comment.body'])
      .where('comment.id', '=', anyOf(ids))
      .select(sql<boolean>`comment.status = 'published' and topic.status = 'published'`.as('isShown'))
      .select(sql<boolean>`comment.ai_label is not null`.as('isAi'))
      .where('comment.purged_at', 'is', null)
      .execute()
    return rows.map((row) => post('comment', { ...row, ...remark }))
  },
  async reply(db, ids) {
    const rows = await db
      .selectFrom('reply')
      .innerJoin('topic', 'topic.id', 'reply.topic_id')
      .select(['reply.id', 'reply.topic_id as topicId', 'topic.tag_id as tagId', 'reply.author_id as authorId'])
      .select(['reply.published_at as publishedAt', 'reply.body'])
      .where('reply.id', '=', anyOf(ids))
      .select(sql<boolean>`reply.status = 'published' and topic.status = 'published'`.as('isShown'))
      .select(sql<boolean>`reply.ai_label is not null`.as('isAi'))
      .where('reply.purged_at', 'is', null)
      .execute()
    return rows.map((row) => post('reply', { ...row, ...remark }))
  },
}

const remark = { title: null, questionState: null, hasBounty: false, furtherTagIds: [] }

type Row = Omit<SearchablePost, 'kind' | 'text' | 'hasPictures'> & { body: unknown }

function post(kind: Kind, { body, ...row }: Row): SearchablePost {
  const doc = body as Doc
  return { kind, ...row, text: toText(doc), hasPictures: picturesOf(doc).length > 0 }
}

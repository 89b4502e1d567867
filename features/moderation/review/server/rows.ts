import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'

/** Reviews, joined with their posts. */
export function withPosts(db: Db) {
  return db
    .selectFrom('review')
    .innerJoin('topic', 'topic.id', 'review.topic_id')
    .leftJoin('comment', (on) => on.on('review.kind', '=', 'comment').onRef('comment.id', '=', 'review.post_id'))
    .leftJoin('reply', (on) => on.on('review.kind', '=', 'reply').onRef('reply.id', '=', 'review.post_id'))
}

/** The same, without removed posts. */
export function withoutRemoved(db: Db) {
  return withPosts(db)
    .where('topic.status', '<>', 'deleted')
    .where(
      sql<boolean>`case review.kind when 'comment' then comment.status <> 'deleted' when 'reply' then reply.status <> 'deleted' else true end`,
    )
}

export function ofPost<T>(column: 'segments' | 'body' | 'text' | 'status' | 'deleted_by' | 'deleted_at') {
  const ofTopic = column === 'text' ? sql.ref('topic.summary') : sql.ref(`topic.${column}`)
  return sql<T>`case review.kind when 'topic' then ${ofTopic} when 'comment' then ${sql.ref(`comment.${column}`)} else ${sql.ref(`reply.${column}`)} end`
}

/** The pending text, wherever it is stored. */
export const segments = sql<Segment[]>`coalesce(review.segments, ${ofPost('segments')})`
export const body = sql<Doc>`coalesce(review.body, ${ofPost('body')})`
export const summary = sql<string>`coalesce(review.summary, ${ofPost('text')})`
/** The published text, for a pending edit. */
export const presentSegments = sql<Segment[] | null>`case when review.is_edit then ${ofPost('segments')} end`

import { sql, type RawBuilder } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'
import { kinds, tables, threadKinds, type Kind, type ThreadKind } from '#kind/contract.ts'

const openings = { topic: 'topics', question: 'questions' } as const
const remarks = {
  comment: { topic: 'comments', question: 'answers' },
  reply: { topic: 'replies', question: 'answer-replies' },
} as const
const earlier = { topic: 'versions-of-topics', comment: 'versions-of-comments', reply: 'versions-of-replies' } as const

export const archive: readonly ArchivePart[] = [
  ...threadKinds.map((thread): ArchivePart => ({
    name: openings[thread],
    by: ['topic.author_id'],
    rows: (memberId) => topicsOf(memberId, thread),
  })),
  ...(['comment', 'reply'] as const).flatMap((kind) =>
    threadKinds.map((thread): ArchivePart => ({
      name: remarks[kind][thread],
      by: [`${kind}.author_id`],
      rows: (memberId) => remarksOf(memberId, kind, thread),
    })),
  ),
  ...kinds.map((kind): ArchivePart => ({ name: earlier[kind], by: [`${kind}.author_id`], rows: (memberId) => versionsOf(memberId, kind) })),
  {
    name: 'read-topics',
    by: ['topic_read_position.member_id', 'read_all_marker.member_id'],
    rows: (memberId) =>
      sql`select topic_id as "topicId", floor, read_at as "readAt" from topic_read_position where member_id = ${memberId} order by read_at`,
  },
  {
    name: 'accepted-answers',
    by: ['adoption.author_id'],
    rows: (memberId) => sql`
      select topic_id as "questionId", comment_id as "answerId", adopted_at as "acceptedAt" from adoption where author_id = ${memberId} order by adopted_at`,
  },
  {
    name: 'postscripts',
    by: ['topic.author_id'],
    rows: (memberId) => sql`
      select topic_id as "topicId", number, postscript.body, written_at as "writtenAt", removed_at as "removedAt", removed_reason as "removedBecause"
      from postscript join topic on topic.id = topic_id where author_id = ${memberId} order by topic_id, number`,
  },
]

const standing = sql`status, published_at as "publishedAt", edited_at as "editedAt", deleted_at as "deletedAt", deleted_by as "deletedBy",
  deleted_reason as "deletedBecause", purged_at as "erasedAt", like_count as likes, ai_label as "aiLabel"`

function topicsOf(memberId: string, thread: ThreadKind): RawBuilder<unknown> {
  return sql`
    select topic.id, title, body, ${standing}, (select name_zh from tag where tag.id = tag_id) as "tagZh", (select name_en from tag where tag.id = tag_id) as "tagEn",
      view_count as views, favourite_count as favourites, is_resolved as "isResolved", withdrawn_at as "withdrawnAt",
      case when locks <> '{}' then (select json_agg(its) from hidden.documents(topic.id, ${memberId}::bigint, false, false) as its) end as hidden
    from topic where author_id = ${memberId} and kind = ${thread} order by topic.id`
}

/** A comment has hidden parts where it was the opening of a topic before two became one. */
function remarksOf(memberId: string, kind: 'comment' | 'reply', thread: ThreadKind): RawBuilder<unknown> {
  const own =
    kind === 'comment'
      ? sql`floor, quotes as "quotesId", case when exists (select from hidden.outline where comment_id = comment.id) then (
          select json_agg(its) from hidden.reveal(topic_id, ${memberId}::bigint, false) as its join hidden.outline on outline.id = its.id
          where comment_id = comment.id) end as hidden`
      : sql`comment_id as "commentId", answers as "answersId"`
  return sql`
    select ${sql.ref(`${kind}.id`)}, topic_id as "topicId", body, text, ${standing}, ${own}
    from ${sql.table(kind)} where author_id = ${memberId} and thread_kind = ${thread} order by ${sql.ref(`${kind}.id`)}`
}

/** Earlier versions, but for those that staff withhold from everybody. */
function versionsOf(memberId: string, kind: Kind): RawBuilder<unknown> {
  const versions = tables[kind].revisions
  const title = kind === 'topic' ? sql`its.title, ` : sql``
  return sql`
    select ${sql.ref(`its.${kind}_id`)} as "postId", ${title} its.body, its.ai_label as "aiLabel", its.written_at as "writtenAt"
    from ${sql.table(versions)} as its join ${sql.table(kind)} as post on post.id = ${sql.ref(`its.${kind}_id`)}
    where author_id = ${memberId} and not is_withheld order by its.id`
}

import { sql } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Settings } from '#setting/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicCardView } from '#topic/contract.ts'
import * as user from '#user/server/user.ts'

/** Cards for these topics, in this order: one query for the topics and one for their authors. */
export async function cards(db: Db, topicIds: readonly string[]): Promise<TopicCardView[]> {
  if (topicIds.length === 0) return []
  posts.addRowTags(topicIds)
  const rows = await select(db, topicIds)
  const [authors, places, settings] = await Promise.all([
    user.authors(
      db,
      rows.flatMap((row) => (row.last_reply_by ? [row.author_id, row.last_reply_by] : [row.author_id])),
    ),
    tag.places(db),
    setting.all(db),
  ])
  const views = rows.flatMap((row): [string, TopicCardView][] => {
    const author = authors.get(row.author_id)
    const place = places.get(row.tag_id)
    if (!author || !place) return []
    return [[row.id, { ...cardOf(row, settings), author, place, lastReplyBy: authors.get(row.last_reply_by ?? '') ?? null }]]
  })
  const byId = new Map(views)
  return topicIds.flatMap((topicId) => byId.get(topicId) ?? [])
}

/** The number of answers to a question, without replies. */
export const answerCount = sql<number>`(
  select count(*)::int from comment as answer where answer.topic_id = topic.id and answer.status = 'published')`

const hasEnvelope = sql<boolean>`exists (
  select from red_envelope where red_envelope.topic_id = topic.id and red_envelope.state = 'open')`.as('has_envelope')

/** A select expression: a question that takes no answers. A withdrawn question has its own state. */
export const isClosed = sql<boolean>`topic.kind = 'question' and not takes_comments and withdrawn_at is null`.as('is_closed')

type Row = Awaited<ReturnType<typeof select>>[number]

function select(db: Db, topicIds: readonly string[]) {
  return db
    .selectFrom('topic')
    .select([
      'id',
      'kind',
      'question_state',
      'title',
      'summary',
      'pictures',
      'locks',
      'author_id',
      'tag_id',
      'status',
      'published_at',
      'last_reply_at',
      'last_reply_by',
    ])
    .select(['view_count', 'pin', 'featured_at', 'ai_label'])
    .select([isClosed, hasEnvelope])
    .select(sql<number>`case kind when 'question' then ${answerCount} else comment_count end`.as('comment_count'))
    .where('id', '=', anyOf(topicIds))
    .where('status', '<>', 'deleted')
    .execute()
}

function cardOf(row: Row, settings: Settings) {
  return {
    id: row.id,
    kind: row.kind,
    questionState: row.question_state,
    title: row.title,
    summary: row.summary,
    pictures: row.pictures as TopicCardView['pictures'],
    locks: (row.locks as TopicCardView['locks']).filter((lock) => settings.allowCash || lock !== 'balance'),
    publishedAt: row.published_at.toISOString(),
    lastReplyAt: row.last_reply_by ? row.last_reply_at.toISOString() : null,
    viewCount: Number(row.view_count),
    commentCount: row.comment_count,
    isPinned: row.pin > 0,
    isFeatured: row.featured_at !== null,
    isClosed: row.is_closed,
    isPending: row.status === 'pending',
    hasEnvelope: row.has_envelope,
    aiLabel: aiLabel.visibleLabel(settings, row.ai_label),
  }
}

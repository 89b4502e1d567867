import { sql } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Db } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicCardView } from '#topic/contract.ts'
import * as user from '#user/server/user.ts'

/** Cards for these topics, in this order: one query for the topics and one for their authors. */
export async function cards(db: Db, topicIds: readonly string[]): Promise<TopicCardView[]> {
  if (topicIds.length === 0) return []
  posts.addRowTags(topicIds)
  return (await withViews(db, topicIds, await cardRows(db, { topicIds }))).map(({ card }) => card)
}

/** The same with their tags that this viewer may see; the primary tag, which decides visibility, is the first. */
export async function cardsWithTags(
  db: Db,
  viewer: Viewer,
  topicIds: readonly string[],
): Promise<(TopicCardView & { tags: PlaceView[] })[]> {
  if (topicIds.length === 0) return []
  posts.addRowTags(topicIds)
  const [found, places] = [await withViews(db, topicIds, await taggedRows(db, { topicIds })), await tag.places(db)]
  return found.map(({ card, row }) => {
    const further = row.further.filter((tagId) => viewer.may('tag.view', tagId)).flatMap((tagId) => places.get(tagId) ?? [])
    return { ...card, tags: viewer.may('tag.view', row.tag_id) ? [card.place, ...further] : [card.place] }
  })
}

async function withViews<Its extends Row>(db: Db, topicIds: readonly string[], rows: readonly Its[]) {
  const [authors, places, settings] = await Promise.all([
    user.authors(
      db,
      rows.flatMap((row) => (row.last_reply_by ? [row.author_id, row.last_reply_by] : [row.author_id])),
    ),
    tag.places(db),
    setting.all(db),
  ])
  const views = rows.flatMap((row): [string, { card: TopicCardView; row: Its }][] => {
    const author = authors.get(row.author_id)
    const place = places.get(row.tag_id)
    if (!author || !place) return []
    const card = { ...cardOf(row, settings), author, place, lastReplyBy: authors.get(row.last_reply_by ?? '') ?? null }
    return [[row.id, { card, row }]]
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

type Row = Awaited<ReturnType<typeof cardRows>>[number]
type Topics = { topicIds: readonly string[] }

const cardRows = statement((db, topics: Parameters<Topics>) => rowsOf(db, topics))
const taggedRows = statement((db, topics: Parameters<Topics>) =>
  rowsOf(db, topics).select(posts.furtherTagsOf(sql.ref('topic.id')).as('further')),
)

function rowsOf(db: Db, { topicIds }: Parameters<Topics>) {
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
    .where('id', '=', sql<string>`any(${topicIds})`)
    .where('status', '<>', 'deleted')
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

import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import type { Answer, Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { paged } from '#base/server/database/paged.ts'
import type { placesForStaff } from '#content/contract.ts'
import type { commentsForStaff, repliesForStaff, topicsForStaff } from '#content/list-contract.ts'
import { conditions, withPlanHint, stateOf } from '#content/server/filter.ts'
import type { marks, State } from '#content/views.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

const time = (column: string) => ({ by: sql.ref(column), as: 'timestamptz' }) as const
const number = (column: string) => ({ by: sql.ref(column), as: 'bigint' }) as const

const topicKeys = {
  published: time('topic.published_at'),
  reply: time('topic.last_reply_at'),
  comments: number('topic.comment_count'),
  views: number('topic.view_count'),
}

const isMarked = {
  pinned: sql<boolean>`topic.pin > 0`,
  featured: sql<boolean>`topic.featured_at is not null`,
  closed: sql<boolean>`not topic.takes_comments`,
  sunk: sql<boolean>`topic.sunk_at is not null`,
  asks: sql<boolean>`topic.kind = 'question'`,
  resolved: sql<boolean>`topic.is_resolved`,
  withdrawn: sql<boolean>`topic.withdrawn_at is not null`,
}
/** A select expression: all marks of a topic. */
export const marksOfTopic = sql<(typeof marks)[number][]>`array_remove(array[
  case when ${isMarked.pinned} then 'pinned' end,
  case when ${isMarked.featured} then 'featured' end,
  case when ${isMarked.closed} then 'closed' end,
  case when ${isMarked.sunk} then 'sunk' end,
  case when ${isMarked.asks} then 'asks' end,
  case when ${isMarked.resolved} then 'resolved' end,
  case when ${isMarked.withdrawn} then 'withdrawn' end
], null)`

/** The query for the topics that match the filters. */
export function topicQuery(db: Db, params: ParsedInput<typeof topicsForStaff>) {
  let query = db.selectFrom('topic').select('topic.id')
  for (const condition of conditions('topic', params)) query = query.where(condition)
  return params.mark ? query.where(isMarked[params.mark]) : query
}

export async function topics(db: Db, params: ParsedInput<typeof topicsForStaff>): Promise<Answer<typeof topicsForStaff>> {
  const query = topicQuery(db, await withPlanHint(db, 'topic', params))
    .select(['topic.title', 'topic.author_id', 'topic.tag_id', 'topic.summary', 'topic.deleted_reason'])
    .select(['topic.published_at', 'topic.edited_at', 'topic.last_reply_at', 'topic.comment_count', 'topic.view_count'])
    .select([stateOf('topic').as('state'), marksOfTopic.as('marks'), 'topic.ai_label'])
  const { rows, ...page } = await paged(db, query, { ...params, keys: topicKeys, id: sql`topic.id` })
  const shared = await sharedViews(db, rows)
  return {
    ...page,
    rows: rows.map((row) => ({
      ...shared(row),
      title: row.title,
      text: row.summary,
      lastReplyAt: row.last_reply_at,
      commentCount: row.comment_count,
      viewCount: Number(row.view_count),
      marks: row.marks,
    })),
  }
}

/** The query for the comments that match the filters. */
export function commentQuery(db: Db, params: ParsedInput<typeof commentsForStaff>) {
  let query = db.selectFrom('comment').innerJoin('topic', 'topic.id', 'comment.topic_id').select('comment.id')
  for (const condition of conditions('comment', params)) query = query.where(condition)
  return params.topicId ? query.where('comment.topic_id', '=', params.topicId) : query
}

export async function comments(db: Db, params: ParsedInput<typeof commentsForStaff>): Promise<Answer<typeof commentsForStaff>> {
  const keys = { published: time('comment.published_at'), replies: number('comment.reply_count') }
  const query = commentQuery(db, await withPlanHint(db, 'comment', params))
    .select(['comment.id as comment_id', 'comment.floor', 'comment.reply_count', 'comment.author_id', 'comment.text'])
    .select(['comment.deleted_reason', 'comment.published_at', 'comment.edited_at', 'comment.ai_label', stateOf('comment').as('state')])
    .select(['topic.tag_id', 'topic.id as topic_id', 'topic.kind as thread', 'topic.title', stateOf('topic').as('topic_state')])
  const { rows, ...page } = await paged(db, query, { ...params, keys, id: sql`comment.id` })
  return { ...page, rows: await remarks(db, rows) }
}

/** The query for the replies that match the filters. */
export function replyQuery(db: Db, params: ParsedInput<typeof repliesForStaff>) {
  let query = db
    .selectFrom('reply')
    .innerJoin('topic', 'topic.id', 'reply.topic_id')
    .innerJoin('comment', 'comment.id', 'reply.comment_id')
    .select('reply.id')
  for (const condition of conditions('reply', params)) query = query.where(condition)
  if (params.topicId) query = query.where('reply.topic_id', '=', params.topicId)
  return params.commentId ? query.where('reply.comment_id', '=', params.commentId) : query
}

export async function replies(db: Db, params: ParsedInput<typeof repliesForStaff>): Promise<Answer<typeof repliesForStaff>> {
  const keys = { published: time('reply.published_at') }
  const query = replyQuery(db, await withPlanHint(db, 'reply', params))
    .select(['reply.comment_id', 'comment.floor', sql<number>`0`.as('reply_count'), 'reply.author_id', 'reply.text'])
    .select(['reply.deleted_reason', 'reply.published_at', 'reply.edited_at', 'reply.ai_label', stateOf('reply').as('state')])
    .select(['topic.tag_id', 'topic.id as topic_id', 'topic.kind as thread', 'topic.title', stateOf('topic').as('topic_state')])
  const { rows, ...page } = await paged(db, query, { ...params, keys, id: sql`reply.id` })
  return { ...page, rows: await remarks(db, rows) }
}

/** All tags in their order, each after its parent. */
export async function places(db: Db): Promise<Output<typeof placesForStaff>> {
  const [placesById, order] = await Promise.all([
    tag.places(db),
    db
      .selectFrom('tag')
      .leftJoin('tag as parent', 'parent.id', 'tag.parent_id')
      .select(['tag.id', sql<boolean>`not exists (select from tag as below where below.parent_id = tag.id)`.as('takesTopics')])
      .orderBy(sql`coalesce(parent.sort, tag.sort)`)
      .orderBy(sql`coalesce(parent.id, tag.id)`)
      .orderBy('tag.parent_id', (by) => by.asc().nullsFirst())
      .orderBy('tag.sort')
      .orderBy('tag.id')
      .execute(),
  ])
  return {
    tags: order.flatMap(({ id, takesTopics }) => {
      const place = placesById.get(id)
      return place ? [{ ...place, takesTopics }] : []
    }),
  }
}

type CommonRow = {
  id: string
  author_id: string
  tag_id: string
  state: State
  deleted_reason: string | null
  ai_label: string | null
  published_at: Date
  edited_at: Date | null
}
type RemarkListRow = CommonRow & {
  text: string
  comment_id: string
  floor: number | null
  reply_count: number
  topic_id: string
  thread: ThreadKind
  title: string
  topic_state: State
}

async function remarks(db: Db, rows: readonly RemarkListRow[]): Promise<Answer<typeof commentsForStaff>['rows']> {
  const shared = await sharedViews(db, rows)
  return rows.map((row) => ({
    ...shared(row),
    text: row.text,
    topic: { id: row.topic_id, kind: row.thread, title: row.title, state: row.topic_state },
    commentId: row.comment_id,
    floor: row.floor,
    replyCount: row.reply_count,
  }))
}

async function sharedViews(db: Db, rows: readonly CommonRow[]) {
  const [authors, places] = await Promise.all([
    user.authors(
      db,
      rows.map((row) => row.author_id),
    ),
    tag.places(db),
  ])
  return (row: CommonRow) => {
    const author = authors.get(row.author_id)
    const place = places.get(row.tag_id)
    if (!author || !place) throw new Error(`What is numbered ${row.id} is by nobody, or lies nowhere`)
    return {
      id: row.id,
      author,
      place,
      state: row.state,
      reason: row.deleted_reason,
      publishedAt: row.published_at,
      editedAt: row.edited_at,
      aiLabel: row.ai_label as AiLabelView,
    }
  }
}

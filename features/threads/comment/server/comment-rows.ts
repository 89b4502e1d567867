import { sql } from 'kysely'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import { statement, type Parameters, type Value } from '#base/server/database/statement.ts'
import type { MovedReferences } from '#comment/server/moved-references.ts'
import { commentSources } from '#comment/server/post-parts.ts'
import { firstReplies, type OpenedComment, type ReplyRow } from '#comment/server/replies.ts'
import type { CommentFields } from '#post/parts-contract.ts'

export type CommentRow = MovedReferences & {
  id: string
  floor: number
  author_id: string
  segments: Segment[]
  status: string
  published_at: string
  edited_at: string | null
  edited_by: string | null
  reply_count: number
  fields: CommentFields
  quoted: QuotedRow | null
  replies: ReplyRow[]
}

export type QuotedRow = {
  id: string
  floor: number | null
  author_id: string
  text: string
  status: string
  topic_id: string
  became: string | null
  /** The type of the first block, if no block is prose. */
  first: string | null
}

type OfTopic = OpenedComment & { topicId: string }
type CommentRange = OfTopic & { from: number; to: number }
type Floor = 'comment.floor' | 'comment.author_floor'

export const visibleLikes = sql<number>`case when comment.status = 'published' then comment.like_count else -1 end`

const byFloor = (floor: Floor, order: 'asc' | 'desc') =>
  statement((db, range: Parameters<CommentRange>) =>
    commentsOf(db, range).where(floor, '>=', range.from).where(floor, '<=', range.to).orderBy(floor, order),
  )

const byLikes = (floor: Floor) =>
  statement((db, range: Parameters<CommentRange>) =>
    commentsOf(db, range)
      .where(floor, 'is not', null)
      .orderBy(visibleLikes, 'desc')
      .orderBy('comment.floor')
      .limit(sql<number>`greatest(0, ${range.to}::int - ${range.from}::int + 1)`)
      .offset(sql<number>`${range.from}::int - 1`),
  )

const inOrder = (floor: Floor) => ({ asc: byFloor(floor, 'asc'), desc: byFloor(floor, 'desc'), likes: byLikes(floor) })
const comments = { ofAll: inOrder('comment.floor'), ofAuthor: inOrder('comment.author_floor') }

type ListedComments = { order: 'asc' | 'desc' | 'likes'; onlyAuthor: boolean }

/** The comments of these floors, or ranks by likes, with their first replies. */
export async function commentsIn(db: Db, { order, onlyAuthor }: ListedComments, range: CommentRange): Promise<CommentRow[]> {
  const rows = await comments[onlyAuthor ? 'ofAuthor' : 'ofAll'][order](db, range)
  return rows.map(({ row }) => row)
}

/** The accepted answer of a question, on whatever page. */
export async function acceptedAnswer(db: Db, question: OfTopic): Promise<CommentRow | undefined> {
  const accepted = await commentsOf(db, question).innerJoin('adoption', 'adoption.comment_id', 'comment.id').executeTakeFirst()
  return accepted?.row
}

// One value of JSON is read in a tenth of the time of twenty columns.
function commentsOf(db: Db, of: { [Name in keyof OfTopic]: Value<OfTopic[Name]> }) {
  return db
    .selectFrom('comment')
    .leftJoin('comment as quoted', 'quoted.id', 'comment.quotes')
    .leftJoin('comment as moved', 'moved.id', 'comment.moved_to')
    .select(
      sql<CommentRow>`json_build_object(
        'id', comment.id::text, 'floor', comment.floor, 'author_id', comment.author_id::text, 'segments', comment.segments,
        'status', comment.status, 'published_at', comment.published_at,
        'edited_at', comment.edited_at, 'edited_by', comment.edited_by::text, 'reply_count', comment.reply_count,
        'fields', ${commentSources(db)},
        'became', comment.became::text, 'moved_to', comment.moved_to::text,
        'moved_topic', moved.topic_id::text, 'moved_became', moved.became::text,
        'quoted', ${quotedRow}, 'replies', ${firstReplies(db, of)})`.as('row'),
    )
    .where('comment.topic_id', '=', of.topicId)
    .where('comment.floor', 'is not', null)
}

const quotedRow = sql`case when quoted.id is not null then json_build_object(
  'id', quoted.id::text, 'floor', quoted.floor, 'author_id', quoted.author_id::text, 'text', quoted.text,
  'status', quoted.status, 'topic_id', quoted.topic_id::text, 'became', quoted.became::text,
  'first', case when not jsonb_path_exists(quoted.body,
    '$.content[*] ? (@.type != "image" && @.type != "table" && @.type != "file" && @.type != "codeBlock")')
    then quoted.body #>> '{content,0,type}' end) end`

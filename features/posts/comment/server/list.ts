import { sql, type NotNull } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import { statement, type Parameters, type Value } from '#base/server/database/statement.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { AuthorView } from '#user/contract.ts'
import type { CommentView, listComments } from '#comment/contract.ts'
import { movedTo, movedThreads, type MovedThreads } from '#comment/server/moved-references.ts'
import { pageOf, pagesOf, rangeOf, type FloorPaging } from '#comment/server/floors.ts'
import { jumpTarget, type CommentPosition } from '#comment/server/jump-target.ts'
import { firstReplies, peopleIn as peopleInReply, replyView, type ReplyRow } from '#comment/server/replies.ts'
import * as linkPreview from '#link-preview/server/link-preview.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

type CommentListParams = ParsedInput<typeof listComments>

/** One page of a topic's comments, in four round trips: the topic, its comments with their quotes, their first replies, the authors. */
export async function list(db: Db, viewer: Viewer, params: CommentListParams): Promise<Output<typeof listComments>> {
  const [topic, target, { commentsPerPage }] = await Promise.all([
    posts.cachedThread(db, viewer, params.topicId),
    jumpTarget(db, params),
    setting.all(db),
  ])
  const floors: FloorPaging = {
    total: params.onlyAuthor ? topic.authorFloors : topic.floors,
    perPage: commentsPerPage,
    order: params.order,
  }
  const pages = pagesOf(floors)
  const page = params.page ?? (await pageToShow(db, target, params, floors))
  if (page > pages) throw Missing()

  const range = rangeOf(page, floors)
  const [rows, [accepted]] = await Promise.all([
    commentsIn(db, params, range),
    topic.isResolved && page === 1 && !params.onlyAuthor ? acceptedAnswer(db, topic.id) : [],
  ])
  const isOnOtherPage = accepted && !rows.some(({ id }) => id === accepted.id)
  const all = await viewsOf(db, viewer, topic.id, isOnOtherPage ? [...rows, accepted] : rows, target)
  const best = all[rows.length] ?? null
  return { comments: all.slice(0, rows.length), best, ...range, total: floors.total, page, pages }
}

/** The accepted answer of a question, on whatever page. */
function acceptedAnswer(db: Db, topicId: string) {
  return commentsOf(db, topicId)
    .innerJoin('adoption', 'adoption.comment_id', 'comment.id')
    .where('comment.floor', 'is not', null)
    .$narrowType<{ floor: NotNull }>()
    .execute()
}

async function viewsOf(
  db: Db,
  viewer: Viewer,
  topicId: string,
  comments: readonly CommentRow[],
  target: CommentPosition | null,
): Promise<CommentView[]> {
  const [replies, places, settings] = await Promise.all([
    firstReplies(db, comments, target),
    movedThreads(db, viewer, topicId, comments),
    setting.all(db),
  ])
  const people = await user.authors(db, peopleIn(comments, replies))
  const views = comments.map((comment) => commentView(comment, { topicId, replies, people, threads: places, settings }))
  const carded = await linkPreview.cardsIn(
    db,
    views.flatMap((one) => [one, ...one.replies]),
  )
  return views.map((one) => ({ ...carded(one), replies: one.replies.map(carded) }))
}

async function pageToShow(db: Db, target: CommentPosition | null, params: CommentListParams, floors: FloorPaging): Promise<number> {
  if (!params.commentId && !params.replyId) return params.floor ? pageOf(Math.min(params.floor, floors.total), floors) : 1
  const floor = params.onlyAuthor ? target?.author_floor : target?.floor
  if (!floor || !target) throw Missing()
  return pageOf(floors.order === 'likes' ? await rankByLikes(db, params, target) : floor, floors)
}

const visibleLikes = sql<number>`case when comment.status = 'published' then comment.like_count else -1 end`
const floorOf = ({ onlyAuthor }: CommentListParams) => (onlyAuthor ? ('comment.author_floor' as const) : ('comment.floor' as const))

async function rankByLikes(db: Db, params: CommentListParams, { id, floor }: CommentPosition): Promise<number> {
  const { place } = await db
    .selectFrom('comment')
    .select((row) => row.fn.countAll<string>().as('place'))
    .where('topic_id', '=', params.topicId)
    .where(floorOf(params), 'is not', null)
    .where('comment.floor', 'is not', null)
    .where(sql<boolean>`(-(${visibleLikes}), comment.floor) <= (select -(${visibleLikes}), ${floor}::int from comment where id = ${id})`)
    .executeTakeFirstOrThrow()
  return Number(place)
}

type Range = { topicId: string; from: number; to: number }

const commentsByFloor = (column: 'comment.floor' | 'comment.author_floor', order: 'asc' | 'desc') =>
  statement((db, { topicId, from, to }: Parameters<Range>) =>
    commentsOf(db, topicId)
      .where(column, '>=', from)
      .where(column, '<=', to)
      .where('comment.floor', 'is not', null)
      .orderBy(column, order)
      .$narrowType<{ floor: NotNull }>(),
  )

const commentsByLikes = (column: 'comment.floor' | 'comment.author_floor') =>
  statement((db, { topicId, from, to }: Parameters<Range>) =>
    commentsOf(db, topicId)
      .where(column, 'is not', null)
      .where('comment.floor', 'is not', null)
      .orderBy(visibleLikes, 'desc')
      .orderBy('comment.floor')
      .limit(sql<number>`greatest(0, ${to}::int - ${from}::int + 1)`)
      .offset(sql<number>`${from}::int - 1`)
      .$narrowType<{ floor: NotNull }>(),
  )

const comments = {
  ofAll: {
    asc: commentsByFloor('comment.floor', 'asc'),
    desc: commentsByFloor('comment.floor', 'desc'),
    likes: commentsByLikes('comment.floor'),
  },
  ofAuthor: {
    asc: commentsByFloor('comment.author_floor', 'asc'),
    desc: commentsByFloor('comment.author_floor', 'desc'),
    likes: commentsByLikes('comment.author_floor'),
  },
}

function commentsIn(db: Db, { topicId, order, onlyAuthor }: CommentListParams, range: { from: number; to: number }) {
  return comments[onlyAuthor ? 'ofAuthor' : 'ofAll'][order](db, { topicId, ...range })
}

function commentsOf(db: Db, topicId: Value<string>) {
  return db
    .selectFrom('comment')
    .leftJoin('comment as quoted', 'quoted.id', 'comment.quotes')
    .leftJoin('comment as moved', 'moved.id', 'comment.moved_to')
    .select(['comment.id', 'comment.floor', 'comment.author_id', 'comment.segments', 'comment.status', 'comment.published_at'])
    .select(['comment.edited_at', 'comment.edited_by', 'comment.reply_count', 'comment.like_count', 'comment.quotes', 'comment.ai_label'])
    .select([
      'quoted.floor as quoted_floor',
      'quoted.author_id as quoted_author',
      'quoted.text as quoted_text',
      'quoted.status as quoted_status',
      'quoted.topic_id as quoted_topic',
      'quoted.became as quoted_became',
      firstBlockWithoutProse.as('quoted_first'),
    ])
    .select(['comment.became', 'comment.moved_to', 'moved.topic_id as moved_topic', 'moved.became as moved_became'])
    .select(redEnvelope.envelopeOfComment.as('envelope_id'))
    .where('comment.topic_id', '=', topicId)
}

// The type of the first block, if no block is prose.
const firstBlockWithoutProse = sql<string | null>`case when not jsonb_path_exists(quoted.body,
  '$.content[*] ? (@.type != "image" && @.type != "table" && @.type != "file" && @.type != "codeBlock")')
  then quoted.body #>> '{content,0,type}' end`

type CommentRow = Awaited<ReturnType<typeof commentsIn>>[number]
type AuthorsById = ReadonlyMap<string, AuthorView>

function peopleIn(comments: readonly CommentRow[], replies: readonly ReplyRow[]): string[] {
  return [
    ...comments
      .filter(isShown)
      .flatMap((row) => [
        row.author_id,
        ...(row.quoted_author ? [row.quoted_author] : []),
        ...writing.mentionedIn(row.segments as Segment[]),
      ]),
    ...replies.flatMap(peopleInReply),
  ]
}

type ViewContext = { topicId: string; replies: readonly ReplyRow[]; people: AuthorsById; threads: MovedThreads; settings: Settings }

function commentView(row: CommentRow, context: ViewContext): CommentView {
  const { replies, people, threads, settings } = context
  const isVisible = isShown(row)
  return {
    id: row.id,
    floor: row.floor,
    isDeleted: !isVisible,
    movedTo: movedTo(row, threads),
    author: isVisible ? (people.get(row.author_id) ?? null) : null,
    segments: isVisible ? writing.withNames(row.segments as Segment[], people) : [],
    publishedAt: row.published_at.toISOString(),
    editedAt: isVisible ? (row.edited_at?.toISOString() ?? null) : null,
    isEditedByStaff: isVisible && row.edited_by !== null && row.edited_by !== row.author_id,
    aiLabel: isVisible ? aiLabel.visibleLabel(settings, row.ai_label) : null,
    quote: isVisible ? quoteView(row, context) : null,
    envelopeId: isVisible ? row.envelope_id : null,
    replies: replies.filter((reply) => reply.comment_id === row.id).map((reply) => replyView(reply, people, settings)),
    likeCount: isVisible ? row.like_count : 0,
    replyCount: row.reply_count,
  }
}

function quoteView(row: CommentRow, { topicId, people, threads }: ViewContext): CommentView['quote'] {
  const { quotes: commentId, quoted_topic, quoted_became } = row
  if (commentId === null || quoted_topic === null) return null
  const topicOpened = quoted_became && threads.get(quoted_became)
  const isVisible = row.quoted_status === 'published' && (quoted_topic === topicId || threads.has(quoted_topic))
  const author = isVisible || topicOpened ? people.get(row.quoted_author ?? '') : undefined
  return {
    commentId,
    topicId: quoted_became ?? quoted_topic,
    floor: !topicOpened && (isVisible || quoted_topic === topicId) ? (row.quoted_floor ?? 0) : 0,
    author: author ? { id: author.id, name: author.name } : null,
    text: topicOpened ? topicOpened.summary : isVisible ? (row.quoted_text ?? '') : '',
    only: isVisible ? quoteKindOf(row) : null,
    isDeleted: !isVisible && !topicOpened,
  }
}

type QuoteKind = NonNullable<CommentView['quote']>['only']
const quoteKinds: Record<string, QuoteKind> = { image: 'picture', table: 'table', file: 'file', codeBlock: 'code' }

// Blank posts are refused, so a post without text has a picture.
function quoteKindOf({ quoted_first: first, quoted_text: text }: CommentRow): QuoteKind {
  return text === '' ? 'picture' : (quoteKinds[first ?? ''] ?? null)
}

function isShown(row: CommentRow): boolean {
  return row.status === 'published'
}

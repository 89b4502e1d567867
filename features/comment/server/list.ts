import { sql, type NotNull } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { AuthorView } from '#user/contract.ts'
import type { CommentView, listComments } from '#comment/contract.ts'
import { movedTo, placesOf, type Places } from '#comment/server/elsewhere.ts'
import { pageOf, pagesOf, rangeOf, type Floors } from '#comment/server/floors.ts'
import { sought, type CommentPosition } from '#comment/server/jump.ts'
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
export async function list(db: Db, viewer: Viewer, asked: CommentListParams): Promise<Output<typeof listComments>> {
  const [topic, target, { commentsPerPage }] = await Promise.all([
    posts.knownThread(db, viewer, asked.topicId),
    sought(db, asked),
    setting.all(db),
  ])
  const floors: Floors = { total: asked.onlyAuthor ? topic.authorFloors : topic.floors, perPage: commentsPerPage, order: asked.order }
  const pages = pagesOf(floors)
  const page = asked.page ?? (await pageToShow(db, target, asked, floors))
  if (page > pages) throw Missing()

  const range = rangeOf(page, floors)
  const [rows, [solving]] = await Promise.all([
    commentsIn(db, asked, range),
    topic.isResolved && page === 1 && !asked.onlyAuthor ? solvingIn(db, topic.id) : [],
  ])
  const isBeyond = solving && !rows.some(({ id }) => id === solving.id)
  const all = await viewsOf(db, viewer, topic.id, isBeyond ? [...rows, solving] : rows, target)
  const best = all[rows.length] ?? null
  return { comments: all.slice(0, rows.length), best, ...range, total: floors.total, page, pages }
}

/** The accepted answer of a question, on whatever page. */
function solvingIn(db: Db, topicId: string) {
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
  comments: readonly Row[],
  target: CommentPosition | null,
): Promise<CommentView[]> {
  const [replies, places, settings] = await Promise.all([
    firstReplies(db, comments, target),
    placesOf(db, viewer, topicId, comments),
    setting.all(db),
  ])
  const people = await user.authors(db, peopleIn(comments, replies))
  const views = comments.map((comment) => view(comment, { topicId, replies, people, places, settings }))
  const carded = await linkPreview.cardsIn(
    db,
    views.flatMap((one) => [one, ...one.replies]),
  )
  return views.map((one) => ({ ...carded(one), replies: one.replies.map(carded) }))
}

async function pageToShow(db: Db, target: CommentPosition | null, asked: CommentListParams, floors: Floors): Promise<number> {
  if (!asked.commentId && !asked.replyId) return asked.floor ? pageOf(Math.min(asked.floor, floors.total), floors) : 1
  const floor = asked.onlyAuthor ? target?.author_floor : target?.floor
  if (!floor || !target) throw Missing()
  return pageOf(floors.order === 'likes' ? await placeByLikes(db, asked, target) : floor, floors)
}

const likesShown = sql<number>`case when comment.status = 'published' then comment.like_count else -1 end`
const floorOf = ({ onlyAuthor }: CommentListParams) => (onlyAuthor ? ('comment.author_floor' as const) : ('comment.floor' as const))

async function placeByLikes(db: Db, asked: CommentListParams, { id, floor }: CommentPosition): Promise<number> {
  const { place } = await db
    .selectFrom('comment')
    .select((row) => row.fn.countAll<string>().as('place'))
    .where('topic_id', '=', asked.topicId)
    .where(floorOf(asked), 'is not', null)
    .where('comment.floor', 'is not', null)
    .where(sql<boolean>`(-(${likesShown}), comment.floor) <= (select -(${likesShown}), ${floor}::int from comment where id = ${id})`)
    .executeTakeFirstOrThrow()
  return Number(place)
}

function commentsIn(db: Db, asked: CommentListParams, { from, to }: { from: number; to: number }) {
  const { topicId, order } = asked
  const column = floorOf(asked)
  if (order === 'likes')
    return commentsOf(db, topicId)
      .where(column, 'is not', null)
      .where('comment.floor', 'is not', null)
      .orderBy(likesShown, 'desc')
      .orderBy('comment.floor')
      .limit(Math.max(0, to - from + 1))
      .offset(from - 1)
      .$narrowType<{ floor: NotNull }>()
      .execute()
  return commentsOf(db, topicId)
    .where(column, '>=', from)
    .where(column, '<=', to)
    .where('comment.floor', 'is not', null)
    .orderBy(column, order)
    .$narrowType<{ floor: NotNull }>()
    .execute()
}

function commentsOf(db: Db, topicId: string) {
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
      firstWithoutProse.as('quoted_first'),
    ])
    .select(['comment.became', 'comment.moved_to', 'moved.topic_id as moved_topic', 'moved.became as moved_became'])
    .select(redEnvelope.besideComment.as('envelope_id'))
    .where('comment.topic_id', '=', topicId)
}

// The type of the first block, if no block is prose.
const firstWithoutProse = sql<string | null>`case when not jsonb_path_exists(quoted.body,
  '$.content[*] ? (@.type != "image" && @.type != "table" && @.type != "file" && @.type != "codeBlock")')
  then quoted.body #>> '{content,0,type}' end`

type Row = Awaited<ReturnType<typeof commentsIn>>[number]
type People = ReadonlyMap<string, AuthorView>

function peopleIn(comments: readonly Row[], replies: readonly ReplyRow[]): string[] {
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

type Known = { topicId: string; replies: readonly ReplyRow[]; people: People; places: Places; settings: Settings }

function view(row: Row, known: Known): CommentView {
  const { replies, people, places, settings } = known
  const shown = isShown(row)
  return {
    id: row.id,
    floor: row.floor,
    isDeleted: !shown,
    movedTo: movedTo(row, places),
    author: shown ? (people.get(row.author_id) ?? null) : null,
    segments: shown ? writing.withNames(row.segments as Segment[], people) : [],
    publishedAt: row.published_at.toISOString(),
    editedAt: shown ? (row.edited_at?.toISOString() ?? null) : null,
    isEditedByStaff: shown && row.edited_by !== null && row.edited_by !== row.author_id,
    aiLabel: shown ? aiLabel.shown(settings, row.ai_label) : null,
    quote: shown ? quoteView(row, known) : null,
    envelopeId: shown ? row.envelope_id : null,
    replies: replies.filter((reply) => reply.comment_id === row.id).map((reply) => replyView(reply, people, settings)),
    likeCount: shown ? row.like_count : 0,
    replyCount: row.reply_count,
  }
}

function quoteView(row: Row, { topicId, people, places }: Known): CommentView['quote'] {
  const { quotes: commentId, quoted_topic, quoted_became } = row
  if (commentId === null || quoted_topic === null) return null
  const opened = quoted_became && places.get(quoted_became)
  const stands = row.quoted_status === 'published' && (quoted_topic === topicId || places.has(quoted_topic))
  const author = stands || opened ? people.get(row.quoted_author ?? '') : undefined
  return {
    commentId,
    topicId: quoted_became ?? quoted_topic,
    floor: !opened && (stands || quoted_topic === topicId) ? (row.quoted_floor ?? 0) : 0,
    author: author ? { id: author.id, name: author.name } : null,
    text: opened ? opened.summary : stands ? (row.quoted_text ?? '') : '',
    only: stands ? onlyIn(row) : null,
    isDeleted: !stands && !opened,
  }
}

type Only = NonNullable<CommentView['quote']>['only']
const withoutProse: Record<string, Only> = { image: 'picture', table: 'table', file: 'file', codeBlock: 'code' }

// Blank posts are refused, so a post without text has a picture.
function onlyIn({ quoted_first: first, quoted_text: text }: Row): Only {
  return text === '' ? 'picture' : (withoutProse[first ?? ''] ?? null)
}

function isShown(row: Row): boolean {
  return row.status === 'published'
}

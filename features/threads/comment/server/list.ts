import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { listComments } from '#comment/contract.ts'
import { acceptedAnswer, commentsIn, visibleLikes } from '#comment/server/comment-rows.ts'
import { viewsOf } from '#comment/server/comment-view.ts'
import { pageOf, pagesOf, rangeOf, type FloorPaging } from '#comment/server/floors.ts'
import { jumpTarget, type CommentPosition } from '#comment/server/jump-target.ts'
import * as setting from '#setting/server/setting.ts'
import * as posts from '#post/server/post.ts'

type CommentListParams = ParsedInput<typeof listComments>

/** One page of a topic's comments, in three round trips: the topic, its comments with their quotes and first replies, the authors. */
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
  const opened = { topicId: topic.id, opened: target?.id ?? null, repliesBefore: target?.replies_before ?? 0 }
  const [rows, accepted] = await Promise.all([
    commentsIn(db, params, { ...opened, ...range }),
    topic.isResolved && page === 1 && !params.onlyAuthor ? acceptedAnswer(db, opened) : undefined,
  ])
  const isOnOtherPage = accepted && !rows.some(({ id }) => id === accepted.id)
  const all = await viewsOf(db, viewer, topic.id, isOnOtherPage ? [...rows, accepted] : rows)
  const best = all[rows.length] ?? null
  return { comments: all.slice(0, rows.length), best, ...range, total: floors.total, page, pages }
}

async function pageToShow(db: Db, target: CommentPosition | null, params: CommentListParams, floors: FloorPaging): Promise<number> {
  if (!params.commentId && !params.replyId) return params.floor ? pageOf(Math.min(params.floor, floors.total), floors) : 1
  const floor = params.onlyAuthor ? target?.author_floor : target?.floor
  if (!floor || !target) throw Missing()
  return pageOf(floors.order === 'likes' ? await rankByLikes(db, params, target) : floor, floors)
}

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

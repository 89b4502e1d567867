import { sql, type NotNull } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { remarksForStaff } from '#content/contract.ts'
import { stateOf } from '#content/server/filter.ts'
import { postView, type PostRow } from '#content/server/post.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

type PostListParams = ParsedInput<typeof remarksForStaff>

const perPage = 20
const repliesShown = 100

/** A page of the comments of a topic, by floor, in any state. */
export async function list(db: Db, params: PostListParams): Promise<Output<typeof remarksForStaff>> {
  const [topic, floor] = await Promise.all([
    db.selectFrom('topic').select('floors').where('id', '=', params.topicId).where('purged_at', 'is', null).executeTakeFirst(),
    params.page === undefined ? floorOf(db, params) : undefined,
  ])
  if (!topic) throw Missing()
  const pages = Math.max(1, Math.ceil(topic.floors / perPage))
  const page = params.page ?? Math.max(1, Math.ceil((floor ?? 1) / perPage))
  if (page > pages) throw Missing()
  const comments = await commentsFrom(db, params.topicId, (page - 1) * perPage)
  const replies = await repliesTo(
    db,
    comments.map(({ id }) => id),
  )
  const people = await user.authors(db, [...comments, ...replies].flatMap(memberIds))
  return {
    comments: comments.map((comment) => ({
      ...postView(comment, people),
      isPurged: comment.is_purged,
      movedTo:
        comment.moved_topic === null
          ? null
          : { topicId: comment.moved_topic, commentId: comment.moved_comment, title: comment.moved_title ?? '' },
      floor: comment.floor,
      isBest: comment.is_best,
      quotes: comment.quoted_floor === null ? null : { floor: comment.quoted_floor, text: comment.quoted_text ?? '' },
      replies: replies
        .filter((reply) => reply.comment_id === comment.id)
        .map((reply) => ({ ...postView(reply, people), isPurged: reply.is_purged, answers: reply.answers })),
      replyTotal: comment.reply_total,
    })),
    total: topic.floors,
    page,
    pages,
  }
}

async function floorOf(db: Db, { topicId, commentId, replyId }: PostListParams): Promise<number> {
  if (!commentId && !replyId) return 1
  const row = await db
    .selectFrom('comment')
    .select('floor')
    .where('topic_id', '=', topicId)
    .$if(commentId !== undefined, (query) => query.where('id', '=', commentId ?? ''))
    .$if(commentId === undefined, (query) =>
      query.where('id', '=', (reply) =>
        reply
          .selectFrom('reply')
          .select('comment_id')
          .where('id', '=', replyId ?? ''),
      ),
    )
    .executeTakeFirst()
  if (!row) throw Missing()
  // Pending comments have no floor yet.
  return row.floor ?? 1
}

const movedTopicId = sql<string>`coalesce(comment.became, moved.became, moved.topic_id)`

const isBest = sql<boolean | null>`case when comment.thread_kind = 'question'
  then exists (select from adoption where adoption.topic_id = comment.topic_id and adoption.comment_id = comment.id) end`

function commentsFrom(db: Db, topicId: string, after: number) {
  return db
    .selectFrom('comment')
    .leftJoin('comment as quoted', 'quoted.id', 'comment.quotes')
    .leftJoin('comment as moved', 'moved.id', 'comment.moved_to')
    .leftJoin('topic as place', (join) => join.on('place.id', '=', movedTopicId))
    .select(['place.id as moved_topic', 'place.title as moved_title'])
    .select(sql<string | null>`case when comment.became is null and moved.became is null then moved.id end`.as('moved_comment'))
    .select(['comment.id', 'comment.author_id', 'comment.deleted_reason', 'comment.deleted_at', 'comment.published_at'])
    .select(['comment.edited_at', 'comment.edited_by', 'comment.version', 'comment.segments', 'comment.floor', 'comment.ai_label'])
    .select(['quoted.floor as quoted_floor', 'quoted.text as quoted_text', stateOf('comment').as('state')])
    .select(sql<boolean>`comment.purged_at is not null`.as('is_purged'))
    .select(isBest.as('is_best'))
    .select(sql<number>`(select count(*)::int from reply where reply.comment_id = comment.id)`.as('reply_total'))
    .where('comment.topic_id', '=', topicId)
    .where('comment.floor', '>', after)
    .where('comment.floor', '<=', after + perPage)
    .orderBy('comment.floor')
    .$narrowType<{ floor: NotNull }>()
    .execute()
}

type ReplyRow = PostRow & { comment_id: string; answers: string | null; is_purged: boolean }

async function repliesTo(db: Db, commentIds: readonly string[]): Promise<ReplyRow[]> {
  if (commentIds.length === 0) return []
  const { rows } = await sql<ReplyRow>`
    select reply.id, reply.comment_id, author_id, deleted_reason, deleted_at, published_at, edited_at, edited_by, version, ai_label, segments, answers,
      purged_at is not null as is_purged, ${stateOf('reply')} as state
    from unnest(${commentIds}::bigint[]) as asked(comment_id), lateral (
      select * from reply where reply.comment_id = asked.comment_id order by id limit ${repliesShown}
    ) as reply
    order by reply.id`.execute(db)
  return rows
}

function memberIds(row: PostRow): string[] {
  return [row.author_id, ...(row.edited_by ? [row.edited_by] : []), ...writing.mentionedIn(row.segments as Segment[])]
}

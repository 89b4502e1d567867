import { sql } from 'kysely'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { listReplies, ReplyView } from '#comment/contract.ts'
import type { CommentPosition } from '#comment/server/jump-target.ts'
import type { AuthorView } from '#user/contract.ts'
import * as linkPreview from '#link-preview/server/link-preview.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

const firstCount = 10
const pageSize = 20
// A link to a reply loads all replies before it, up to this number; later ones load on demand.
const maxOpened = 200

export type ReplyRow = {
  id: string
  comment_id: string
  author_id: string
  segments: Segment[]
  published_at: Date
  edited_at: Date | null
  edited_by: string | null
  like_count: number
  ai_label: string | null
  answers: string | null
  /** Null if the reply answers none, or the answered reply was removed. */
  answered_author: string | null
}

/** The first ten replies of each of these comments; of the comment a link points to, all up to the linked reply. */
export async function firstReplies(
  db: Db,
  comments: readonly { id: string; reply_count: number }[],
  target: CommentPosition | null,
): Promise<ReplyRow[]> {
  const replied = comments.filter((comment) => comment.reply_count > 0)
  if (replied.length === 0) return []
  const ids = replied.map((comment) => comment.id)
  const counts = ids.map((id) => (id === target?.id ? Math.min(maxOpened, Math.max(firstCount, target.replies_before)) : firstCount))
  const { rows } = await sql<ReplyRow>`
    select ${columns}
    from unnest(${ids}::bigint[], ${counts}::int[]) as asked(comment_id, most), lateral (
      select * from reply where reply.comment_id = asked.comment_id and status = 'published' order by id limit asked.most
    ) as reply
    left join reply as answered on answered.id = reply.answers and answered.status = 'published'
    order by reply.id`.execute(db)
  return rows
}

/** More replies to one comment, after the last one shown. */
export async function list(
  db: Db,
  viewer: Viewer,
  { topicId, commentId, after }: ParsedInput<typeof listReplies>,
): Promise<Output<typeof listReplies>> {
  const [, comment, settings] = await Promise.all([
    posts.cachedThread(db, viewer, topicId),
    db.selectFrom('comment').select('id').where('id', '=', commentId).where('topic_id', '=', topicId).executeTakeFirst(),
    setting.all(db),
  ])
  if (!comment) throw Missing()
  const { rows } = await sql<ReplyRow>`
    select ${columns} from reply left join reply as answered on answered.id = reply.answers and answered.status = 'published'
    where reply.comment_id = ${commentId} and reply.status = 'published' and reply.id > ${after ?? 0}
    order by reply.id limit ${pageSize + 1}`.execute(db)
  const visible = rows.slice(0, pageSize)
  const people = await user.authors(db, visible.flatMap(peopleIn))
  const views = visible.map((row) => replyView(row, people, settings))
  return { replies: views.map(await linkPreview.cardsIn(db, views)), hasMore: rows.length > pageSize }
}

export function peopleIn(row: ReplyRow): string[] {
  return [row.author_id, ...(row.answered_author ? [row.answered_author] : []), ...writing.mentionedIn(row.segments)]
}

export function replyView(row: ReplyRow, people: ReadonlyMap<string, AuthorView>, settings: Settings): ReplyView {
  const author = people.get(row.author_id)
  if (!author) throw new Error(`Reply ${row.id} is by nobody`)
  const answered = people.get(row.answered_author ?? '')
  return {
    id: row.id,
    author,
    segments: writing.withNames(row.segments, people),
    answers: row.answers === null ? null : { replyId: row.answers, author: answered ? { id: answered.id, name: answered.name } : null },
    likeCount: row.like_count,
    publishedAt: row.published_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    isEditedByStaff: row.edited_by !== null && row.edited_by !== row.author_id,
    aiLabel: aiLabel.visibleLabel(settings, row.ai_label),
  }
}

const columns = sql`reply.id, reply.comment_id, reply.author_id, reply.segments, reply.published_at, reply.edited_at, reply.edited_by, reply.like_count, reply.ai_label, reply.answers,
  answered.author_id as answered_author`

import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Value } from '#base/server/database/statement.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { listReplies, ReplyView } from '#comment/contract.ts'
import type { AuthorView } from '#user/contract.ts'
import * as linkPreview from '#link-preview/server/link-preview.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import { fieldViews, replySources, type FieldViews } from '#comment/server/post-parts.ts'
import type { ReplyFields } from '#post/parts-contract.ts'
import * as posts from '#post/server/post.ts'

const firstCount = 10
const pageSize = 20
// A link to a reply loads all replies before it, up to this number; later ones load on demand.
const maxOpened = 200

export type ReplyRow = {
  id: string
  author_id: string
  segments: Segment[]
  published_at: string
  edited_at: string | null
  edited_by: string | null
  fields: ReplyFields
  answers: string | null
  /** Null if the reply answers none, or the answered reply was removed. */
  answered_author: string | null
}

/** The comment that a link points to, with its number of replies up to the linked one. */
export type OpenedComment = { opened: string | null; repliesBefore: number }

/** The first ten replies of a comment; of the comment a link points to, all up to the linked reply. */
export function firstReplies(db: Db, of: { [Name in keyof OpenedComment]: Value<OpenedComment[Name]> }): RawBuilder<ReplyRow[]> {
  const { opened, repliesBefore } = of
  return sql<ReplyRow[]>`case when comment.reply_count > 0 then (
    select coalesce(json_agg(${replyRow(db)} order by reply.id), '[]')
    from (
      select * from reply where reply.comment_id = comment.id and status = 'published' order by id
      limit case when comment.id = ${opened} then least(${maxOpened}, greatest(${firstCount}, ${repliesBefore}::int)) else ${firstCount} end
    ) as reply
    ${answeredReply}
  ) else '[]' end`
}

/** More replies to one comment, after the last one shown. */
export async function list(
  db: Db,
  viewer: Viewer,
  { topicId, commentId, after }: ParsedInput<typeof listReplies>,
): Promise<Output<typeof listReplies>> {
  const [, comment, fields] = await Promise.all([
    posts.cachedThread(db, viewer, topicId),
    db.selectFrom('comment').select('id').where('id', '=', commentId).where('topic_id', '=', topicId).executeTakeFirst(),
    fieldViews(db),
  ])
  if (!comment) throw Missing()
  const { rows } = await sql<{ row: ReplyRow }>`
    select ${replyRow(db)} as row from reply ${answeredReply}
    where reply.comment_id = ${commentId} and reply.status = 'published' and reply.id > ${after ?? 0}
    order by reply.id limit ${pageSize + 1}`.execute(db)
  const visible = rows.slice(0, pageSize).map(({ row }) => row)
  const people = await user.authors(db, visible.flatMap(peopleIn))
  const views = visible.map((row) => replyView(row, people, fields))
  return { replies: views.map(await linkPreview.cardsIn(db, views)), hasMore: rows.length > pageSize }
}

export function peopleIn(row: ReplyRow): string[] {
  return [row.author_id, ...(row.answered_author ? [row.answered_author] : []), ...writing.mentionedIn(row.segments)]
}

export function replyView(row: ReplyRow, people: ReadonlyMap<string, AuthorView>, fields: FieldViews): ReplyView {
  const author = people.get(row.author_id)
  if (!author) throw new Error(`Reply ${row.id} is by nobody`)
  const answered = people.get(row.answered_author ?? '')
  return {
    id: row.id,
    author,
    segments: writing.withNames(row.segments, people),
    answers: row.answers === null ? null : { replyId: row.answers, author: answered ? { id: answered.id, name: answered.name } : null },
    publishedAt: new Date(row.published_at).toISOString(),
    editedAt: row.edited_at && new Date(row.edited_at).toISOString(),
    isEditedByStaff: row.edited_by !== null && row.edited_by !== row.author_id,
    ...fields.ofReply(row.fields),
  }
}

const replyRow = (db: Db) => sql<ReplyRow>`json_build_object(
  'id', reply.id::text, 'author_id', reply.author_id::text, 'segments', reply.segments,
  'published_at', reply.published_at, 'edited_at', reply.edited_at, 'edited_by', reply.edited_by::text,
  'fields', ${replySources(db)}, 'answers', reply.answers::text, 'answered_author', answered.author_id::text)`

const answeredReply = sql`left join reply as answered on answered.id = reply.answers and answered.status = 'published'`

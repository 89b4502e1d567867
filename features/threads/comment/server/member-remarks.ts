import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import type { memberRemarks } from '#comment/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

// The same limit as for lists of topics.
const maxPages = 400

type RemarkRow = { id: string; topicId: string; topicTitle: string; commentId: string; floor: number; text: string; isBest: boolean }

/** Whether a comment is the accepted answer of its question. */
const isAccepted = sql`exists (select from adoption where adoption.comment_id = comment.id)`

/** A member's comments or replies, newest first, in topics that this viewer may see. */
export async function list(db: Db, viewer: Viewer, params: ParsedInput<typeof memberRemarks>): Promise<Output<typeof memberRemarks>> {
  const { kind, userId, page, thread } = params
  const author = await user.activityOwner(db, viewer, userId)
  const { commentsPerPage: perPage } = await setting.all(db)
  const isReply = kind === 'reply'
  const its = (column: string) => sql.ref(`${kind}.${column}`)
  // The status is a literal, since a generic plan uses a partial index only if the statement itself implies its predicate.
  const found = sql`
    from comment ${isReply ? sql`join reply on reply.comment_id = comment.id and comment.floor is not null` : sql``} join topic on topic.id = ${its('topic_id')}
    where ${its('author_id')} = ${author.id} and ${its('thread_kind')} = ${thread} and ${its('status')} = 'published'
      and topic.status = 'published' and ${tag.seenBy(viewer)}`
  // The count stops at the last page, which bounds its cost.
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (select ${its('id')} ${found} limit ${maxPages * perPage}) as "shown"`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  const { pages } = pagePosition(total, page, perPage)
  const { rows } = await sql<RemarkRow & { published_at: Date }>`
    select ${its('id')}, ${isReply ? sql`false` : isAccepted} as "isBest", topic.id as "topicId", topic.title as "topicTitle", comment.id as "commentId", comment.floor, ${its('text')}, ${its('published_at')}
    ${found} order by ${its('published_at')} desc, ${its('id')} desc limit ${perPage} offset ${(page - 1) * perPage}`.execute(db)
  const remarks = rows.map(({ published_at, ...row }) => ({ ...row, publishedAt: published_at.toISOString() }))
  return { remarks, total, page, pages, user: author }
}

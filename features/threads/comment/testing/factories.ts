import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import type { Database } from '#base/server/database/database.ts'
import type { Person } from '#base/testing/forum.ts'
import { addComment, addReply } from '#comment/contract.ts'
import { says } from '#writing/testing/factories.ts'

type Draft = { body?: Doc; quotes?: string }

/** Posts a comment through the API. Returns its id. */
export async function aComment(author: Person, topicId: string, { body = says('A remark.'), quotes }: Draft = {}): Promise<string> {
  const { commentId } = await author.call(addComment, { topicId, body, quotes })
  return commentId
}

/** Posts a reply through the API. Returns its id. */
export async function aReply(
  author: Person,
  commentId: string,
  { body = says('Indeed.'), answers }: { body?: Doc; answers?: string } = {},
): Promise<string> {
  const { replyId } = await author.call(addReply, { commentId, body, answers })
  return replyId
}

/** Inserts comments directly, where there are too many for the API; in a topic without comments by another author. */
export async function manyComments({ app }: Database, authorId: string, topicId: string, many: number): Promise<string[]> {
  const body = JSON.stringify(says('Buy now'))
  const { rows } = await sql<{ id: string }>`insert into comment (topic_id, author_id, floor, body, segments, text)
    select ${topicId}, ${authorId}, n, ${body}::jsonb, '[]', 'Buy now' from generate_series(1, ${many}) as n returning id`.execute(app)
  await sql`update topic set comment_count = comment_count + ${many}, floors = ${many}, last_reply_at = (select max(published_at) from comment where topic_id = ${topicId}), last_reply_by = ${authorId}
    where id = ${topicId}`.execute(app)
  await sql`update member set comment_count = comment_count + ${many} where id = ${authorId}`.execute(app)
  await sql`insert into written (member_id, tag_id, comments) select ${authorId}, tag_id, ${many} from topic where id = ${topicId}
    on conflict (member_id, tag_id, thread_kind) do update set comments = written.comments + ${many}`.execute(app)
  return rows.map(({ id }) => id)
}

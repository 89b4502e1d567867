import type { Block } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'

/** The line of a thread's Markdown that mentions its red envelope, without its contents, as for hidden parts. */
export async function markdownLines(db: Db, topicId: string): Promise<Block[]> {
  const rows = await db
    .selectFrom('red_envelope')
    .select('kind')
    .where('topic_id', '=', topicId)
    .where('comment_id', 'is', null)
    .where('state', 'not in', ['waiting', 'dropped'])
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => ({ type: 'paragraph', content: [{ type: 'text', text: `[red envelope: ${kind}]` }] }))
}

import type { Block } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'

/** What a copy of a thread's text says of the red envelope that came with it: that there is one, as of hidden parts, and nothing that is on it. */
export async function inWords(db: Db, topicId: string): Promise<Block[]> {
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

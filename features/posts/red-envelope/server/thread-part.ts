import { sql } from 'kysely'
import type { Block } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { threadPart } from '#base/server/thread-part.ts'
import { part } from '#red-envelope/thread-part.ts'

const source = sql<true>`nullif(exists (
  select from red_envelope where red_envelope.topic_id = topic.id and comment_id is null and red_envelope.state not in ('waiting', 'dropped')), false)`

export const envelopeOfThread = threadPart(part, { source, markdown })

/** The line of a thread's Markdown that mentions its red envelope, without its contents, as for hidden parts. */
async function markdown(db: Db, topicId: string): Promise<Block[]> {
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

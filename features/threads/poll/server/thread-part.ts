import { sql } from 'kysely'
import type { Block } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { threadPart } from '#base/server/thread-part.ts'
import { publish } from '#poll/server/publish.ts'
import { definition, options, viewOf } from '#poll/server/state.ts'
import { part, type PollView } from '#poll/thread-part.ts'

const source = sql<PollView>`(select ${definition} from poll where poll.topic_id = topic.id and topic.withdrawn_at is null)`

export const pollOfThread = threadPart(part, {
  texts: ({ title, options }) => ({ title, options: options.join('\n') }),
  publish,
  source,
  view: (_, poll: PollView) => viewOf(poll),
  markdown,
})

/** The title and the options, without results. */
async function markdown(db: Db, topicId: string): Promise<Block[]> {
  const poll = await db
    .selectFrom('poll')
    .innerJoin('topic', 'topic.id', 'poll.topic_id')
    .select(['poll.title', options.as('options')])
    .where('poll.topic_id', '=', topicId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  if (!poll) return []
  const paragraph = (text: string): Block => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const items = poll.options.map(({ label }) => ({ type: 'listItem' as const, content: [paragraph(label)] }))
  return [paragraph(poll.title ? `Poll: ${poll.title}` : 'Poll'), { type: 'bulletList', content: items }]
}

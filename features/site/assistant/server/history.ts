import type { ModelMessage } from 'ai'
import type { SourceView } from '#assistant/contract.ts'
import type { Unread } from '#assistant/server/unread.ts'
import { allOf, type Database } from '#base/server/database/database.ts'
import { asMember } from '#message/server/message.ts'

const continuePrompt = 'Continue exactly where you stopped. Repeat nothing.'
const maxHistory = 20

export type History = { messages: ModelMessage[]; sources: SourceView[]; prompts: string[] }

type ContinuedTurn = {
  id: string
  conversationId: string
  memberId: string
  /** The answer so far. */
  before: string
  replaces: readonly string[]
}

/** The earlier turns, and the allowed targets of links. */
export async function historyOf({ app }: Database, turn: ContinuedTurn, unread: Unread): Promise<History> {
  const found = await asMember(app, turn.memberId, (as) =>
    as
      .selectFrom('assistant_turn')
      .select(['id', 'prompt', 'answer', 'sources'])
      .where('conversation_id', '=', turn.conversationId)
      .where('id', '<=', turn.id)
      .where('id', '<>', allOf(turn.replaces))
      .orderBy('id', 'desc')
      .limit(maxHistory + 1)
      .execute(),
  )
  const rows = found.slice(0, maxHistory).reverse()
  if (found.length > rows.length) unread.leave('turns')
  const messages = rows.flatMap(({ prompt, answer }): ModelMessage[] => [
    { role: 'user', content: prompt },
    ...(answer === '' ? [] : [{ role: 'assistant' as const, content: answer }]),
  ])
  if (turn.before !== '') messages.push({ role: 'user', content: continuePrompt })
  return { messages, sources: rows.flatMap(({ sources }) => sources as SourceView[]), prompts: rows.map(({ prompt }) => prompt) }
}

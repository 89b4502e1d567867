import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import * as bounty from '#bounty/server/bounty.ts'
import type { askQuestion, editQuestion } from '#question/contract.ts'
import { findQuestion } from '#question/server/own.ts'
import * as topics from '#topic/server/topic.ts'
import type * as writing from '#writing/server/writing.ts'

type AskResult = { questionId: string; isPending: boolean }

/** Asks a question, or holds it for review. A seed may pass the time; the default is now. */
export async function ask(
  tx: Db,
  author: Member,
  input: ParsedInput<typeof askQuestion>,
  when: writing.PublishContext = {},
): Promise<AskResult> {
  const { bountyPoints, bountyCash, bountyDays, ...draft } = input
  const { topicId: questionId, isPending } = await topics.publish(tx, author, { ...draft, kind: 'question' }, when)
  await bounty.offer(tx, author, { id: questionId, isPending, isSeed: when.at !== undefined }, { bountyPoints, bountyCash, bountyDays })
  return { questionId, isPending }
}

export async function edit(tx: Db, member: Member, input: ParsedInput<typeof editQuestion>, client: ClientInfo): Promise<AskResult> {
  const { questionId, ...draft } = input
  await findQuestion(tx, member, questionId)
  const { isPending } = await topics.edit(tx, member, { topicId: questionId, ...draft }, client)
  return { questionId, isPending }
}

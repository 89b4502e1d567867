import { allowSources } from '#assistant/links.ts'
import { NothingThere } from '#assistant/contract.ts'
import type { GeneratedPiece, summarise, translate } from '#assistant/generated-contract.ts'
import { readThread, Sources, visibleText } from '#assistant/server/forum.ts'
import { jobInstructions } from '#assistant/server/instructions.ts'
import { generate } from '#assistant/server/generation.ts'
import { modelsFor } from '#assistant/server/models.ts'
import type { ParsedInput } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import { markdownOf } from '#base/server/long-text.ts'
import type { ClientInfo, Member, StreamBody } from '#base/server/http/route.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as posts from '#post/server/post.ts'

/** Characters per token of free room in a model's window: about one in Chinese, four in English. */
const charactersPerToken = 1
const tokensForAnswer = 4_000

/** Summarises a thread from its opening, or from the member's first unread floor. */
export async function summary(
  tx: Db,
  member: Member,
  { topicId, isNewOnly, readTo }: ParsedInput<typeof summarise>,
  { language }: ClientInfo,
): Promise<StreamBody<GeneratedPiece>> {
  const sources = new Sources()
  const fromFloor = isNewOnly ? (readTo ?? (await floorRead(tx, member.id, topicId))) + 1 : 1
  const [model] = await modelsFor(tx, 'summary')
  const mostCharacters = Math.max(4_000, ((model?.contextTokens ?? 0) - tokensForAnswer) * charactersPerToken)
  const { text, cutAt, isEmpty } = await readThread(tx, member, { topicId, fromFloor, mostCharacters }, sources)
  if (isEmpty) throw NothingThere()
  return generate(tx, member, {
    job: 'summary',
    instructions: await jobInstructions(tx, 'summary', language),
    text,
    sources: sources.all,
    allows: allowSources(sources.all, []),
    cutAt,
    topicId,
  })
}

async function floorRead(db: Db, memberId: string, topicId: string): Promise<number> {
  const row = await db
    .selectFrom('topic_read_position')
    .select('floor')
    .where('member_id', '=', memberId)
    .where('topic_id', '=', topicId)
    .executeTakeFirst()
  return row?.floor ?? 0
}

/** Translates a post as all its readers see it. The targets of its links stay. */
export async function translation(
  tx: Db,
  member: Member,
  { kind, postId, into }: ParsedInput<typeof translate>,
): Promise<StreamBody<GeneratedPiece>> {
  const { thread } = await posts.findPublished(tx, member, kind, postId)
  const { body } = await tx.selectFrom(kind).select('body').where('id', '=', postId).executeTakeFirstOrThrow()
  const text = visibleText(await markdownOf(hiddenPart.withTextPlaceholders(body as Doc)))
  const title = kind === 'topic' ? `# ${visibleText(thread.title)}\n\n` : ''
  if (title === '' && !/\p{L}/u.test(text)) throw NothingThere()
  return generate(tx, member, {
    job: 'translation',
    instructions: await jobInstructions(tx, 'translation', into),
    text: title + text,
    sources: [],
    allows: (href) => text.includes(href),
    cutAt: null,
    topicId: thread.id,
  })
}

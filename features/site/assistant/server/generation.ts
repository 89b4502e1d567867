import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { NoModel, type AssistantJob, type SourceView } from '#assistant/contract.ts'
import type { LinkFilter } from '#assistant/links.ts'
import { mustBeAllowed, mustStillBeAllowed } from '#assistant/server/allowed.ts'
import { answerMarkdown } from '#assistant/server/answer-text.ts'
import { keepAlive } from '#assistant/server/heartbeat.ts'
import { modelsFor } from '#assistant/server/models.ts'
import { run, type Run } from '#assistant/server/run.ts'
import { reserve, settle, tokensIn } from '#assistant/server/usage.ts'
import type { GeneratedText, GeneratedPiece } from '#assistant/generated-contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, StreamBody } from '#base/server/http/route.ts'

export type GenerationRequest = {
  job: AssistantJob
  instructions: string
  text: string
  sources: readonly SourceView[]
  allows: LinkFilter
  cutAt: number | null
  /** The thread of the source text, where the result is cached for all its readers. */
  topicId: string | null
  /** Parses further fields from the answer of the model. Null for an answer in another format. */
  read?: (answer: string) => Partial<GeneratedText> | null
}

/**
 * Generates a text from another, in pieces. Texts generated from a thread are cached by a hash of the whole prompt, so readers of the same
 * text share them and no other reader gets them; a cached text costs nothing.
 */
export async function generate(tx: Db, member: Member, request: GenerationRequest): Promise<StreamBody<GeneratedPiece>> {
  await mustBeAllowed(tx, member)
  const { job, instructions, text, topicId, sources, cutAt } = request
  const key = hash('sha256', JSON.stringify([job, instructions, text]), 'buffer')
  const cached = topicId === null ? null : await cachedText(tx, key)
  const models = await modelsFor(tx, job)
  // The text of a stand-in is replaced once there is a model.
  if (cached && (!cached.isStandIn || models.every(({ isStandIn }) => isStandIn)))
    return async function* () {
      yield { kind: 'made', made: { ...cached, sources: [...sources], cutAt, isKept: true } }
    }
  if (models.length === 0) throw NoModel()
  const useId = await reserve(tx, member.id, job)
  return generation(request, key, useId)
}

function generation(request: GenerationRequest, key: Buffer, useId: string): StreamBody<GeneratedPiece> {
  const { job, instructions, text, sources, allows, cutAt, topicId, read } = request
  return async function* ({ database, signal, viewerNow }) {
    const runState: Run = { model: null, tokens: { input: tokensIn(instructions + text), cached: 0, output: 0, isEstimated: true } }
    const mustGoOn = async () => void (await mustStillBeAllowed(database.app, await viewerNow()))
    const stopHeartbeat = keepAlive(database, useId)
    let answer = ''
    let isCut = false
    try {
      const runRequest = { job, instructions, messages: [{ role: 'user' as const, content: text }], mustGoOn }
      for await (const event of run({ database, signal }, runRequest, runState)) {
        if (event.kind === 'cut') isCut = true
        if (event.kind === 'waiting') yield { kind: 'waiting' }
        if (event.kind === 'restart') {
          answer = ''
          yield { kind: 'restart' }
        }
        if (event.kind !== 'text') continue
        answer += event.text
        if (!read) yield { kind: 'text', text: event.text }
      }
    } finally {
      stopHeartbeat()
      await settle(database.app, useId, runState.model, runState.tokens)
    }
    // Numbers in brackets of a text without sources are the author's own.
    const markdown = await answerMarkdown(answer, allows, sources.length > 0 ? sources : null)
    const result = { text: markdown, isStandIn: runState.model?.isStandIn ?? false }
    if (topicId !== null && !isCut) await cacheText(database.app, key, { ...result, topicId })
    yield { kind: 'made', made: { ...result, sources: [...sources], cutAt, isKept: false, ...read?.(answer) } }
  }
}

type StoredText = Pick<GeneratedText, 'text' | 'isStandIn'>

async function cachedText(tx: Db, key: Buffer): Promise<StoredText | null> {
  const { rows } = await sql<StoredText>`
    update generated_text set used_at = clock_timestamp() where hash = ${key} returning text, is_stand_in as "isStandIn"`.execute(tx)
  return rows[0] ?? null
}

async function cacheText(db: Db, key: Buffer, { topicId, text, isStandIn }: StoredText & { topicId: string }): Promise<void> {
  await db
    .insertInto('generated_text')
    .values({ hash: key, topic_id: topicId, text, is_stand_in: isStandIn })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ text, is_stand_in: isStandIn }))
    .execute()
}
